import { PassThrough, type Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { BoundedLines } from './bounded-lines.ts';
import { Wire } from './stdio-wire.ts';

const PING = '{"jsonrpc":"2.0","id":9,"method":"ping"}\n';
const LONG = 20 * 1024 * 1024;

/** The lines that pass, and the ids of those that do not. */
async function passed(chunks: readonly string[], bytesMax?: number): Promise<[string, (string | number | null)[]]> {
  const ids: (string | number | null)[] = [];
  const lines = new BoundedLines((id) => ids.push(id), bytesMax);
  const read = (async () => Buffer.concat(await (lines as Readable).toArray()).toString('utf8'))();
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  return [await read, ids];
}

test('lines pass whole, however the stream is split, and lines that are too long do not', async () => {
  expect(await passed(['a\nb', 'c\n', '\nde'])).toEqual(['a\nbc\n\nde', []]);
  const first = '{"jsonrpc":"2.0","id":"x","method":"m","params":{"t":"';
  const last = '","y":1},"jsonrpc":"2.0","id":7}\n';
  const long = 'z'.repeat(40);
  expect(await passed([first, long, '"}}\n', 'ok\n'], 50)).toEqual(['ok\n', ['x']]);
  expect(await passed([...`{"method":"m","params":{"t":"${long}${last}`, 'ok\n'], 50)).toEqual(['ok\n', [7]]);
  expect(await passed([`${long}${long}\nok\n`], 50)).toEqual(['ok\n', [null]]);
});

test('T-MCP-1 a server that got a line of 20 MB answers the next ping', async () => {
  const lines = new BoundedLines(() => {});
  const wire = new Wire(null, lines, new PassThrough());
  const answered = new Promise<unknown>((resolve) => {
    wire.onmessage = resolve;
  });
  let isClosed = false;
  wire.left = () => {
    isClosed = true;
  };
  await wire.start();
  const piece = 'y'.repeat(64 * 1024);
  lines.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"');
  for (let bytes = 0; bytes < LONG; bytes += piece.length) lines.write(piece);
  lines.write(`"}}\n${PING}`);
  expect(await answered).toMatchObject({ id: 9, method: 'ping' });
  expect(isClosed).toBe(false);
});
