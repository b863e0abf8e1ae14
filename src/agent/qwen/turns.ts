import { readJsonLines } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import type { TurnRead } from '../seam/record.ts';
import type { Step, ToolResult, Turn } from '../seam/turn.ts';
import { turnRead } from '../seam/turn-text.ts';
import { type Entry, entriesOf } from './chat.ts';
import { isTriedAgain } from './trouble.ts';

/** Reads a conversation for display. It keeps everything, for as long as a reader needs it. */
export const qwenTurnReader: LineReader<readonly (readonly Entry[])[], readonly TurnRead[]> = {
  empty: [],
  read: (pieces, text) => [...pieces, readJsonLines(text).lines.flatMap(entriesOf)],
  view: (pieces) => turnsOf(pieces.flat()).map(turnRead),
};

function turnsOf(entries: readonly Entry[]): Turn[] {
  const results = new Map(entries.flatMap((each) => (each.is === 'results' ? each.results : [])).map((r) => [r.id, r]));
  const turns: { prompt: string; images: number; steps: Step[] }[] = [];
  for (const entry of entries) {
    if (entry.is === 'prompt' && entry.how === 'typed') {
      turns.push({ prompt: entry.text.trim(), images: entry.images, steps: [] });
      continue;
    }
    const steps = stepsOf(entry, results);
    // The end of a long conversation begins in the middle of a turn, whose prompt is unknown.
    if (steps.length > 0 && turns.length === 0) turns.push({ prompt: '', images: 0, steps: [] });
    turns.at(-1)?.steps.push(...steps);
  }
  return turns;
}

function stepsOf(entry: Entry, results: ReadonlyMap<string, ToolResult>): Step[] {
  switch (entry.is) {
    case 'reply':
      return entry.blocks.flatMap((block): Step[] => {
        if (block.is === 'call') return [{ ...block, result: results.get(block.id) ?? null }];
        return block.text === '' ? [] : [{ is: block.is, text: block.text }];
      });
    case 'prompt':
      return entry.how === 'steering' ? [{ is: 'steering', text: entry.text }] : [];
    case 'refused':
      return isTriedAgain(entry) ? [] : [{ is: 'note', text: entry.text }];
    case 'compacted':
      return [{ is: 'note', text: 'the conversation was compacted' }];
    case 'unreadable':
      return [{ is: 'note', text: 'a line of the transcript cannot be read' }];
    default:
      return [];
  }
}
