import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { LIMITS } from '../../src/base/limits.ts';
import { runIdentities } from '../../src/terminal/look.ts';
import { pipe } from '../../src/terminal/pipe.ts';
import { isAlive } from '../../src/terminal/processes.ts';
import { installPrograms } from '../../src/terminal/programs.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import type { RunRef, TerminalInput } from '../../src/terminal/terminal.ts';
import { makeBench, type TerminalBench } from '../../src/testing/terminal-suite.ts';
import { eventually } from '../eventually.ts';

const trial = (): Promise<TerminalBench> =>
  makeBench((state) => pipe({ state, programs: installPrograms(state), clock: realClock() }));
const bytes = (text: string | Buffer): TerminalInput => ({ kind: 'bytes', bytes: Buffer.from(text) });
const started = (world: TerminalBench, ref: RunRef): Promise<unknown> =>
  eventually(() => runIdentities(world.state, ref).command);

test('a million bytes of input arrive intact and in order', async () => {
  await using world = await trial();
  const ref = await world.start('sha256sum');
  const input = Buffer.alloc(1_000_000, 'any bytes, \0 and \xff too, ');
  const writes = [0, 1, 2, 3].map((part) =>
    world.terminal.write(ref, bytes(input.subarray(part * 250_000, (part + 1) * 250_000))),
  );
  for (const written of await Promise.all(writes)) expect(written.bytes).toBe(250_000);
  await world.terminal.write(ref, { kind: 'eof' });
  await world.ended(ref);
  expect(await world.output(ref)).toBe(`${createHash('sha256').update(input).digest('hex')}  -\n`);
});

test('what a command does not read stays with the caller, who can send it again from where it was', async () => {
  await using world = await trial();
  const ref = await world.start('until [ -e go ]; do sleep 0.02; done; sha256sum');
  const input = Buffer.alloc(900_000, 'any bytes, ');
  const first = await world.terminal.write(ref, bytes(input));
  expect(first.bytes).toBeGreaterThan(0);
  expect([first.bytes + (first.refusedBytes ?? 0), first.pendingBytes]).toEqual([input.length, 0]);
  for (const more of [bytes('y'), bytes('y'.repeat(LIMITS.inputBytesMax + 1))]) {
    await expect(world.terminal.write(ref, more)).rejects.toMatchObject({ code: 'input_full' });
  }
  writeFileSync(join(world.scratch, 'go'), '');
  for (let at = first.bytes; at < input.length; )
    at += (await world.terminal.write(ref, bytes(input.subarray(at)))).bytes;
  await world.terminal.write(ref, { kind: 'eof' });
  await world.ended(ref);
  expect(await world.output(ref)).toBe(`${createHash('sha256').update(input).digest('hex')}  -\n`);
});

test('input after its end is refused, and a second end is harmless', async () => {
  await using world = await trial();
  const ref = await world.start('cat >/dev/null; exec sleep 1000');
  await world.terminal.write(ref, { kind: 'eof' });
  await expect(world.terminal.write(ref, bytes('late'))).rejects.toMatchObject({ code: 'input_closed' });
  expect(await world.terminal.write(ref, { kind: 'eof' })).toEqual({ bytes: 0, pendingBytes: 0 });
});

test('input for a command that closed its input, or never had one, is refused', async () => {
  await using world = await trial();
  const closed = await world.start('exec <&-; echo closed; exec sleep 1000');
  await eventually(async () => (await world.output(closed)).includes('closed'));
  await expect(world.terminal.write(closed, bytes('x'))).rejects.toMatchObject({ code: 'input_closed' });
  const empty = await world.start('cat; exec sleep 1000', { stdin: 'empty' });
  await started(world, empty);
  await expect(world.terminal.write(empty, bytes('x'))).rejects.toMatchObject({ code: 'input_closed' });
});

test('input for a run that ended is refused', async () => {
  await using world = await trial();
  const ref = await world.start('exit 0');
  await world.ended(ref);
  await eventually(() => {
    const { keeper } = runIdentities(world.state, ref);
    return keeper && !isAlive(keeper);
  });
  await expect(world.terminal.write(ref, bytes('x'))).rejects.toMatchObject({ code: 'input_closed' });
});

test('a paste arrives with its line ends', async () => {
  await using world = await trial();
  const ref = await world.start('cat');
  await world.terminal.write(ref, { kind: 'paste', text: 'one\ntwo\n' });
  await world.terminal.write(ref, { kind: 'eof' });
  await world.ended(ref);
  expect(await world.output(ref)).toBe('one\ntwo\n');
});

test('what only a terminal can do is refused with the remedy', async () => {
  await using world = await trial();
  const ref = await world.start('exit 0');
  await expect(world.terminal.resize(ref, { columns: 1, rows: 1 })).rejects.toThrow(/--pty/);
  await expect(world.terminal.attach(ref)).rejects.toMatchObject({ code: 'not_supported' });
});

test('a run folder that cannot be created is reported as a failed terminal', async () => {
  await using world = await trial();
  writeFileSync(join(world.state, 'sessions'), '');
  await expect(world.start('exit 0')).rejects.toMatchObject({ code: 'terminal_failed' });
  rmSync(join(world.state, 'sessions'));
});

test('releasing removes the FIFO and ends a keeper that was left', async () => {
  await using world = await trial();
  const ref = await world.start('exec sleep 1000');
  await started(world, ref);
  const { keeper } = runIdentities(world.state, ref);
  await world.terminal.release(ref);
  expect(existsSync(runFolder(world.state, ref).stdin)).toBe(false);
  await eventually(() => keeper && !isAlive(keeper));
});
