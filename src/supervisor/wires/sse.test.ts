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
