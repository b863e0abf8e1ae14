import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../src/core/session.ts';
import { encodeJson, FRAME, FrameReader } from '../../src/terminal/frames.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { HeldWorld } from './held-world.ts';

test('a holder of an earlier build, which cannot count its viewers, has none', async () => {
  await using world = new HeldWorld();
  const ref = { session: 'old' as SessionId, run: 1 };
  const { socket: path } = runFolder(world.state, ref);
  mkdirSync(dirname(path), { recursive: true });
  const asked: number[] = [];
  const holder = createServer((socket) => {
    const reader = new FrameReader();
    socket.write(encodeJson(FRAME.hello, 0, { protocol: 1, name: 'old', pid: 1 }));
    socket.on('data', (bytes) => {
      for (const { type, id } of reader.push(bytes)) {
        asked.push(type);
        socket.write(encodeJson(FRAME.failed, id, { code: 'not_supported', message: `no request ${type}` }));
      }
    });
  });
  await new Promise<void>((resolve) => holder.listen(path, resolve));
  expect(await world.terminal.viewers(ref)).toBe(0);
  expect(asked).toEqual([FRAME.viewers]);
  await new Promise((resolve) => holder.close(resolve));
});
