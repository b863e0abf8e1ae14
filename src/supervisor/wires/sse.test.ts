import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventReader } from './sse.ts';

const STREAM =
  ': hello\n\ndata: {"a":1}\n\nevent: x\r\ndata: one\r\ndata:two\r\n\r\nid: 7\n\ndata: ünïcode\n\ndata: half';

test('events are the same in whatever pieces they arrive, and half an event is not read', () => {
  const whole = new EventReader().read(STREAM);
  expect(whole).toEqual(['{"a":1}', 'one\ntwo', 'ünïcode']);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
      const reader = new EventReader();
      const events: string[] = [];
      for (let at = 0, i = 0; at < STREAM.length; i += 1) {
        const size = sizes[i % sizes.length] ?? 1;
        events.push(...reader.read(STREAM.slice(at, at + size)));
        at += size;
      }
      expect(events).toEqual(whole);
    }),
  );
});

test('an event that is too long is left out, and the next one is read', () => {
  const long = `data: ${'x'.repeat(50)}\n`;
  for (const text of [`${long}\n`, `data: begun\n${long}data: more\n\n`, `${long}${long}\n`]) {
    const pieces = `${text}data: next\n\n`.match(/[\s\S]{1,7}/g) ?? [];
    const reader = new EventReader(40);
    expect(pieces.flatMap((piece) => reader.read(piece))).toEqual(['next']);
  }
});

test('a line without an end is searched once and not kept', () => {
  const reader = new EventReader(1_000);
  const piece = 'a'.repeat(1_000);
  const begin = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200_000; i += 1) reader.read(piece);
  expect(process.memoryUsage().heapUsed - begin).toBeLessThan(100_000_000);
});
