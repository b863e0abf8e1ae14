import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk';

/** An image that an editor sent. */
export interface SentImage {
  readonly content: Buffer;
  readonly sha256: string;
}

/** The images in a prompt. */
export function imagesOf(blocks: readonly ContentBlock[]): readonly SentImage[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'image') return [];
    const content = Buffer.from(block.data, 'base64');
    return [{ content, sha256: createHash('sha256').update(content).digest('hex') }];
  });
}

/** Puts images into files for as long as the work takes: the daemon copies files. */
export async function withFiles<T>(images: readonly SentImage[], work: (paths: string[]) => Promise<T>): Promise<T> {
  if (images.length === 0) return work([]);
  const folder = mkdtempSync(join(tmpdir(), 'outlast-acp-'));
  try {
    const paths = images.map((_, i) => join(folder, `image-${i + 1}`));
    for (const [i, { content }] of images.entries()) writeFileSync(paths[i] ?? '', content, { mode: 0o600 });
    return await work(paths);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Are these the images in the event of a prompt? */
export function isSameImages(images: readonly SentImage[], stored: unknown): boolean {
  const hashes = Array.isArray(stored) ? stored.map((each: { sha256?: unknown }) => each.sha256) : [];
  return hashes.length === images.length && images.every(({ sha256 }, i) => sha256 === hashes[i]);
}
