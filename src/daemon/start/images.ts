import { createHash } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { makeFolder, syncFolder } from '../../base/files.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Image, ImageType } from '../../core/image.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';

/** An image that a caller named, read. */
export interface ReadImage {
  readonly name: string;
  readonly type: ImageType;
  readonly content: Buffer;
}

const MB = 1024 * 1024;

/** Reads the images that a caller named, or says which of them cannot be sent and why. */
export async function readImages(paths: readonly string[]): Promise<readonly ReadImage[]> {
  const { imagesMax, imagesBytesMax } = LIMITS;
  if (paths.length > imagesMax) throw invalid(`a prompt has at most ${imagesMax} images, found ${paths.length}`);
  const images: ReadImage[] = [];
  let bytes = 0;
  for (const path of paths) {
    const image = await readImage(path);
    bytes += image.content.length;
    if (bytes > imagesBytesMax)
      throw invalid(
        `the images of a prompt have at most ${imagesBytesMax / MB} MB together; send fewer or smaller ones`,
      );
    images.push(image);
  }
  return images;
}

/** Copies images into the folder of a session, durably. The same content is there once. */
export function storeImages(state: string, session: string, images: readonly ReadImage[]): readonly Image[] {
  if (images.length === 0) return [];
  const folder = join(sessionFolder(state, session), FOLDER);
  makeFolder(folder);
  const stored = images.map((image) => store(folder, image));
  syncFolder(folder);
  syncFolder(sessionFolder(state, session));
  return stored;
}

const FOLDER = 'images';

async function readImage(path: string): Promise<ReadImage> {
  if (!isAbsolute(path)) throw invalid(`the path of the image "${path}" is not absolute`);
  const file = await opened(path);
  try {
    const content = await contentOf(path, file);
    const type = typeOf(content);
    if (type === null) throw invalid(`${path} is not an image format that agents accept: use PNG, JPEG, GIF or WebP`);
    return { name: basename(path), type, content };
  } catch (cause) {
    throw cause instanceof OutlastError ? cause : unreadable(path, cause);
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    // A FIFO would be waited for.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function contentOf(path: string, file: FileHandle): Promise<Buffer> {
  const { imageBytesMax } = LIMITS;
  const stat = await file.stat();
  if (stat.isDirectory()) throw invalid(`${path} is a folder; name the images in it`);
  if (!stat.isFile()) throw invalid(`${path} is not a file`);
  const tooLarge = `${path} has more than ${imageBytesMax / MB} MB; make the image smaller`;
  if (stat.size > imageBytesMax) throw invalid(tooLarge);
  const content = Buffer.alloc(stat.size + 1);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(content, bytes, content.length - bytes, bytes);
    bytes += bytesRead;
    if (bytesRead === 0) return content.subarray(0, bytes);
    if (bytes > stat.size) throw invalid(`${path} grew while it was read; send it when it is complete`);
  }
}

/** The type of an image, by its first bytes: its name may be wrong. */
function typeOf(content: Buffer): ImageType | null {
  const first = content.toString('latin1', 0, 16);
  if (first.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (first.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(first)) return 'image/gif';
  return /^RIFF[\s\S]{4}WEBP/.test(first) ? 'image/webp' : null;
}

const ENDINGS: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

function store(folder: string, { name, type, content }: ReadImage): Image {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = `${sha256}.${ENDINGS[type]}`;
  const path = join(folder, file);
  const copy = openSync(`${path}.tmp`, 'w', 0o600);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(copy, content, at);
    fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
  renameSync(`${path}.tmp`, path);
  return { name, type, bytes: content.length, sha256, path: `${FOLDER}/${file}` };
}

function unreadable(path: string, cause: unknown): OutlastError {
  const why = errnoOf(cause) === 'ENOENT' ? 'there is no such file' : errnoOf(cause) || String(cause);
  return new OutlastError('input_invalid', `cannot read the image ${path}: ${why}`, { cause });
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
