// Files that were sent in pieces, in the folder of their session: `files/KEY.part` while pieces are missing, then
// `files/KEY/NAME`. They are removed with the session.
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { UPLOAD_LIMITS } from '../../api/upload-limits.ts';
import { OutlastError } from '../../base/errors.ts';
import { makeFolder, syncFolder } from '../../base/files.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';

/** A piece of a file. */
export interface Piece {
  /** All pieces of the file have it. */
  readonly key: string;
  /** As the caller says; it has no folder in it. */
  readonly name: string;
  /** Of the whole file. */
  readonly bytes: number;
  readonly offset: number;
  readonly content: Buffer;
}

const FOLDER = 'files';
const MB = 1024 * 1024;

/** Stores a piece durably. When it was the last, the path is that of the file. */
export function storePiece(
  state: string,
  session: string,
  piece: Piece,
): { readonly receivedBytes: number; readonly path: string | null } {
  const { bytes, offset, content } = piece;
  const folder = join(sessionFolder(state, session), FOLDER);
  const target = join(folder, piece.key);
  const path = join(target, safeName(piece.name));
  if (offset + content.length > bytes)
    throw invalid(
      `the piece ends at byte ${offset + content.length}, and the file has ${bytes}; correct bytes or offset`,
    );
  // The last piece again: its answer was lost.
  const whole = sizeOf(path);
  if (whole === bytes) return { receivedBytes: bytes, path };
  if (sizeOf(target) !== null) throw invalid(`key: ${piece.key} is already another file; choose a new key`);
  refuseOverfull(folder, piece);
  makeFolder(folder);
  const part = `${target}.part`;
  const receivedBytes = append(part, piece);
  if (receivedBytes < bytes) return { receivedBytes, path: null };
  makeFolder(target);
  renameSync(part, path);
  for (const each of [target, folder, sessionFolder(state, session)]) syncFolder(each);
  return { receivedBytes, path };
}

/** Writes a piece where it belongs, and returns how much of the file is there. */
function append(part: string, { offset, content, bytes }: Piece): number {
  const received = offset === 0 ? 0 : (sizeOf(part) ?? 0);
  if (offset > received) throw invalid(`offset: ${received} bytes of the file are here; continue there`);
  const file = openSync(part, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    if (offset === 0) ftruncateSync(file);
    for (let at = 0; at < content.length; ) at += writeSync(file, content, at, content.length - at, offset + at);
    const now = Math.max(received, offset + content.length);
    if (now === bytes) fsyncSync(file);
    return now;
  } finally {
    closeSync(file);
  }
}

/** Refuses the first piece of a file for which the session has no room. */
function refuseOverfull(folder: string, { offset, bytes, key }: Piece): void {
  if (offset > 0) return;
  const { sessionBytesMax } = UPLOAD_LIMITS;
  const others = namesIn(folder).filter((name) => name !== `${key}.part`);
  if (others.reduce((sum, name) => sum + sizeBelow(join(folder, name)), bytes) > sessionBytesMax)
    throw invalid(`the files of one session have at most ${sessionBytesMax / MB} MB together; start another session`);
}

function sizeBelow(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

function namesIn(folder: string): string[] {
  return sizeOf(folder) === null ? [] : readdirSync(folder);
}

/** The size of what is there; null: nothing. */
function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/** A name that needs no quotes in a prompt and hides nothing. Its end is kept: the extension is there. */
function safeName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
  // 60 characters have at most 240 bytes; a file system allows 255.
  return [...plain].slice(-60).join('') || 'file';
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
