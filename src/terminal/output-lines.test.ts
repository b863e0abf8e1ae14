import { appendFile, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OutputFiles, readText } from './output.ts';
import { readLines, tailLines } from './output-lines.ts';

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
  expect(await readLines(files, { offset: 0, limit: 10 })).toMatchObject({ lines: [], total: 0 });
  expect(await tailLines(files, 10)).toMatchObject({ lines: [] });
});

test('a newline at the end is no line of its own, and a line without one counts', async () => {
  await writeFile(files.output, 'a\n\nb\n');
  expect(await readLines(files, { offset: 0, limit: 10 })).toMatchObject({ lines: ['a', '', 'b'], total: 3 });
  await appendFile(files.output, 'c');
  expect(await readLines(files, { offset: 2, limit: 10 })).toMatchObject({ lines: ['b', 'c'], total: 4 });
  expect((await tailLines(files, 2)).lines).toEqual(['b', 'c']);
});

test('pages of lines give every line exactly once, and the tail gives the last of them', async () => {
  const line = fc.stringMatching(/^[a-z ]{0,9}$/);
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 7 }), async (all, limit) => {
      await writeFile(files.output, all.map((words) => `\x1b[1m${words}\x1b[m\r\n`).join(''));
      const seen: string[] = [];
      for (let offset = 0; ; offset += limit) {
        const page = await readLines(files, { offset, limit });
        expect(page.total).toBe(all.length);
        seen.push(...page.lines);
        if (seen.length >= page.total) break;
      }
      expect(seen).toEqual(all);
      expect((await tailLines(files, limit)).lines).toEqual(all.slice(-limit));
    }),
  );
});

test('lines are counted from the first that is retained', async () => {
  await writeFile(files.output, 'gone\nkept 0\nkept 1\n');
  await writeFile(files.dropped, '5\n');
  expect(await readLines(files, { offset: 1, limit: 1 })).toMatchObject({
    lines: ['kept 1'],
    total: 2,
    droppedBytes: 5,
    from: 5,
  });
  expect((await tailLines(files, 10)).lines).toEqual(['kept 0', 'kept 1']);
});

test('lines that cross the chunks of reading are whole', async () => {
  const all = Array.from({ length: 60_000 }, (_, i) => `line ${i} – ünïcode`);
  await writeFile(files.output, `${all.join('\n')}\n`);
  const seen: string[] = [];
  while (seen.length < all.length) seen.push(...(await readLines(files, { offset: seen.length, limit: 1e9 })).lines);
  expect(seen).toEqual(all);
  expect((await tailLines(files, 20_000)).lines).toEqual(all.slice(-20_000));
});

test('a line of 100 MB is cut, and does not end up in memory', { timeout: 60_000 }, async () => {
  {
    await using file = await open(files.output, 'w');
    for (let i = 0; i < 100; i += 1) await file.write(Buffer.alloc(MB, 'x'));
    await file.write('\nnext\n');
  }
  const before = process.memoryUsage.rss();
  const page = await readLines(files, { offset: 0, limit: 10 });
  expect(process.memoryUsage.rss() - before).toBeLessThan(80 * MB);
  expect(page).toMatchObject({ lines: ['x'.repeat(65_536) + CUT, 'next'], total: 2 });
});

test('a cut does not leave half a character', async () => {
  await writeFile(files.output, `x${'🙂'.repeat(40_000)}\n`);
  const [line] = (await readLines(files, { offset: 0, limit: 1 })).lines;
  expect(line?.isWellFormed()).toBe(true);
  expect(line?.endsWith(`🙂${CUT}`)).toBe(true);
});

test('an answer is bounded however many lines are asked for, says so, and the text goes on at its end', async () => {
  await writeFile(files.output, `${'y'.repeat(60_000)}\n`.repeat(40));
  const page = await readLines(files, { offset: 0, limit: 1000 });
  expect(page).toMatchObject({ more: true, total: 40 });
  expect(page.lines.join('').length).toBeLessThan(1.1 * MB);
  const rest = await readText(files, { offset: page.next, bytesMax: 10 * MB, ended: true });
  expect(page.lines.map((line) => `${line}\n`).join('') + page.begun + rest.text).toBe(
    `${'y'.repeat(60_000)}\n`.repeat(40),
  );
  expect(await readLines(files, { offset: 0, limit: 12 })).toMatchObject({ more: false, begun: '' });
  const tail = await tailLines(files, 1000);
  expect([tail.lines.length, tail.more]).toEqual([18, true]);
  expect((await tailLines(files, 10)).more).toBe(false);
  await writeFile(files.output, 'a\nb\n');
  expect((await tailLines(files, 1000)).more).toBe(false);
});

test('where an answer is cut, no character, sequence or carriage return is lost or doubled', async () => {
  for (const [unit, text] of [
    ['é–🙂\r\n', 'é–🙂\n'],
    ['\x1b[1;31mred\x1b[0m\n', 'red\n'],
    ['10%\r', '10%\n'],
  ] as const) {
    for (const shift of ['', 'x', 'xx', 'xxx']) {
      await writeFile(files.output, `${shift}${unit.repeat(300_000)}end`);
      const page = await readLines(files, { offset: 0, limit: 1e9 });
      expect(page.more).toBe(true);
      const rest = await readText(files, { offset: page.next, bytesMax: 100 * MB, ended: true });
      const all = page.lines.map((line) => `${line}\n`).join('') + page.begun + rest.text;
      expect(all === `${shift}${text.repeat(300_000)}end`).toBe(true);
    }
  }
});

test('lines of any length are bounded, and where one is cut is marked', async () => {
  await writeFile(files.output, `${'w'.repeat(256 * 1024 - 1)}\n`.repeat(64) + 'w'.repeat(200_000));
  const page = await readLines(files, { offset: 0, limit: 1000 });
  expect(page.lines.join('').length).toBeLessThan(1.1 * MB);
  expect(page.lines.every((line) => line.endsWith(CUT))).toBe(true);
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
