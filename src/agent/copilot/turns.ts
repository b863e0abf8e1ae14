import { readJsonLines } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import type { TurnRead } from '../seam/record.ts';
import type { Step, ToolResult, Turn } from '../seam/turn.ts';
import { turnRead } from '../seam/turn-text.ts';
import { type Event, eventsOf } from './events.ts';

/** Reads a conversation for display. It keeps everything, for as long as a reader needs it. */
export const copilotTurnReader: LineReader<readonly (readonly Event[])[], readonly TurnRead[]> = {
  empty: [],
  read: (pieces, text) => [...pieces, readJsonLines(text).lines.flatMap(eventsOf)],
  view: (pieces) => turnsOf(pieces.flat()).map(turnRead),
};

/** Splits a conversation into turns. */
export function turnsOf(events: readonly Event[]): Turn[] {
  const results = new Map(events.flatMap((each) => (each.is === 'ended' ? [[each.result.id, each.result]] : [])));
  const found: { prompt: string; images: number; steps: Step[] }[] = [];
  for (const event of events) {
    if (event.is === 'prompt') {
      found.push({ prompt: event.text, images: event.images, steps: [] });
      continue;
    }
    const steps = stepsOf(event, results);
    if (steps.length === 0) continue;
    // The end of a long file begins in the middle of a turn, whose prompt is unknown.
    if (found.length === 0) found.push({ prompt: '', images: 0, steps: [] });
    found.at(-1)?.steps.push(...steps);
  }
  return found;
}

function stepsOf(event: Event, results: ReadonlyMap<string, ToolResult>): Step[] {
  switch (event.is) {
    case 'reply': {
      const { thinking, text, calls } = event;
      return [
        ...(thinking === '' ? [] : [{ is: 'thinking', text: thinking } as const]),
        ...(text === '' ? [] : [{ is: 'text', text } as const]),
        ...calls.map(
          ({ id, name, input }) => ({ is: 'call', id, name, input, result: results.get(id) ?? null }) as const,
        ),
      ];
    }
    case 'failed':
      return [{ is: 'note', text: event.failure.text }];
    case 'aborted':
      return [{ is: 'note', text: 'interrupted' }];
    case 'compacted':
      return [{ is: 'note', text: 'the conversation was compacted' }];
    case 'unreadable':
      return [{ is: 'note', text: 'a line of the transcript cannot be read' }];
    default:
      return [];
  }
}
