import { LIMITS } from '../../base/limits.ts';
import { matcher } from '../../base/pattern.ts';
import { type OutputFiles, readBytes, readText } from '../../terminal/output.ts';

/** A match, and the offset after it. */
export interface Found {
  readonly match: string;
  readonly cursor: number;
}

export interface Searched {
  readonly found: Found | null;
  /** How far the output was read. */
  readonly seenBytes: number;
}

/** A match that is split between two reads is found if it is not longer than this. */
const OVERLAP_CHARS = 4_096;
/** Replaces the part of a line that is no longer searched, so that `^` does not match in the middle of the line. */
const CUT = '\uFFFF';

/** Searches growing output for a text, from an offset on. Each call continues where the last one ended. */
export function textSearch(source: string, files: OutputFiles, since: number): (ended: boolean) => Promise<Searched> {
  const matchOf = matcher(source);
  let from = since;
  let before: string | null = null;
  return async (ended) => {
    before ??= (await isMidLine(files, since)) ? CUT : '';
    for (;;) {
      const page = await readText(files, { offset: from, bytesMax: LIMITS.readBytesMax, ended });
      const text: string = before + page.text;
      const match = matchOf(text);
      if (match !== null) {
        const known = before;
        const isIn = (piece: string): boolean => matchOf(known + piece) !== null;
        const cursor = await behind(files, { from, next: page.next, isIn });
        return { found: { match: match.replaceAll(CUT, '').slice(0, OVERLAP_CHARS), cursor }, seenBytes: cursor };
      }
      if (page.next === from) return { found: null, seenBytes: page.end };
      from = page.next;
      before = tailOf(text);
    }
  };
}

/** The offset after the shortest piece that contains the match: the rest is for the next search. */
async function behind(
  files: OutputFiles,
  piece: { from: number; next: number; isIn: (text: string) => boolean },
): Promise<number> {
  const { from, isIn } = piece;
  let [without, within] = [0, piece.next - from];
  while (within - without > 1) {
    const bytesMax = Math.floor((without + within) / 2);
    const page = await readText(files, { offset: from, bytesMax, ended: false });
    if (isIn(page.text)) within = bytesMax;
    else without = bytesMax;
  }
  return from + within;
}

function tailOf(text: string): string {
  const tail = text.slice(-OVERLAP_CHARS);
  const isCut = text.length > tail.length && text.at(-OVERLAP_CHARS - 1) !== '\n';
  return isCut ? CUT + tail : tail;
}

async function isMidLine(files: OutputFiles, offset: number): Promise<boolean> {
  if (offset === 0) return false;
  const { bytes, from } = await readBytes(files, offset - 1, 1);
  return from === offset - 1 && bytes.length === 1 && bytes[0] !== 0x0a;
}
