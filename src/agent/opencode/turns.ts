import { readJsonLines } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import type { TurnRead } from '../seam/record.ts';
import type { Step, Turn } from '../seam/turn.ts';
import { datedTurn } from '../seam/turn-text.ts';
import { type Part, type Row, rowsOf } from './rows.ts';
import { errorText, isAborted } from './trouble.ts';

/** Reads the rows of a conversation for display. It keeps everything, for as long as a reader needs it. */
export const opencodeTurnReader: LineReader<readonly (readonly Row[])[], readonly TurnRead[]> = {
  empty: [],
  read: (pieces, text) => [...pieces, readJsonLines(text).lines.flatMap(rowsOf)],
  view: (pieces) => turnsOf(pieces.flat()).map(datedTurn),
};

/** A turn, and when its prompt was recorded. */
type DatedTurn = Turn & { readonly atMs: number | null };

/** Groups rows into turns. Of a row that came several times the last version counts. */
function turnsOf(rows: readonly Row[]): DatedTurn[] {
  const latest = new Map(rows.flatMap((row) => (row.is === 'unreadable' ? [] : [[row.id, row] as const])));
  const all = [...latest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const partsOf = (message: string): Part[] =>
    all.flatMap((row) => (row.is === 'part' && row.message === message ? row.part : []));
  return all.flatMap((user): DatedTurn[] => {
    if (user.is !== 'user') return [];
    const texts = partsOf(user.id).flatMap((part) => (part.is === 'text' ? part.text : []));
    const steps = all.flatMap((row): Step[] => {
      if (row.is !== 'reply' || row.prompt !== user.id) return [];
      return [...partsOf(row.id).flatMap(stepsOf), ...errorStep(row)];
    });
    const turn = { prompt: texts.join('\n'), images: 0, steps, atMs: user.atMs };
    return texts.length === 0 && steps.length === 0 ? [] : [turn];
  });
}

function stepsOf(part: Part): Step[] {
  switch (part.is) {
    case 'text':
      return part.text === '' ? [] : [part];
    case 'thinking':
      return [part];
    case 'compacted':
      return [{ is: 'note', text: 'the conversation was compacted' }];
    case 'tool': {
      const { call: id, tool: name, input, result } = part;
      return [{ is: 'call', id, name, input, result: result === null ? null : { id, images: 0, ...result } }];
    }
  }
}

function errorStep({ error }: Extract<Row, { is: 'reply' }>): Step[] {
  if (error === null) return [];
  return [{ is: 'note', text: isAborted(error) ? 'interrupted' : errorText(error) }];
}
