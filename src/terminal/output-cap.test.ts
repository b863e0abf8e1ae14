import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OutputFiles, outputDropped, readBytes } from './output.ts';
import { keepWithin } from './output-cap.ts';

const KB = 1024;
let folder: string;
let files: OutputFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlast-cap-'));
  files = { output: join(folder, 'output'), dropped: join(folder, 'dropped') };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Numbered bytes, so that a reader can tell where it is. */
const numbered = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes / 8 }, (_, i) => String(i).padStart(7, '0').concat('\n')).join(''));

test('an output within its cap is left alone, also when it does not exist', async () => {
  expect(await keepWithin(files, 64 * KB)).toEqual({ droppedBytes: 0, problem: null });
  await writeFile(files.output, numbered(64 * KB));
  expect(await keepWithin(files, 64 * KB)).toEqual({ droppedBytes: 0, problem: null });
  await expect(readFile(files.dropped)).rejects.toThrow('ENOENT');
});

test('beyond the cap the oldest is freed down to three quarters, and offsets do not move', async () => {
  const all = numbered(256 * KB);
  await writeFile(files.output, all);
  expect(await keepWithin(files, 128 * KB)).toEqual({ droppedBytes: 160 * KB, problem: null });
  const after = await stat(files.output);
  expect(after.size).toBe(256 * KB);
  expect(after.blocks * 512).toBeLessThan(128 * KB);
  expect(await readFile(files.dropped, 'utf8')).toBe(`${160 * KB}\n`);
  const page = await readBytes(files, 0, 256 * KB);
  expect([page.from, page.end]).toEqual([160 * KB, 256 * KB]);
  expect(Buffer.from(page.bytes)).toEqual(all.subarray(160 * KB));
});

test('a writer that keeps appending is not disturbed, and freeing can be repeated', async () => {
  const all = numbered(512 * KB);
  await writeFile(files.output, '');
  for (let from = 0; from < all.length; from += 10_000) {
    await appendFile(files.output, all.subarray(from, from + 10_000));
    expect((await keepWithin(files, 64 * KB)).problem).toBeNull();
    const page = await readBytes(files, 0, 512 * KB);
    expect(page.bytes.length).toBeLessThanOrEqual(64 * KB);
    expect(Buffer.from(page.bytes)).toEqual(all.subarray(page.from, page.end));
  }
  expect((await stat(files.output)).blocks * 512).toBeLessThan(80 * KB);
});

test('a reader never sees the freed bytes as zeros, however the two interleave', async () => {
  await writeFile(files.output, '');
  let isDone = false;
  let pagesWithZeros = 0;
  const writer = async (): Promise<void> => {
    for (let i = 0; i < 40; i += 1) {
      await appendFile(files.output, Buffer.alloc(40 * KB, 'x'));
      await keepWithin(files, 64 * KB);
    }
    isDone = true;
  };
  const reader = async (): Promise<void> => {
    while (!isDone) if ((await readBytes(files, 0, 512 * KB)).bytes.includes(0)) pagesWithZeros += 1;
  };
  await Promise.all([writer(), reader(), reader()]);
  expect(pagesWithZeros).toBe(0);
});

test('without fallocate the problem is reported and not thrown, and the count is still kept', async () => {
  vi.stubEnv('PATH', folder);
  await writeFile(files.output, numbered(256 * KB));
  const kept = await keepWithin(files, 128 * KB);
  expect(kept.droppedBytes).toBe(160 * KB);
  expect(kept.problem).toContain('not installed');
  expect(kept.problem).toContain(files.output);
  expect(await outputDropped(files)).toBe(160 * KB);
});

test('on a file system without holes its own error text is passed on', async () => {
  await writeFile(
    join(folder, 'fallocate'),
    '#!/bin/sh\necho "fallocate failed: Operation not supported" >&2\nexit 1\n',
  );
  await chmod(join(folder, 'fallocate'), 0o700);
  vi.stubEnv('PATH', folder);
  await writeFile(files.output, numbered(256 * KB));
  expect((await keepWithin(files, 128 * KB)).problem).toContain('Operation not supported');
});

test('bytes that could not be freed once are freed the next time', async () => {
  await writeFile(files.output, numbered(256 * KB));
  vi.stubEnv('PATH', folder);
  await keepWithin(files, 128 * KB);
  vi.unstubAllEnvs();
  await appendFile(files.output, numbered(64 * KB));
  expect((await keepWithin(files, 128 * KB)).problem).toBeNull();
  expect((await stat(files.output)).blocks * 512).toBeLessThan(128 * KB);
});

test('when the count cannot be written nothing is freed, because a hole would look like output', async () => {
  await writeFile(files.output, numbered(256 * KB));
  await mkdir(`${files.dropped}.new`);
  const kept = await keepWithin(files, 128 * KB);
  expect(kept).toEqual({ droppedBytes: 0, problem: `cannot write ${files.dropped}: it is a folder (EISDIR)` });
  expect(await readFile(files.output)).toEqual(numbered(256 * KB));
});

test('messages that were not read yet are not freed, however large the output is', async () => {
  const reading = { ...files, server: join(folder, 'server') };
  await writeFile(files.output, numbered(256 * KB));
  expect(await keepWithin(reading, 128 * KB)).toEqual({ droppedBytes: 0, problem: null });
  await writeFile(reading.server, JSON.stringify({ atBytes: 50 * KB, state: {} }));
  expect(await keepWithin(reading, 128 * KB)).toEqual({ droppedBytes: 48 * KB, problem: null });
  await writeFile(reading.server, JSON.stringify({ atBytes: Number.MAX_SAFE_INTEGER, state: {} }));
  expect(await keepWithin(reading, 128 * KB)).toEqual({ droppedBytes: 160 * KB, problem: null });
});
