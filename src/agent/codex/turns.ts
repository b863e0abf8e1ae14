import { readJsonLines } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import type { TurnRead } from '../seam/record.ts';
import type { Step, ToolResult, Turn } from '../seam/turn.ts';
import { turnRead } from '../seam/turn-text.ts';
import { type Entry, entriesOf } from './rollout.ts';

/** Reads a rollout for display. It keeps everything, for as long as a reader needs it. */
export const codexTurnReader: LineReader<readonly (readonly Entry[])[], readonly TurnRead[]> = {
  empty: [],
  read: (pieces, text) => [...pieces, readJsonLines(text).lines.flatMap(entriesOf)],
  view: (pieces) => turnsOf(pieces.flat()).map(turnRead),
};

/** Splits a rollout into turns. The work of sub-agents stays in their own rollouts. */
export function turnsOf(entries: readonly Entry[]): Turn[] {
  const results = new Map(entries.flatMap((each) => (each.is === 'result' ? [[each.result.id, each.result]] : [])));
  const found: { prompt: string; images: number; steps: Step[] }[] = [];
  let isFresh = true;
  for (const entry of entries) {
    if (entry.is === 'begun') isFresh = true;
    // The same text again, as an item.
    if (entry.is === 'prompt' && entry.isItem) continue;
    if (entry.is === 'prompt' && isFresh) {
      found.push({ prompt: entry.text, images: entry.images, steps: [] });
      isFresh = false;
      continue;
    }
    const steps = stepsOf(entry, results);
    if (steps.length === 0) continue;
    // The end of a long rollout begins in the middle of a turn, whose prompt is unknown.
    if (found.length === 0) found.push({ prompt: '', images: 0, steps: [] });
    found.at(-1)?.steps.push(...steps);
  }
  return found;
}

function stepsOf(entry: Entry, results: ReadonlyMap<string, ToolResult>): Step[] {
  switch (entry.is) {
    case 'text':
    case 'thinking':
      return [entry];
    case 'prompt':
      return [{ is: 'steering', text: entry.text }];
    case 'call':
      return [{ ...entry, result: results.get(entry.id) ?? null }];
    case 'ended':
      return entry.failure === null ? [] : [{ is: 'note', text: entry.failure.text }];
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
