import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { printed } from '../testing/printed.ts';
import { type OutputFiles, outputDropped, outputSize, readBytes, readText } from './output.ts';
import { toText } from './text.ts';

let folder: string;
let files: OutputFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlast-output-'));
  files = { output: join(folder, 'output'), dropped: join(folder, 'dropped') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('an output that does not exist yet is empty, not an error', async () => {
  expect(await outputSize(files)).toBe(0);
  expect(await outputDropped(files)).toBe(0);
  expect(await readBytes(files, 0, 10)).toMatchObject({ from: 0, next: 0, end: 0, droppedBytes: 0 });
  expect(await readText(files, { offset: 5, bytesMax: 10, ended: true })).toMatchObject({ text: '', from: 0, next: 0 });
});

test('pages of any size give every byte exactly once, while the output grows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(200),
      fc.integer({ min: 1, max: 50 }),
      async (all, at, bytesMax) => {
        await writeFile(files.output, all.subarray(0, at));
        const pages: Uint8Array[] = [];
        let next = 0;
        for (let isGrown = false; ; ) {
          const page = await readBytes(files, next, bytesMax);
          expect(page.from).toBe(next);
          expect(page.next).toBe(page.from + page.bytes.length);
          pages.push(page.bytes);
          next = page.next;
          if (next < page.end) continue;
          if (isGrown) break;
          isGrown = true;
          await appendFile(files.output, all.subarray(at));
        }
        expect(Buffer.concat(pages)).toEqual(Buffer.from(all));
      },
    ),
  );
});

test('an offset in the dropped range moves to its end, and the page says so', async () => {
  await writeFile(files.output, '0123456789');
  await writeFile(files.dropped, '4\n');
  const page = await readBytes(files, 1, 3);
  expect({ ...page, bytes: Buffer.from(page.bytes).toString() }).toEqual({
    bytes: '456',
    from: 4,
    next: 7,
    end: 10,
    droppedBytes: 4,
  });
});

test('an offset after the end moves back to it', async () => {
  await writeFile(files.output, 'abc');
  expect(await readBytes(files, 99, 3)).toMatchObject({ from: 3, next: 3, end: 3 });
});

test('text pages of any size join to the whole text, and each cursor is a valid place to continue', async () => {
  await fc.assert(
    fc.asyncProperty(printed, fc.integer({ min: 1, max: 20 }), async (all, bytesMax) => {
      await writeFile(files.output, all);
      let text = '';
      let next = 0;
      for (;;) {
        const page = await readText(files, { offset: next, bytesMax, ended: true });
        text += page.text;
        expect(page.next > next || page.next === all.length).toBe(true);
        next = page.next;
        if (next === page.end) break;
      }
      expect(text).toBe(toText(all));
    }),
    { numRuns: 300 },
  );
});

test('text read while it is being printed, byte by byte, is the whole text', async () => {
  await fc.assert(
    fc.asyncProperty(printed, async (all) => {
      await writeFile(files.output, '');
      let text = '';
      let next = 0;
      for (let size = 1; size <= all.length; size += 1) {
        await appendFile(files.output, all.subarray(size - 1, size));
        const page = await readText(files, { offset: next, bytesMax: 1000, ended: size === all.length });
        text += page.text;
        next = page.next;
      }
      expect(text).toBe(toText(all));
    }),
    { numRuns: 60 },
  );
});

for (const tail of ['\x1b', '\x1b[3', '\x1b]0;title', '\x1b]0;title\x1b', '\x1b(', '\u009b1', '\x1b[3\n']) {
  test(`a page stops before the unfinished sequence ${JSON.stringify(tail)} until the run has ended`, async () => {
    await writeFile(files.output, `é\x1b[1mab${tail}`);
    const end = Buffer.byteLength(`é\x1b[1mab${tail}`);
    const page = { offset: 0, bytesMax: 1000 };
    expect(await readText(files, { ...page, ended: false })).toMatchObject({ text: 'éab', next: 8, end });
    expect((await readText(files, { ...page, ended: true })).next).toBe(end);
  });
}

test('a page stops before a split character until the run has ended', async () => {
  for (const [character, cut] of [
    ['é', 1],
    ['漢', 1],
    ['漢', 2],
    ['🙂', 1],
    ['🙂', 3],
  ] as const) {
    await writeFile(files.output, Buffer.concat([Buffer.from('ab'), Buffer.from(character).subarray(0, cut)]));
    expect(await readText(files, { offset: 0, bytesMax: 100, ended: false })).toMatchObject({ text: 'ab', next: 2 });
    expect(await readText(files, { offset: 0, bytesMax: 100, ended: true })).toMatchObject({
      text: 'ab\ufffd',
      next: 2 + cut,
    });
  }
});

test('a reader gets past a sequence that is longer than its pages', async () => {
  await writeFile(files.output, `a\x1b]0;${'t'.repeat(3000)}\x07b`);
  let text = '';
  let pages = 0;
  for (let next = 0; next < 3006 && pages < 500; pages += 1) {
    const page = await readText(files, { offset: next, bytesMax: 10, ended: false });
    text += page.text;
    next = page.next;
  }
  expect(text).toBe('ab');
});

test('text that begins after a carriage return remembers it: its newline was given, and an LF adds none', async () => {
  await writeFile(files.output, '10%\r20%\r\n');
  const page = { bytesMax: 10, ended: false };
  expect((await readText(files, { ...page, offset: 0, bytesMax: 4 })).text).toBe('10%\n');
  expect((await readText(files, { ...page, offset: 4 })).text).toBe('20%\n');
  expect((await readText(files, { ...page, offset: 8 })).text).toBe('');
});

test('the line of a page is known however many sequences lie before it', async () => {
  const colours = '\x1b[31m'.repeat(20_000);
  await writeFile(files.output, `10%${colours}\r20%`);
  const offset = 3 + colours.length;
  expect((await readText(files, { offset, bytesMax: 10, ended: true })).text).toBe('\n20%');
});

test('a page never begins or ends inside a character, however short it is', async () => {
  await writeFile(files.output, 'a漢🙂é');
  let offset = 0;
  const seen: [number, string][] = [];
  for (let isMore = true; isMore; ) {
    const page = await readText(files, { offset, bytesMax: 1, ended: true });
    seen.push([page.from, page.text]);
    offset = page.next;
    isMore = page.next < page.end;
  }
  expect(seen).toEqual([[0, 'a'], [1, '漢'], [4, '🙂'], [8, 'é']]); // biome-ignore format: a row of pages
  expect(await readText(files, { offset: 6, bytesMax: 4, ended: true })).toMatchObject({
    from: 4,
    next: 8,
    text: '🙂',
  });
});

test('what is retained after the cap begins with a whole character', async () => {
  await writeFile(files.output, 'a漢b');
  await writeFile(files.dropped, '2\n');
  expect(await readText(files, { offset: 0, bytesMax: 10, ended: true })).toMatchObject({
    from: 4,
    next: 5,
    text: 'b',
  });
});
