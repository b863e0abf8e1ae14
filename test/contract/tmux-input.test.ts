import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { eventually } from '../eventually.ts';
import { endedIn, printedIn, type TmuxTestWorld, tmuxWorld } from '../tmux-world.ts';

let world: TmuxTestWorld;
beforeAll(() => {
  world = tmuxWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const ended = (ref: RunRef) => endedIn(world, ref);
const printed = (ref: RunRef, text: string) => printedIn(world, ref, text);

test('bytes arrive as they are, also NUL, also beyond ASCII, also while a person scrolls', async () => {
  const ref = await world.start('stty raw -echo; echo up; exec cat -v');
  await printed(ref, 'up');
  world.tmux(ref, 'copy-mode', '-t', `=o-${ref.session}-1:`);
  const bytes = Uint8Array.of(0x61, 0, 1, 0x1b, 0xff, 0x0a, 0x80, 0x3b);
  expect(await world.terminal.write(ref, { kind: 'bytes', bytes })).toEqual({ bytes: 8, pendingBytes: 0 });
  await printed(ref, 'a^@^A^[M-^?\nM-^@;');
});

test('a megabyte arrives whole', async () => {
  const ref = await world.start('stty raw -echo; echo up; head -c 1000000 | cksum');
  await printed(ref, 'up');
  const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
  await world.terminal.write(ref, { kind: 'bytes', bytes });
  const other = await world.start(
    `node -e 'process.stdout.write(Buffer.from(Array.from({length:1000000},(_,a)=>(a*7+(a>>8))&255)))' | cksum`,
  );
  await ended(ref);
  await ended(other);
  expect(world.output(ref)).toContain(world.output(other).trim());
  await world.terminal.release(ref);
  await world.terminal.release(other);
});

test('keys follow the cursor mode that the program asked for', async () => {
  const ref = await world.start(`stty -echo -icanon; printf '\\033[?1hup'; exec cat -v`);
  await printed(ref, 'up');
  await eventually(
    () => world.tmux(ref, 'display-message', '-p', '-t', `=o-${ref.session}-1:`, '#{keypad_cursor_flag}') === '1\n',
  );
  await world.terminal.write(ref, { kind: 'keys', keys: ['Up', 'C-a', 'x'] });
  await printed(ref, '^[OA^Ax');
  const plain = await world.start('stty -echo -icanon; echo up; exec cat -v');
  await printed(plain, 'up');
  await world.terminal.write(plain, { kind: 'keys', keys: ['Up', 'Enter'] });
  await printed(plain, '^[[A\r\n');
});

test('a paste is marked only when the program asked for it, and cannot break out', async () => {
  const text = 'one;\ntwo\x1b[201~\x1b[20\x1b[200~1~\u009b201~ #(touch x) $HOME ü';
  const asked = await world.start(`stty raw -echo; printf '\\033[?2004hup'; exec cat -v`);
  const plain = await world.start('stty raw -echo; printf up; exec cat -v');
  await printed(asked, 'up');
  await printed(plain, 'up');
  await world.terminal.write(asked, { kind: 'paste', text });
  await world.terminal.write(plain, { kind: 'paste', text });
  const safe = 'one;^Mtwo[201~[20[200~1~201~ #(touch x) $HOME M-CM-<';
  await printed(asked, `^[[200~${safe}^[[201~`);
  await printed(plain, `up${safe}`);
  expect(world.output(plain)).not.toContain('^[');
});

test('input to an ended run is refused, and its server and neighbours keep running', async () => {
  const neighbour = await world.start('exec cat');
  const ref = await world.start('exit 0');
  await ended(ref);
  await expect(world.terminal.write(ref, { kind: 'eof' })).rejects.toMatchObject({ code: 'input_closed' });
  await world.terminal.release(ref);
  await expect(world.terminal.write(ref, { kind: 'eof' })).rejects.toMatchObject({ code: 'input_closed' });
  await world.terminal.write(neighbour, { kind: 'eof' });
  expect(await ended(neighbour)).toMatchObject({ exit: { status: 0 } });
});

test('a hundred writes into runs that are just ending never harm the server', async () => {
  const ref = await world.start('exec cat');
  const { pid } = world.serverOf(ref);
  const writes = Array.from({ length: 20 }, async () => {
    const ending = await world.start('read go');
    const enter = { kind: 'bytes', bytes: Buffer.from('\r') } as const;
    await Promise.allSettled([1, 2, 3, 4, 5].map(() => world.terminal.write(ending, enter)));
    await ended(ending);
    await world.terminal.release(ending);
  });
  await Promise.all(writes);
  expect(world.serverOf(ref).pid).toBe(pid);
  expect(world.tmux(ref, 'list-buffers')).toBe('');
}, 30_000);
