import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.ts';
import { readImages, storeImages } from '../../src/daemon/start/images.ts';
import { randomPng } from '../png.ts';

const root = mkdtempSync(join(tmpdir(), 'ol-images-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function file(name: string, content: Buffer | string): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

test('an image is known by its first bytes, and is stored once under its hash, for this user only', async () => {
  const png = randomPng();
  const paths = [
    file('shot', png),
    file('again.txt', png),
    file('photo', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])),
    file('moves', 'GIF89a and more'),
    file('web', 'RIFF\0\0\0\0WEBPVP8 '),
  ];
  const images = storeImages(root, 's1', await readImages(paths));
  expect(images.map(({ name, type }) => [name, type])).toEqual([
    ['shot', 'image/png'],
    ['again.txt', 'image/png'],
    ['photo', 'image/jpeg'],
    ['moves', 'image/gif'],
    ['web', 'image/webp'],
  ]);
  const [first] = images;
  const sha256 = createHash('sha256').update(png).digest('hex');
  expect(first).toMatchObject({ bytes: png.length, sha256, path: `images/${sha256}.png` });
  const folder = join(root, 'sessions/s1');
  const stored = join(folder, first?.path ?? '');
  expect(readFileSync(stored).equals(png)).toBe(true);
  expect(statSync(stored).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'images'))).toHaveLength(4);
});

test('what cannot be sent is refused with what to do', async () => {
  mkdirSync(join(root, 'folder'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  const large = Buffer.concat([randomPng(), Buffer.alloc(LIMITS.imageBytesMax)]);
  const parts = ['a', 'b', 'c'].map((name) => file(name, Buffer.concat([randomPng(), Buffer.alloc(18 * 1024 * 1024)])));
  for (const [paths, why] of [
    [['shot.png'], 'is not absolute'],
    [[join(root, 'nothing.png')], 'there is no such file'],
    [[join(root, 'folder')], 'is a folder'],
    [[join(root, 'fifo')], 'is not a file'],
    [[file('notes.png', 'no picture')], 'use PNG, JPEG, GIF or WebP'],
    [[file('empty.png', '')], 'use PNG, JPEG, GIF or WebP'],
    [[file('large.png', large)], 'more than 20 MB'],
    [parts, 'at most 50 MB together'],
    [Array<string>(11).fill(file('one.png', randomPng())), 'at most 10 images, found 11'],
  ] as const)
    await expect(readImages(paths), why).rejects.toMatchObject({
      code: 'input_invalid',
      message: expect.stringContaining(why),
    });
});
