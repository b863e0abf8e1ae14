import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { FRAME } from '../../src/terminal/frames.ts';
import { callHolder } from '../../src/terminal/holder-call.ts';
import { HolderSocket } from '../../src/terminal/holder-socket.ts';
import type { Pty } from '../../src/terminal/pty.ts';
import { Emulator } from '../../src/terminal/screen.ts';
import { eventually } from '../eventually.ts';

const clock = realClock();
const size = { columns: 80, rows: 24 };

test('input that ends the program is answered before the socket closes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-holder-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pty = {
    pendingBytes: 0,
    write(bytes: Uint8Array): void {
      this.pendingBytes += bytes.length;
    },
  };
  const path = join(folder, 'sock');
  const socket = new HolderSocket(path, {
    name: 'r',
    pty: () => pty as unknown as Pty,
    emulator: new Emulator(size),
    size,
    term: 'xterm',
    clock,
  });
  const written = callHolder({ socket: path, type: FRAME.write, body: Buffer.from('exit\n') }, clock);
  await eventually(() => pty.pendingBytes === 5);
  // The program has read it and ended, and its holder finishes before it looks again at what is pending.
  const ended = socket.end();
  pty.pendingBytes = 0;
  expect(await written).toEqual({ is: 'answer', value: { bytes: 5, pendingBytes: 0 } });
  await ended;
});
