import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeJson, encodeFrame, encodeJson, FRAME, FRAME_BODY_BYTES_MAX, type Frame, FrameReader } from './frames.ts';

const frames = fc.array(
  fc.record({ type: fc.integer({ min: 0, max: 255 }), id: fc.nat(2 ** 31), body: fc.uint8Array({ maxLength: 300 }) }),
  { maxLength: 8 },
);

test('frames come out as they went in, however the stream was split', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat(400)), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map((frame) => encodeFrame(frame.type, frame.id, frame.body)));
      expect(readInPieces(bytes, cuts).map(plain)).toEqual(sent.map(plain));
    }),
  );
});

test('a frame that arrives byte by byte is read once', () => {
  const bytes = encodeJson(FRAME.resize, 7, { columns: 80, rows: 24 });
  const read = readInPieces(bytes, Array(bytes.length).fill(1));
  expect(read).toHaveLength(1);
  expect(read.map(decodeJson)).toEqual([{ columns: 80, rows: 24 }]);
});

test('a length that no frame of ours has is refused at once', () => {
  expect(() => new FrameReader().push(Buffer.from('GET / HTTP/1.1'))).toThrow('not our protocol');
  expect(() => new FrameReader().push(Uint8Array.of(0, 0, 0, 1, 9))).toThrow('not our protocol');
});

test('the largest body passes and one byte more is refused', () => {
  const body = new Uint8Array(FRAME_BODY_BYTES_MAX);
  expect(new FrameReader().push(encodeFrame(FRAME.write, 1, body))).toHaveLength(1);
  expect(() => encodeFrame(FRAME.write, 1, new Uint8Array(FRAME_BODY_BYTES_MAX + 1))).toThrow('at most');
});

function readInPieces(bytes: Uint8Array, cuts: readonly number[]): Frame[] {
  const reader = new FrameReader();
  const read: Frame[] = [];
  let from = 0;
  for (const size of cuts) {
    read.push(...reader.push(bytes.subarray(from, from + size)));
    from += size;
  }
  return [...read, ...reader.push(bytes.subarray(from))];
}

function plain(frame: Frame): unknown {
  return { type: frame.type, id: frame.id, body: [...frame.body] };
}
