import { appendFile, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { printed } from '../testing/printed.ts';
import { LineIndex, newlinesIn } from './line-index.ts';
import type { OutputFiles } from './output.ts';
import { type NumberedPage, type PageStart, readPage } from './output-page.ts';
import { toText } from './text.ts';

const MB = 1024 * 1024;
const ENDED = { bytesMax: MB, ended: true };
let folder: string;
let files: OutputFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlast-page-'));
  files = { output: join(folder, 'output'), dropped: join(folder, 'dropped') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The ways to continue after a page, each with a size of its own. */
const step = fc.record({
  by: fc.constantFrom('byte', 'line', 'limited byte' as const),
  bytesMax: fc.integer({ min: 1, max: 40 }),
  linesMax: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const FIRST: Pick<NumberedPage, 'next' | 'lines' | 'text'> = {
  next: 0,
  lines: { offset: 0, next: 0, total: 0 },
  text: '\n',
};

/** In the middle of a line only a byte offset continues: the line number would begin it again. */
function startOf({ by }: Step, { text, lines, next }: typeof FIRST): PageStart {
  return by === 'line' && text.endsWith('\n') ? { line: lines.next } : { byte: next };
}

test('T-PAGE-1: pages of any kind, in any order, join to the whole text and report their place', async () => {
  await fc.assert(
    fc.asyncProperty(printed, fc.array(step, { minLength: 1, maxLength: 5 }), async (all, steps) => {
      await writeFile(files.output, all);
      const index = new LineIndex(16);
      const whole = toText(all);
      const total = newlinesIn(whole) + (whole === '' || whole.endsWith('\n') ? 0 : 1);
      let text = '';
      let before = FIRST;
      for (let i = 0; ; i += 1) {
        const how = steps[i % steps.length] as Step;
        const linesMax = how.by === 'byte' ? undefined : how.linesMax;
        const page = await readPage(files, index, { start: startOf(how, before), ...how, linesMax, ended: true });
        // A sequence without text at the start of a line may have been skipped with the previous line.
        expect(page.from).toBeLessThanOrEqual(before.next);
        expect(page.lines).toMatchObject({ offset: newlinesIn(text), total });
        text += page.text;
        expect(page.lines.next).toBe(page.more || whole.endsWith('\n') ? newlinesIn(text) : total);
        if (linesMax !== undefined) expect(newlinesIn(page.text)).toBeLessThanOrEqual(linesMax);
        expect(page.more).toBe(page.next < all.length);
        if (!page.more) break;
        expect(page.next).toBeGreaterThan(page.from);
        before = page;
      }
      expect(text).toBe(whole);
    }),
    { numRuns: 300 },
  );
});

test('T-PAGE-2: the last lines are the end of the text, and say which they are, with a total', async () => {
  await fc.assert(
    fc.asyncProperty(printed, fc.integer({ min: 0, max: 6 }), async (all, tail) => {
      await writeFile(files.output, all);
      const lines = toText(all).split(/(?<=\n)/);
      const total = lines[0] === '' ? 0 : lines.length;
      const page = await readPage(files, new LineIndex(16), { start: { tail }, ...ENDED });
      expect(page.text).toBe(tail === 0 ? '' : lines.slice(-tail).join(''));
      expect(page).toMatchObject({ more: false, next: all.length });
      expect(page.lines.total).toBe(total);
      if (tail > 0) expect(page.lines).toEqual({ offset: Math.max(0, total - tail), next: total, total });
    }),
    { numRuns: 200 },
  );
});

test('T-PAGE-3: while it is being printed, pages join to the text of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(printed, fc.integer({ min: 1, max: 30 }), async (all, bytesMax) => {
      await writeFile(files.output, '');
      const index = new LineIndex(16);
      let [text, next] = ['', 0];
      for (let size = 0; size <= all.length; size += 7) {
        const ended = size + 7 > all.length;
        await appendFile(files.output, all.subarray(size, size + 7));
        for (let isMore = true; isMore; ) {
          const page = await readPage(files, index, { start: { byte: next }, bytesMax, ended });
          expect(page.lines.offset).toBe(newlinesIn(text));
          text += page.text;
          isMore = page.more && page.next > next;
          next = page.next;
        }
      }
      expect(text).toBe(toText(all));
    }),
    { numRuns: 100 },
  );
});

test('an output that does not exist has no lines', async () => {
  const none = { text: '', from: 0, next: 0, more: false, lines: { offset: 0, next: 0, total: 0 } };
  for (const start of [{ byte: 0 }, { line: 0 }, { line: 7 }, { tail: 7 }])
    expect(await readPage(files, new LineIndex(), { start, ...ENDED })).toMatchObject(none);
});

test('a full page by line ends with a line, and reports that there is more', async () => {
  await writeFile(files.output, `${'y'.repeat(60)}\n`.repeat(40));
  const page = await readPage(files, new LineIndex(), { start: { line: 0 }, bytesMax: 200, ended: true });
  expect(page).toMatchObject({ next: 183, more: true, lines: { offset: 0, next: 3, total: 40 } });
  const few = await readPage(files, new LineIndex(), { start: { line: 5 }, ...ENDED, linesMax: 2 });
  expect(few).toMatchObject({ from: 305, next: 427, more: true, lines: { offset: 5, next: 7, total: 40 } });
});

test('a line that is longer than a page is read in pieces, and is one line', async () => {
  await writeFile(files.output, `a\n${'x'.repeat(250)}\nlast\n`);
  const index = new LineIndex();
  const first = await readPage(files, index, { start: { line: 1 }, bytesMax: 100, ended: true });
  expect(first).toMatchObject({ from: 2, next: 102, more: true, lines: { offset: 1, next: 1, total: 3 } });
  const rest = await readPage(files, index, { start: { byte: 102 }, bytesMax: 200, linesMax: 9, ended: true });
  expect(rest).toMatchObject({ text: `${'x'.repeat(150)}\nlast\n`, more: false, lines: { offset: 1, next: 3 } });
  const tail = await readPage(files, index, { start: { tail: 2 }, bytesMax: 100, ended: true });
  expect(tail).toMatchObject({ text: 'last\n', lines: { offset: 2, next: 3, total: 3 } });
});

test('the end of a line that is longer than a page is the tail of an output', async () => {
  await writeFile(files.output, '🙂'.repeat(100));
  const page = await readPage(files, new LineIndex(), { start: { tail: 3 }, bytesMax: 10, ended: true });
  expect(page).toMatchObject({ text: '🙂🙂', from: 392, next: 400, more: false, lines: { offset: 0, total: 1 } });
});

test('an unfinished line is read again while it is being printed, and is complete when its run has ended', async () => {
  await writeFile(files.output, 'a\nb');
  const open = await readPage(files, new LineIndex(), { start: { line: 0 }, bytesMax: MB, ended: false });
  expect(open).toMatchObject({ text: 'a\nb', next: 3, more: false, lines: { offset: 0, next: 1, total: 2 } });
  expect((await readPage(files, new LineIndex(), { start: { line: 0 }, ...ENDED })).lines.next).toBe(2);
});

test('lines are counted from the first that is retained, and counted again when more is dropped', async () => {
  const index = new LineIndex(8);
  await writeFile(files.output, 'gone\nkept 0\nkept 1\n');
  await writeFile(files.dropped, '5\n');
  const page = await readPage(files, index, { start: { line: 1 }, ...ENDED });
  expect(page).toMatchObject({ text: 'kept 1\n', from: 12, droppedBytes: 5, lines: { offset: 1, next: 2, total: 2 } });
  await writeFile(files.dropped, '12\n');
  expect((await readPage(files, index, { start: { line: 0 }, ...ENDED })).text).toBe('kept 1\n');
});

test('a line of 100 MB does not end up in memory', { timeout: 60_000 }, async () => {
  {
    await using file = await open(files.output, 'w');
    for (let i = 0; i < 100; i += 1) await file.write(Buffer.alloc(MB, 'x'));
    await file.write('\nnext\n');
  }
  const before = process.memoryUsage.rss();
  const page = await readPage(files, new LineIndex(), { start: { line: 1 }, ...ENDED });
  expect(process.memoryUsage.rss() - before).toBeLessThan(80 * MB);
  expect(page).toMatchObject({ text: 'next\n', from: 100 * MB + 1, lines: { offset: 1, total: 2 } });
});
