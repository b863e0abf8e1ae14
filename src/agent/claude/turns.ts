import type { LineReader } from '../seam/lines.ts';
import type { TurnRead } from '../seam/record.ts';
import type { Step, ToolResult, Turn } from '../seam/turn.ts';
import { turnRead } from '../seam/turn-text.ts';
import { readLines } from './transcript.ts';
import { type Entry, type PromptKind, SYNTHETIC } from './transcript-entry.ts';

/** Reads a transcript for display. It keeps everything, for as long as a reader needs it. */
export const turnReader: LineReader<readonly (readonly Entry[])[], readonly TurnRead[]> = {
  empty: [],
  read: (pieces, text) => [...pieces, readLines(text).entries],
  view: (pieces) => turns(pieces.flat()).map(turnRead),
};

/** Splits a transcript into turns. The work of sub-agents stays in their own transcripts. */
export function turns(entries: readonly Entry[]): Turn[] {
  const main = entries.filter((entry) => entry.sidechain === null);
  const results = new Map(main.flatMap((entry) => (entry.is === 'results' ? entry.results : [])).map((r) => [r.id, r]));
  const found: { prompt: string; images: number; steps: Step[] }[] = [];
  for (const entry of main) {
    if (entry.is === 'prompt' && begins(entry.how, entry.text)) {
      found.push({ prompt: entry.text, images: entry.images, steps: [] });
      continue;
    }
    const steps = stepsOf(entry, results);
    if (steps.length === 0) continue;
    // The end of a long transcript begins in the middle of a turn, whose prompt is unknown.
    if (found.length === 0) found.push({ prompt: '', images: 0, steps: [] });
    found.at(-1)?.steps.push(...steps);
  }
  return found;
}

function begins(how: PromptKind, text: string): boolean {
  return how === 'typed' || (how === 'shell' && text.includes('<bash-input>'));
}

function stepsOf(entry: Entry, results: ReadonlyMap<string, ToolResult>): Step[] {
  switch (entry.is) {
    case 'reply':
      if (entry.error !== null) return [{ is: 'note', text: `${entry.error}: ${textOf(entry.blocks)}` }];
      if (entry.model === SYNTHETIC) return [{ is: 'note', text: 'ended without a reply' }];
      return entry.blocks.flatMap((block): Step[] => {
        if (block.is === 'call') return [{ ...block, result: results.get(block.id) ?? null }];
        return block.text === '' ? [] : [block];
      });
    case 'prompt':
      return entry.how === 'steering' ? [{ is: 'steering', text: entry.text }] : [];
    case 'noise':
      return entry.context === undefined ? [] : [{ is: 'told', text: entry.context }];
    case 'interrupted':
      return [{ is: 'note', text: 'interrupted' }];
    case 'compacted':
      return [{ is: 'note', text: 'the conversation was compacted' }];
    case 'unreadable':
      return [{ is: 'note', text: 'a line of the transcript cannot be read' }];
    default:
      return [];
  }
}

function textOf(blocks: readonly { readonly is: string; readonly text?: string }[]): string {
  return blocks.flatMap(({ is, text }) => (is === 'text' && text !== undefined ? [text] : [])).join('\n');
}
