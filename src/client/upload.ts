import type { Calls } from './calls.ts';

/** A file to put into the folder of a session. */
export interface UploadInput {
  readonly name: string;
  readonly content: Uint8Array | Blob;
  /** Says how many bytes have arrived, after each piece. */
  readonly progress?: (bytes: number) => void;
}

/** Below the limits of a piece and of a request: base64 makes a third more of it. */
const PIECE_BYTES = 3 * 1024 * 1024;

/** Sends a file piece by piece, and returns its path on the machine of the daemon. */
export async function upload(
  calls: Pick<Calls, 'call'>,
  { session, name, content, progress }: UploadInput & { readonly session: string },
  signal?: AbortSignal,
): Promise<string> {
  const key = crypto.randomUUID();
  const bytes = content instanceof Blob ? content.size : content.length;
  for (let offset = 0; ; ) {
    const base64 = base64Of(await pieceOf(content, offset));
    const { receivedBytes, path } = await calls.call(
      'session.upload',
      { session, key, name, bytes, offset, base64 },
      signal,
    );
    progress?.(receivedBytes);
    if (path !== null) return path;
    offset = receivedBytes;
  }
}

async function pieceOf(content: Uint8Array | Blob, offset: number): Promise<Uint8Array> {
  const piece = content.slice(offset, offset + PIECE_BYTES);
  return piece instanceof Uint8Array ? piece : new Uint8Array(await piece.arrayBuffer());
}

/** Without Buffer, which browsers lack. More arguments at once than this overflow the stack. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
