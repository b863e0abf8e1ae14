import type { CallOutput } from '../api/contract.ts';
import { type Given, type Outlast, OutlastError } from '../client/index.ts';

const PIECE_BYTES = 512 * 1024;

/** A word of the command line, or all of standard input when it is a dash. */
export async function readArgument(word: string): Promise<string> {
  return word === '-' ? (await readStdin()).toString('utf8') : word;
}

/** All of standard input. */
export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Writes; raw bytes that are too many for one call go in several, the end of input with the last. */
export async function writeInPieces(
  outlast: Outlast,
  input: Given<'session.write'>,
): Promise<CallOutput<'session.write'>> {
  const raw = Buffer.from(input.base64 ?? '', 'base64');
  let bytes = 0;
  for (let from = 0; from + PIECE_BYTES < raw.length; from += PIECE_BYTES) {
    const base64 = raw.subarray(from, from + PIECE_BYTES).toString('base64');
    bytes += (await telling(bytes, raw.length, outlast.write({ session: input.session, base64 }))).bytes;
  }
  const last = raw.subarray(Math.floor(Math.max(raw.length - 1, 0) / PIECE_BYTES) * PIECE_BYTES);
  const rest = last.length > 0 ? { ...input, base64: last.toString('base64') } : input;
  const sent = await telling(bytes, raw.length, outlast.write(rest));
  return { ...sent, bytes: bytes + sent.bytes };
}

/** A write that was refused half way says how far it came: doing it again would write that part twice. */
async function telling<T>(bytes: number, total: number, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (bytes === 0 || !(error instanceof OutlastError)) throw error;
    throw new OutlastError(error.code, `${bytes} of ${total} bytes were written, then: ${error.message}`, {
      cause: error,
    });
  }
}
