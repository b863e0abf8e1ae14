import type { CallOutput } from '../../api/contract.ts';
import { type Given, type Outlast, OutlastError } from '../../client/index.ts';

const PIECE_BYTES = 512 * 1024;

/** An argument, or all of standard input when it is a dash. */
export async function readArgument(word: string): Promise<string> {
  return word === '-' ? (await readStdin()).toString('utf8') : word;
}

/** All of standard input. */
export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Writes; bytes that are too many for one call, or for a slow reader, go in several, the rest of the input with the
 * last.
 */
export async function writeInPieces(
  outlast: Outlast,
  input: Given<'session.write'>,
): Promise<CallOutput<'session.write'>> {
  const raw = Buffer.from(input.base64 ?? '', 'base64');
  for (let at = 0; ; ) {
    const piece = raw.subarray(at, at + PIECE_BYTES);
    const isLast = at + piece.length === raw.length;
    const base64 = piece.length > 0 ? { base64: piece.toString('base64') } : {};
    const rest = isLast ? { ...input, ...base64 } : { session: input.session, ...base64 };
    const { bytes, pendingBytes, refusedBytes = 0 } = await telling(at, raw.length, outlast.write(rest));
    const isRawSent = refusedBytes === 0 || bytes >= piece.length;
    if (isLast && isRawSent && refusedBytes > 0) throw unread(at + bytes, refusedBytes);
    if (isLast && isRawSent) return { bytes: at + bytes, pendingBytes };
    at += isRawSent ? piece.length : bytes;
  }
}

function unread(bytes: number, refusedBytes: number): OutlastError {
  return new OutlastError(
    'input_full',
    `${bytes} bytes were written, ${refusedBytes} were not: the command does not read its input`,
  );
}

/** A write that was refused half way reports how far it got: a repetition would write that part twice. */
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
