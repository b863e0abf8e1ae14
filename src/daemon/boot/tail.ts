import { closeSync, openSync, readSync } from 'node:fs';
import type { Conversations, Judged } from '../../agent/seam/conversations.ts';
import { errnoOf } from '../../base/errors.ts';
import { letOthers } from '../../base/others.ts';

/** Ever more of the end is read until it tells something. */
const BLOCK_BYTES = [128 * 1024, 1024 * 1024, 8 * 1024 * 1024, 64 * 1024 * 1024];
/** So much of a long end is read, or gone through, before others have their turn. */
export const PIECE_BYTES = 1024 * 1024;
/** The beginning of a line tells what kind of line it is. */
const HEAD_BYTES = 200;
const LINE_FEED = 10;
const TIMESTAMP = /"timestamp":\s*(?:"(\d{4}-[^"]{6,40})"|(\d{13})\b)/g;

/** For the first two, which nearly always do: nobody else has a turn while one of them is read and gone through. */
const shared = Buffer.allocUnsafeSlow(PIECE_BYTES);

/**
 * Judges a conversation by the end of its file. Costs the same for a large file as for a small one; where the end is
 * long all the same, others have their turn after each piece of it.
 */
export async function judgeFile(path: string, sizeBytes: number, conversations: Conversations): Promise<Judged> {
  if (sizeBytes === 0) return { is: 'unreadable', why: 'its file is empty', skipped: 0 };
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    return { is: 'unreadable', why: `it cannot be read: ${errnoOf(error)}`, skipped: 0 };
  }
  try {
    for (const bytesMax of BLOCK_BYTES) {
      const length = Math.min(sizeBytes, bytesMax);
      const bytes = length <= shared.length ? endOf(file, sizeBytes, length) : await longEndOf(file, sizeBytes, length);
      const judged = await inPieces(judgeEnd(bytes, bytes.length === sizeBytes, conversations));
      if (judged !== null) return judged;
    }
    const megabytes = Math.round((BLOCK_BYTES.at(-1) ?? 0) / 2 ** 20);
    return { is: 'unreadable', why: `its last ${megabytes} MB hold no message`, skipped: 0 };
  } catch (error) {
    return { is: 'unreadable', why: `it cannot be read: ${errnoOf(error)}`, skipped: 0 };
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

/** What is over without a pause is done at once, before anybody else has a turn. */
async function inPieces<T>(steps: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await letOthers();
  }
}

/** Goes back line by line, and asks after the 1st, the 2nd, the 4th, … that may tell something. */
function* judgeEnd(bytes: Buffer, isAll: boolean, conversations: Conversations): Generator<void, Judged | null, void> {
  const torn = bytes.toString('utf8', bytes.lastIndexOf(LINE_FEED) + 1);
  const lines: string[] = [];
  let end = bytes.lastIndexOf(LINE_FEED);
  // Without a line feed there is no whole line: all of it may still be on its way.
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

/** A zeroed block in a line may have been lines of its own. */
function isNoise(line: Buffer, conversations: Conversations): boolean {
  return conversations.isNoise(line.toString('latin1', 0, HEAD_BYTES)) && !line.includes(0);
}

/** The newest time that a record names. Inside of what somebody said, quotes are escaped. */
function newestIn(lines: readonly string[]): number | null {
  const times = lines.flatMap((line) => [...line.matchAll(TIMESTAMP)].map(([, iso, ms]) => timeOf(iso, ms)));
  return times.reduce((newest: number | null, ms) => (Number.isNaN(ms) ? newest : Math.max(newest ?? ms, ms)), null);
}

function timeOf(iso: string | undefined, ms: string | undefined): number {
  return iso === undefined ? Number(ms) : Date.parse(iso);
}
