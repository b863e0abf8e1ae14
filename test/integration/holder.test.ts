import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../src/terminal/processes.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { HeldWorld } from './held-world.ts';

vi.setConfig({ testTimeout: 30_000 });

/** Raw, so that what is typed reaches the program byte for byte. */
const RAW = 'stty raw -echo';

test('many exits right after 200 kB lose no byte', { timeout: 60_000 }, async () => {
  await using world = new HeldWorld();
  for (let round = 0; round < times(2, 10); round += 1) {
    const five = [1, 2, 3, 4, 5].map(async () => {
      const ref = await world.run(`head -c 200000 /dev/zero | tr '\\0' x; exit 3`);
      const snapshot = await world.waitForEnd(ref);
      expect(snapshot.exit.status).toBe(3);
      expect(snapshot.outputBytes).toBe(200_000);
      expect(readFileSync(`${runFolder(world.state, ref).folder}/drained`, 'utf8')).toBe('200000\n');
    });
    await Promise.all(five);
  }
});

test('a program that queries its terminal is answered without a daemon', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`${RAW}; printf 'ab\\033[6n'; head -c 6 | cat -v; printf ' \\033[c'; head -c 7 | cat -v`);
  await world.waitForEnd(ref);
  expect(world.output(ref)).toContain('^[[1;3R');
  expect(world.output(ref)).toContain('^[[?1;2c');
});

test('a query that is printed in two pieces is answered', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`${RAW}; printf '\\033['; : pause; printf '6n'; head -c 6 | cat -v`);
  await world.waitForEnd(ref);
  expect(world.output(ref)).toContain('^[[1;1R');
});

test('a new daemon sees the screen of a full-screen program as it is', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`printf 'before\\033[?1049h\\033[2J\\033[3;5Hfull screen'; echo ready >ready; read line`);
  await eventually(() => existsSync(`${world.state}/ready`));
  await world.printed(ref, 'full screen');
  const screen = await world.restarted().screen(ref);
  expect(screen.rows.filter((row) => row !== '')).toEqual(['    full screen']);
  expect(screen).toMatchObject({ columns: 80, cursor: { row: 2, column: 15 } });
});

test('an ended run still shows its last screen', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`printf 'one\\r\\ntwo\\033[1;1HONE'`);
  await world.waitForEnd(ref);
  await world.terminal.release(ref);
  expect((await world.terminal.screen(ref)).rows.slice(0, 2)).toEqual(['ONE', 'two']);
  // It is kept with its colours too.
  const kept = JSON.parse(readFileSync(runFolder(world.state, ref).screen, 'utf8'));
  expect(kept).toMatchObject(await world.terminal.screen(ref));
  expect(kept.styled.slice(0, 2)).toEqual([[{ text: 'ONE' }], [{ text: 'two' }]]);
});

test('arrow keys follow the mode the program asked for', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(
    `stty -echo; printf 'normal\\n'; head -n 1 | cat -v; printf '\\033[?1happlication\\n'; head -n 1 | cat -v`,
  );
  await world.printed(ref, 'normal');
  await world.terminal.write(ref, { kind: 'keys', keys: ['Up', 'Enter'] });
  await world.printed(ref, '^[[A');
  await world.printed(ref, 'application');
  await world.terminal.write(ref, { kind: 'keys', keys: ['Up', 'Enter'] });
  await world.printed(ref, '^[OA');
  await world.waitForEnd(ref);
});

test('a paste is bracketed only for a program that asked', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(
    `${RAW}; printf plain; head -c 3 | cat -v; printf '\\033[?2004hbracketed'; head -c 15 | cat -v`,
  );
  await world.printed(ref, 'plain');
  await world.terminal.write(ref, { kind: 'paste', text: 'abc' });
  expect(await world.printed(ref, 'bracketed')).toContain('plainabc');
  await world.terminal.write(ref, { kind: 'paste', text: 'abc' });
  expect(await world.printed(ref, '201~')).toContain('^[[200~abc^[[201~');
});

test('the program sees a new size, and so does its screen', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('stty size; read line; stty size');
  await world.printed(ref, '24 80');
  await world.terminal.resize(ref, { columns: 132, rows: 50 });
  await world.terminal.write(ref, { kind: 'keys', keys: ['Enter'] });
  await world.printed(ref, '50 132');
  const screen = await world.terminal.screen(ref);
  expect([screen.columns, screen.rows.length]).toEqual([132, 50]);
  await expect(world.terminal.resize(ref, { columns: 0, rows: 50 })).rejects.toThrow(/0x50|gone/);
});

test('each byte arrives as one byte, also above 0x7f', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`${RAW}; printf ready; head -c 4 | od -An -tx1`);
  await world.printed(ref, 'ready');
  await world.terminal.write(ref, { kind: 'bytes', bytes: Uint8Array.of(0x80, 0xff, 0x00, 0xc3) });
  await world.printed(ref, '80 ff 00 c3');
});

test('a paste of a megabyte arrives whole', async () => {
  await using world = new HeldWorld();
  const text = Array.from({ length: 100_000 }, (_, index) => `${index}`.padStart(9, ' ')).join('\t');
  const ref = await world.run(`${RAW}; printf ready; head -c ${text.length} | sha256sum`);
  await world.printed(ref, 'ready');
  await world.terminal.write(ref, { kind: 'paste', text });
  await world.printed(ref, createHash('sha256').update(text).digest('hex'));
});

test('input that is not read waits, and more of it than fits is refused', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`${RAW}; printf ready; exec sleep 1000`);
  await world.printed(ref, 'ready');
  const written = await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.alloc(900_000, 'x') });
  expect(written.pendingBytes).toBeGreaterThan(500_000);
  await expect(world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.alloc(900_000, 'x') })).rejects.toMatchObject({
    code: 'input_full',
  });
});

test('a holder ends with its run and leaves no socket', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('echo done');
  const holder = world.holder(ref);
  await world.waitForEnd(ref);
  await eventually(() => !isAlive(holder));
  expect(existsSync(runFolder(world.state, ref).socket)).toBe(false);
  await expect(world.terminal.attach(ref)).rejects.toMatchObject({ code: 'not_supported' });
});

test('a child that keeps the terminal open does not delay the end of the run', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`(trap '' HUP; exec sleep 1000) & echo parent done`);
  const snapshot = await world.waitForEnd(ref);
  expect(world.output(ref)).toBe('parent done\r\n');
  expect(snapshot.outputBytes).toBe(13);
});

test('on a full disk the program waits, and nothing is lost when there is room again', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`read go; head -c 400000 /dev/zero | tr '\\0' y; echo; echo end`);
  const limit = (bytes: string): unknown =>
    execFileSync('prlimit', ['--pid', `${world.holder(ref).pid}`, `--fsize=${bytes}:`]);
  limit('100000');
  await world.terminal.write(ref, { kind: 'keys', keys: ['Enter'] });
  await eventually(() => world.bytes(ref).length === 100_000);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  limit('unlimited');
  await world.waitForEnd(ref);
  expect(world.output(ref).replaceAll('\r\n', '\n')).toBe(`\n${'y'.repeat(400_000)}\nend\n`);
});
