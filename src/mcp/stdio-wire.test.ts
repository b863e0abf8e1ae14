import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { Wire } from './stdio-wire.ts';

const changed = (uri: string, at: number) =>
  ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri, at } }) as const;
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(600_000) } }) as const;

test('a caller that stops reading gets the last update of each resource when it reads again', async () => {
  const read: string[] = [];
  let go: () => void = () => {};
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      read.push(String(chunk));
      // Reads no more than the first piece until it may.
      if (read.length > 1) done();
      else go = done;
    },
  });
  const stdin = new PassThrough();
  const wire = new Wire(null, stdin, stdout);
  await wire.start();
  for (const id of [1, 2, 3]) void wire.send(answer(id));
  const full = stdout.writableLength;
  expect(stdin.isPaused()).toBe(true);
  for (let at = 0; at < 1_000; at += 1) for (const uri of ['a', 'b']) void wire.send(changed(uri, at));
  expect(stdout.writableLength).toBe(full);
  const drained = new Promise((resolve) => stdout.once('drain', resolve));
  go();
  await drained;
  expect(stdin.isPaused()).toBe(false);
  const updates = read.slice(3).map((line) => (JSON.parse(line) as { params: object }).params);
  expect(updates).toEqual([
    { uri: 'a', at: 999 },
    { uri: 'b', at: 999 },
  ]);
});
