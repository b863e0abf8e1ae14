import { closeSync, openSync, readSync } from 'node:fs';
import type { Conversations, Judged } from '../../agent/seam/conversations.ts';
import { letOthers } from '../../base/others.ts';
import { causeText } from '../../base/system-errors.ts';

/** More and more of the end is read until it is enough for a verdict. */
const BLOCK_BYTES = [128 * 1024, 1024 * 1024, 8 * 1024 * 1024, 64 * 1024 * 1024];
/** How much of a long end is read or searched before other work may run. */
export const PIECE_BYTES = 1024 * 1024;
/** The beginning of a line shows its kind. */
const HEAD_BYTES = 200;
const LINE_FEED = 10;
const TIMESTAMP = /"timestamp":\s*(?:"(\d{4}-[^"]{6,40})"|(\d{13})\b)/g;

/** For the first two sizes, which are nearly always enough: no other work runs while one of them is in use. */
const shared = Buffer.allocUnsafeSlow(PIECE_BYTES);

/**
 * Judges a conversation by the end of its file. The cost does not depend on the size of the file; if the end itself is
 * long, other work may run after each piece of it.
 */
export async function judgeFile(path: string, sizeBytes: number, conversations: Conversations): Promise<Judged> {
  if (sizeBytes === 0) return { is: 'unreadable', why: 'its file is empty', skipped: 0 };
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    return { is: 'unreadable', why: `it cannot be read: ${causeText(error)}`, skipped: 0 };
  }
  try {
    for (const bytesMax of BLOCK_BYTES) {
      const length = Math.min(sizeBytes, bytesMax);
      const bytes = length <= shared.length ? endOf(file, sizeBytes, length) : await longEndOf(file, sizeBytes, length);
      const judged = await inPieces(judgeEnd(bytes, bytes.length === sizeBytes, conversations));
      if (judged !== null) return judged;
    }
    const megabytes = Math.round((BLOCK_BYTES.at(-1) ?? 0) / 2 ** 20);
    return { is: 'unreadable', why: `its last ${megabytes} MB contain no message`, skipped: 0 };
  } catch (error) {
    return { is: 'unreadable', why: `it cannot be read: ${causeText(error)}`, skipped: 0 };
  } finally {
    closeSync(file);
  }
}

function endOf(file: number, sizeBytes: number, length: number): Buffer {
  return shared.subarray(0, readSync(file, shared, 0, length, sizeBytes - length));
}

async function longEndOf(file: number, sizeBytes: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const read = readSync(file, bytes, at, Math.min(PIECE_BYTES, length - at), sizeBytes - length + at);
    if (read === 0) return bytes.subarray(0, at);
    at += read;
    await letOthers();
  }
  return bytes;
}

/** Runs a generator and yields at its pauses. Without a pause it finishes synchronously. */
async function inPieces<T>(steps: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await letOthers();
  }
}

/** Goes back line by line, and judges after the 1st, 2nd, 4th, … relevant line. */
function* judgeEnd(bytes: Buffer, isAll: boolean, conversations: Conversations): Generator<void, Judged | null, void> {
  const torn = bytes.toString('utf8', bytes.lastIndexOf(LINE_FEED) + 1);
  const lines: string[] = [];
  let end = bytes.lastIndexOf(LINE_FEED);
  // Without a line feed there is no complete line: it may still be being written.
  if (end < 0 && !isAll) return null;
  let pausedAt = bytes.length;
  for (let ask = 1; end >= 0; ) {
    if (pausedAt - end > PIECE_BYTES) {
      pausedAt = end;
      yield;
    }
    const feed = end === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, end - 1);
    if (feed < 0 && !isAll) return null;
    const start = feed + 1;
    if (!isNoise(bytes.subarray(start, end), conversations)) {
      lines.push(bytes.toString('utf8', start, end));
      const judged = lines.length === ask ? judge(lines, torn, false, conversations) : null;
      if (judged !== null) return judged;
      if (lines.length === ask) ask *= 2;
    }
    end = feed;
  }
  return isAll ? judge(lines, torn, true, conversations) : null;
}

function judge(newestFirst: readonly string[], torn: string, isWhole: boolean, by: Conversations): Judged | null {
  const text = newestFirst.toReversed().map((line) => `${line}\n`);
  const judged = by.judge({ text: text.join('') + torn, isWhole });
  return judged === null ? null : { ...judged, saidAtMs: newestIn(text) };
}

/** True for a line without meaning. A zeroed block in a line may have been lines of its own. */
function isNoise(line: Buffer, conversations: Conversations): boolean {
  return conversations.isNoise(line.toString('latin1', 0, HEAD_BYTES)) && !line.includes(0);
}

/** The newest time in the records. Quotes inside a message text are escaped, so those do not match. */
function newestIn(lines: readonly string[]): number | null {
  const times = lines.flatMap((line) => [...line.matchAll(TIMESTAMP)].map(([, iso, ms]) => timeOf(iso, ms)));
  return times.reduce((newest: number | null, ms) => (Number.isNaN(ms) ? newest : Math.max(newest ?? ms, ms)), null);
}

function timeOf(iso: string | undefined, ms: string | undefined): number {
  return iso === undefined ? Number(ms) : Date.parse(iso);
}
