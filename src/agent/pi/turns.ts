import { readJsonLines } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import type { TurnRead } from '../seam/record.ts';
import type { Step, ToolResult, Turn } from '../seam/turn.ts';
import { turnRead } from '../seam/turn-text.ts';
import { type Entry, entriesOf } from './entries.ts';
import type { Reply } from './message.ts';

/** Reads a conversation for display. It keeps everything, for as long as a reader needs it. */
export const piTurnReader: LineReader<readonly (readonly Entry[])[], readonly TurnRead[]> = {
  empty: [],
  read: (pieces, text) => [...pieces, readJsonLines(text).lines.flatMap(entriesOf)],
  view: (pieces) => turnsOf(pieces.flat()).map(turnRead),
};

/** Splits a conversation into turns. */
export function turnsOf(entries: readonly Entry[]): Turn[] {
  const results = new Map(
    entries.flatMap((entry) =>
      entry.is === 'message' && entry.message.is === 'result' ? [[entry.message.result.id, entry.message.result]] : [],
    ),
  );
  const found: { prompt: string; images: number; steps: Step[] }[] = [];
  for (const entry of entries) {
    if (entry.is === 'message' && entry.message.is === 'prompt') {
      found.push({ prompt: entry.message.text, images: entry.message.images, steps: [] });
      continue;
    }
    const steps = stepsOf(entry, results);
    if (steps.length === 0) continue;
    // The end of a long file begins in the middle of a turn, whose prompt is unknown.
    if (found.length === 0) found.push({ prompt: '', images: 0, steps: [] });
    found.at(-1)?.steps.push(...steps);
  }
  return found;
}

function stepsOf(entry: Entry, results: ReadonlyMap<string, ToolResult>): Step[] {
  if (entry.is === 'compacted') return [{ is: 'note', text: 'the conversation was compacted' }];
  if (entry.is === 'unreadable') return [{ is: 'note', text: 'a line of the transcript cannot be read' }];
  return entry.is === 'message' && entry.message.is === 'reply' ? replySteps(entry.message, results) : [];
}

function replySteps({ parts, reason, error }: Reply, results: ReadonlyMap<string, ToolResult>): Step[] {
  const steps = parts.flatMap((part): Step[] => {
    if (part.is === 'call') return [{ ...part, result: results.get(part.id) ?? null }];
    return part.text === '' ? [] : [part];
  });
  if (reason === 'aborted') return [...steps, { is: 'note', text: 'interrupted' }];
  return reason === 'error' ? [...steps, { is: 'note', text: error ?? 'the turn failed' }] : steps;
}
