import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { createConnection } from 'node:net';
import { expect, test, vi } from 'vitest';
import { encodeFrame, FRAME, type Frame, FrameReader } from '../../src/terminal/frames.ts';
import { signal } from '../../src/terminal/processes.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { eventually } from '../eventually.ts';
import { HeldWorld } from './held-world.ts';

vi.setConfig({ testTimeout: 30_000 });

/** A holder that should have exited at once cannot be asked to: it ignores all other signals. */
const LIMITED = { timeout: 10_000, killSignal: 'SIGKILL' } as const;

test('a holder that is killed ends its program, and the status is known', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('echo started; exec sleep 1000');
  await world.printed(ref, 'started');
  await world.killHolder(ref);
  const snapshot = await eventually(async () => {
    const seen = await world.terminal.look(ref);
    return seen.is === 'dead' && seen;
  });
  expect(snapshot).toMatchObject({ exit: { status: 129 }, drained: false });
  expect((await world.terminal.screen(ref)).rows[0]).toBe('started');
  await expect(world.terminal.write(ref, { kind: 'keys', keys: ['x'] })).rejects.toMatchObject({
    code: 'input_closed',
  });
});

test('a program that ignores the hangup keeps running, cut off', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`trap '' HUP; echo started; sleep 1000`);
  await world.printed(ref, 'started');
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  await world.killHolder(ref);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'cut' });
});

test('signals that end other programs do not end a holder', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('read line; echo "heard $line"');
  for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const) signal(world.holder(ref), name);
  await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('hello\r') });
  await world.waitForEnd(ref);
  expect(world.output(ref)).toContain('heard hello');
});

test('a request of a later version is refused, and noise closes only its own connection', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('read line; echo "heard $line"');
  const { socket } = runFolder(world.state, ref);
  const frames = await talk(socket, encodeFrame(200, 5), 2);
  expect(frames[0]).toMatchObject({ type: FRAME.hello });
  expect(frames[1]).toMatchObject({ type: FRAME.failed, id: 5 });
  await talk(socket, Buffer.from('GET / HTTP/1.1\r\n\r\n'), 2);
  await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('still here\r') });
  await world.printed(ref, 'heard still here');
});

test('a connection that only watches may not write', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('read line; echo "heard $line"');
  const watch = encodeFrame(FRAME.view, 1, Buffer.from('{"readOnly":true}'));
  const write = encodeFrame(FRAME.write, 2, Buffer.from('intruder\r'));
  const frames = await talk(runFolder(world.state, ref).socket, Buffer.concat([watch, write]), 3);
  expect(frames.at(-1)).toMatchObject({ type: FRAME.failed, id: 2 });
  await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('owner\r') });
  await world.printed(ref, 'heard owner');
});

test('a second holder of a run leaves it alone', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('read line; echo "heard $line"');
  const { folder, claim } = runFolder(world.state, ref);
  const argv = readFileSync(`/proc/${world.holder(ref).pid}/cmdline`, 'utf8')
    .split('\0')
    .slice(1, -1);
  execFileSync(process.execPath, argv, LIMITED);
  // Likewise before the launcher's claim, when only the first holder's own file can tell.
  renameSync(claim, `${claim}.aside`);
  execFileSync(process.execPath, argv, LIMITED);
  renameSync(`${claim}.aside`, claim);
  expect(existsSync(`${folder}/drained`)).toBe(false);
  await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('one\r') });
  await world.waitForEnd(ref);
  expect(world.output(ref)).toContain('heard one');
});

test('a viewer that does not read is disconnected and delays no other', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('read go; head -c 12000000 /dev/zero | tr "\\0" z; echo; read end');
  const viewer = createConnection(runFolder(world.state, ref).socket).pause();
  let isClosed = false;
  viewer
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  viewer.write(Buffer.from(encodeFrame(FRAME.view, 1, Buffer.from('{"readOnly":true}'))));
  await world.terminal.write(ref, { kind: 'keys', keys: ['Enter'] });
  await eventually(() => world.bytes(ref).length > 12_000_000, { msMax: 20_000 });
  await world.terminal.screen(ref);
  viewer.resume();
  await eventually(() => isClosed);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive' });
});

test('a state folder whose sockets would have too long a path is refused with the remedy', async () => {
  await using world = new HeldWorld();
  const ref = { session: 'x'.repeat(100) as never, run: 1 };
  const launch = { argv: ['true'], env: {}, cwd: '/', umask: 0o022, stdin: 'open', split: false } as const;
  await expect(world.terminal.open(ref, launch, { columns: 80, rows: 24 })).rejects.toThrow('OUTLAST_STATE');
});

/** Sends bytes and reads frames until there are this many, or the holder closes. */
function talk(socket: string, bytes: Uint8Array, framesMax: number): Promise<Frame[]> {
  const reader = new FrameReader();
  const frames: Frame[] = [];
  const connection = createConnection(socket);
  connection.write(bytes);
  return new Promise((resolve, reject) => {
    connection.on('error', reject);
    connection.on('close', () => resolve(frames));
    connection.on('data', (piece) => {
      frames.push(...reader.push(piece));
      if (frames.length >= framesMax) connection.destroy();
    });
  });
}
