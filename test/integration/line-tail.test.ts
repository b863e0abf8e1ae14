import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineTail, PIECE_BYTES } from '../../src/supervisor/line-tail.ts';

const ALL = Number.MAX_SAFE_INTEGER;

/** A file with its tail, and what was read since the last restart from its beginning. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-tail-'));
  const path = join(folder, 'lines');
  const received = { text: '', all: 0, restarts: 0, largest: 0 };
  const tail = new LineTail(path, {
    take: (lines) => {
      received.text += lines;
      received.all += lines.length;
      received.largest = Math.max(received.largest, lines.length);
    },
    restart: () => {
      received.text = '';
      received.restarts += 1;
    },
  });
  return { path, tail, received, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

test('T-LONG-3: however a file grows, byte by byte, each of its lines is read once', async () => {
  const line = fc.oneof(fc.string(), fc.constantFrom('', 'ü', '👨‍👩‍👧', '\0', 'x'.repeat(300)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      async (lines, sizes) => {
        using here = place();
        const bytes = Buffer.from(lines.join('\n'));
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = sizes[i % sizes.length] ?? 1;
          appendFileSync(here.path, bytes.subarray(at, at + size));
          at += size;
          await here.tail.readOn(ALL);
          expect(here.received.text).toBe(wholeLines(bytes.subarray(0, at).toString()));
        }
        expect(here.received.all).toBe(here.received.text.length);
      },
    ),
    { numRuns: 30 },
  );
});

test('T-LONG-3: a file that shrank, was rewritten or was replaced is read from its beginning', async () => {
  using here = place();
  const expectAnew = async (text: string): Promise<void> => {
    const { restarts } = here.received;
    await here.tail.readOn(ALL);
    expect(here.received).toMatchObject({ text, restarts: restarts + 1 });
  };
  writeFileSync(here.path, 'one\ntwo\nthree\n');
  await expectAnew('one\ntwo\nthree\n');
  truncateSync(here.path, 4);
  await expectAnew('one\n');
  // Longer than before, and different.
  writeFileSync(here.path, 'eins\nzwei\ndrei\nvier\n');
  await expectAnew('eins\nzwei\ndrei\nvier\n');
  writeFileSync(`${here.path}.new`, 'eins\nzwei\ndrei\nvier\nfünf\n');
  renameSync(`${here.path}.new`, here.path);
  await expectAnew('eins\nzwei\ndrei\nvier\nfünf\n');
  rmSync(here.path);
  await expectAnew('');
  writeFileSync(here.path, 'back\n');
  await expectAnew('back\n');
});

test('T-LONG-3: a file that is rewritten while it is read is read from its beginning', async () => {
  using here = place();
  const old = `${'old line\n'.repeat(PIECE_BYTES / 9)}\n`.repeat(4);
  const fresh = `${'new line!\n'.repeat(PIECE_BYTES / 10)}\n`.repeat(5);
  writeFileSync(here.path, old);
  const reading = here.tail.readOn(ALL);
  // After the first piece other work runs, and this is part of it.
  setImmediate(() => writeFileSync(here.path, fresh));
  await reading;
  await here.tail.readOn(ALL);
  expect(here.received.text === fresh).toBe(true);
});

test('T-LONG-3: what was read is not read again, and nothing is read of a file that did not change', async () => {
  using here = place();
  writeFileSync(here.path, 'x\n'.repeat(1_000_000));
  await here.tail.readOn(ALL);
  expect(here.received.all).toBe(2_000_000);
  appendFileSync(here.path, 'more\n');
  await here.tail.readOn(ALL);
  await here.tail.readOn(ALL);
  expect(here.received).toMatchObject({ all: 2_000_005, restarts: 1 });
});

test('T-LONG-4: a long file is read in pieces, and other work runs after each', async () => {
  using here = place();
  const pieces = 16;
  writeFileSync(here.path, 'line\n'.repeat((pieces * PIECE_BYTES) / 5));
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await here.tail.readOn(ALL);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(pieces - 1);
  expect(here.received.largest).toBeLessThanOrEqual(PIECE_BYTES + 5);
});

test('only the end of a file that is long at the first read is read, from the start of a line', async () => {
  using here = place();
  writeFileSync(here.path, 'first\nsecond\nthird\n');
  await here.tail.readOn(10);
  expect([here.received.text, here.tail.isCut]).toEqual(['third\n', true]);
  appendFileSync(here.path, 'fourth line\n');
  await here.tail.readOn(10);
  expect(here.received.text).toBe('third\nfourth line\n');
});

test('a line that is too long is skipped, and does not affect other lines', async () => {
  using here = place();
  writeFileSync(here.path, 'before\n');
  appendFileSync(here.path, Buffer.alloc(17 * 1024 * 1024, 'x'));
  await here.tail.readOn(ALL);
  expect(here.received.text).toBe('before\n');
  appendFileSync(here.path, 'xx\nafter\n');
  await here.tail.readOn(ALL);
  expect(here.received.text).toBe('before\n\0\nafter\n');
});

test('two concurrent readers get every line once', async () => {
  using here = place();
  const text = 'line\n'.repeat(PIECE_BYTES);
  writeFileSync(here.path, text);
  await Promise.all([here.tail.readOn(ALL), here.tail.readOn(ALL)]);
  expect(here.received.text === text).toBe(true);
});
