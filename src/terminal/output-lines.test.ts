import { appendFile, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutputFiles } from './output.ts';
import { tailLines } from './output-lines.ts';

const MB = 1024 * 1024;
const CUT = '…[line cut]';
let folder: string;
let files: OutputFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlast-lines-'));
  files = { output: join(folder, 'output'), dropped: join(folder, 'dropped') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('an output that does not exist has no lines', async () => {
  expect(await tailLines(files, 10)).toMatchObject({ lines: [] });
});

test('a newline at the end is no line of its own, and a line without one counts', async () => {
  await writeFile(files.output, 'a\n\nb\n');
  await appendFile(files.output, 'c');
  expect((await tailLines(files, 2)).lines).toEqual(['b', 'c']);
});

test('the tail is of what is retained', async () => {
  await writeFile(files.output, 'gone\nkept 0\nkept 1\n');
  await writeFile(files.dropped, '5\n');
  expect((await tailLines(files, 10)).lines).toEqual(['kept 0', 'kept 1']);
});

test('lines that cross the chunks of reading are whole', async () => {
  const all = Array.from({ length: 60_000 }, (_, i) => `line ${i} – ünïcode`);
  await writeFile(files.output, `${all.join('\n')}\n`);
  expect((await tailLines(files, 20_000)).lines).toEqual(all.slice(-20_000));
});

test('a line that is too long is cut, but not inside a character', async () => {
  await writeFile(files.output, `x${'🙂'.repeat(40_000)}\n`);
  const [line] = (await tailLines(files, 1)).lines;
  expect(line?.isWellFormed()).toBe(true);
  expect(line?.endsWith(`🙂${CUT}`)).toBe(true);
});

test('however many lines are asked for, as many as fit into an answer are given', async () => {
  await writeFile(files.output, `${'y'.repeat(60_000)}\n`.repeat(40));
  expect((await tailLines(files, 1000)).lines.length).toBe(18);
});

test('the tail of a large output does not read all of it', async () => {
  {
    // A hole reads as NUL bytes; reading 4 GB of them would take seconds.
    await using file = await open(files.output, 'w');
    await file.write('\nlast but one\nlast\n', 4 * 1024 * MB);
  }
  const page = await tailLines(files, 2);
  expect(page.lines).toEqual(['last but one', 'last']);
  expect(page.end - page.from).toBe(64 * 1024);
  const more = await tailLines(files, 3);
  expect(more.end - more.from).toBe(8 * MB);
  expect(more.lines).toEqual(['last but one', 'last']);
});

test('the tail of one endless line is its end, marked as cut', async () => {
  await writeFile(files.output, 'z'.repeat(9 * MB));
  expect((await tailLines(files, 5)).lines).toEqual([`${CUT}${'z'.repeat(65_536)}${CUT}`]);
});
