import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { installPrograms } from '../../src/terminal/programs.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { tmux } from '../../src/terminal/tmux.ts';
import { askTmux } from '../../src/terminal/tmux-ask.ts';
import { terminalName } from '../../src/terminal/tmux-open.ts';
import { makeBench, terminalCases } from '../../src/testing/terminal-suite.ts';
import { times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { endedIn, launchOf, printedIn, SIZE, type TmuxTestWorld, tmuxWorld } from '../tmux-world.ts';

let world: TmuxTestWorld;
beforeAll(() => {
  world = tmuxWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const ended = (ref: RunRef, at = world) => endedIn(at, ref);
const printed = (ref: RunRef, text: string) => printedIn(world, ref, text);

for (const promise of terminalCases()) {
  test(promise.name, { timeout: 30_000 }, async () => {
    await using bench = await makeBench((state) =>
      tmux({ state, programs: installPrograms(state, ['tmux.conf']), clock: realClock() }),
    );
    await promise.run(bench);
  });
}

test('many runs that print 200 kB and exit at once lose no byte', async () => {
  const script = 'head -c 200000 /dev/zero | tr "\\0" x; exit 3';
  for (let round = 0; round < times(1, 5); round += 1) {
    const refs = await Promise.all(Array.from({ length: 10 }, () => world.start(script)));
    for (const ref of refs) {
      expect(await ended(ref)).toMatchObject({ exit: { status: 3 }, outputBytes: 200_000 });
      expect(statSync(world.files(ref).output).size).toBe(200_000);
      await world.terminal.release(ref);
    }
  }
}, 60_000);

test('the output is not reported as complete while its sink has not written it', async () => {
  const ref = await world.start('read go; head -c 5000 /dev/zero | tr "\\0" x');
  const sink = await eventually(() => Number(readFileSync(join(world.files(ref).folder, 'sink'), 'utf8')));
  process.kill(sink, 'SIGSTOP');
  try {
    await world.terminal.write(ref, { kind: 'keys', keys: ['Enter'] });
    await eventually(() =>
      world.tmux(ref, 'list-panes', '-a', '-F', '#{session_name} #{pane_dead}').includes(`o-${ref.session}-1 1`),
    );
    expect(await world.terminal.look(ref)).toMatchObject({ is: 'dead', drained: false });
  } finally {
    process.kill(sink, 'SIGCONT');
  }
  expect((await ended(ref)).outputBytes).toBeGreaterThanOrEqual(5_000);
  await world.terminal.release(ref);
  expect(await world.again().look(ref)).toMatchObject({ is: 'dead', drained: true });
});

test('a state folder with quotes, formats and spaces in its name is harmless', async () => {
  await using odd = tmuxWorld({ name: "we ird'#(touch x)%H" });
  const ref = await odd.start('echo here; pwd');
  expect(await ended(ref, odd)).toMatchObject({ exit: { status: 0 } });
  expect(odd.output(ref)).toContain('here');
  expect((await odd.terminal.attach(ref)).argv).toContain(join(odd.state, 'tmux', '1'));
  await odd.terminal.release(ref);
  expect([odd.state, dirname(odd.state), tmpdir(), process.cwd()].map((at) => existsSync(join(at, 'x')))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('the command sees its own environment and a tmux terminal, nothing of the server or of the caller', async () => {
  const caller = {
    TMUX: '/their/own,1,0',
    TMUX_PANE: '%7',
    TERM: 'xterm-kitty',
    COLUMNS: '9',
    LANG: 'C.UTF-8',
    MINE: "a'b\nc",
  };
  const ref = await world.start('env -0 | tr "\\0" "\\n"; stty size; tty >/dev/null && echo tty', caller);
  await ended(ref);
  const lines = world.output(ref).split('\r\n');
  expect(lines).toEqual(
    expect.arrayContaining(['TERM=tmux-256color', "MINE=a'b", 'c', '20 100', 'tty', 'LANG=C.UTF-8']),
  );
  expect(lines.filter((line) => /^(TMUX|COLUMNS|LINES|HOME|TERM_PROGRAM)/.test(line))).toEqual([]);
  const server = readFileSync(`/proc/${world.serverOf(ref).pid}/environ`, 'utf8').split('\0');
  expect(server.filter((entry) => !/^(PATH|HOME|TERM|LANG|LC_\w+)=/.test(entry))).toEqual(['']);
  await world.terminal.release(ref);
});

test('queries are answered with nobody attached', async () => {
  const ask = (query: string) => `stty raw -echo min 0 time 50; printf '${query}'; head -c 6 | cat -v`;
  const cursor = await world.start(ask('\\033[6n'));
  const device = await world.start(ask('\\033[c'));
  await printed(cursor, '^[[1;1R');
  await printed(device, '^[[?1;2');
});

test('the size is kept while nobody is attached, and a new one reaches the program', async () => {
  const ref = await world.start(`trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done`);
  await printed(ref, '20 100');
  await world.terminal.resize(ref, { columns: 71, rows: 13 });
  await printed(ref, '13 71');
  expect((await world.terminal.screen(ref)).columns).toBe(71);
});

test('the screen shows what a person would see, and its last state stays after the release', async () => {
  const ref = await world.start(`printf 'gone\\033[2J\\033[3;5Hgrüße  \\033[31mred'; read go`);
  const screen = await eventually(async () => {
    const seen = await world.terminal.screen(ref);
    return seen.rows[2] === '    grüße  red' ? seen : null;
  });
  expect(screen).toMatchObject({ columns: 100, cursor: { row: 2, column: 14 } });
  expect(screen.rows).toHaveLength(20);
  await world.terminal.write(ref, { kind: 'eof' });
  await ended(ref);
  const last = await world.terminal.screen(ref);
  await world.terminal.release(ref);
  expect(await world.again().screen(ref)).toEqual(last);
  rmSync(world.files(ref).screen);
  expect((await world.again().screen(ref)).rows[2]).toBe('    grüße  red');
});

test('a run that was opened but not recorded is found by its name', async () => {
  const ref = await world.start('exec cat');
  rmSync(world.files(ref).tmux);
  const later = world.again();
  expect(await later.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  await later.open(ref, launchOf('echo twice'), SIZE);
  await later.write(ref, { kind: 'bytes', bytes: Buffer.from('found\r') });
  await printed(ref, 'found');
  expect(world.output(ref)).not.toContain('twice');
});

test('a person attaches with the command that is given', async () => {
  const ref = await world.start('echo for people; exec cat');
  const { argv, detach } = await world.terminal.attach(ref);
  expect(argv.slice(-3)).toEqual(['attach-session', '-t', `=o-${ref.session}-1`]);
  expect(detach).toBe('Ctrl-b d');
  const person = await world.start(`exec ${argv.map((word) => `'${word}'`).join(' ')}`);
  await eventually(async () => (await world.terminal.screen(person)).rows[0] === 'for people');
  await world.terminal.write(person, { kind: 'bytes', bytes: Buffer.from('typed\r') });
  await printed(ref, 'typed');
  await world.terminal.write(person, { kind: 'keys', keys: ['C-b', 'd'] });
  await ended(person);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
});

test('titles, names and clipboards that a program sets are not run, and not passed to viewers', async () => {
  const marker = join(world.state, 'marker');
  const title = `secret#(touch ${marker})`;
  const codes = String.raw`\033]2;%s\007\033k%s\033\\\033]52;c;c2VjcmV0\007\033Ptmux;\033\033]52;c;c2VjcmV0\007\033\\`;
  const ref = await world.start(`read -r go; printf '${codes}' '${title}' '${title}'; echo all set; exec cat`);
  const { argv } = await world.terminal.attach(ref);
  const person = await world.start(`exec ${argv.map((word) => `'${word}'`).join(' ')}`);
  await eventually(() => world.tmux(ref, 'list-clients', '-t', `=o-${ref.session}-1`) !== '');
  await world.terminal.write(ref, { kind: 'keys', keys: ['Enter'] });
  await printed(person, 'all set');
  // A person sees it before it is in the file.
  await printed(ref, 'c2VjcmV0');
  expect(world.output(person)).not.toMatch(/c2VjcmV0|secret/);
  expect(world.tmux(ref, 'list-buffers')).toBe('');
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  expect(existsSync(marker)).toBe(false);
});

test('TERM is one whose terminfo entry the command can find', () => {
  const terminfo = join(world.state, 'terminfo');
  expect(terminalName({ HOME: '/none' }, [terminfo])).toBe('screen-256color');
  mkdirSync(join(terminfo, '74', 'tmux-256color'), { recursive: true });
  expect(terminalName({ HOME: '/none' }, [terminfo])).toBe('tmux-256color');
  expect(terminalName({ TERMINFO_DIRS: `/none:${terminfo}` }, [])).toBe('tmux-256color');
});

test('a path too long for a socket is refused with the remedy, before anything is started', async () => {
  await using long = tmuxWorld({ name: 'x'.repeat(90) });
  await expect(long.start('true')).rejects.toMatchObject({ code: 'state_unusable', message: /path has \d+ bytes/ });
});

test('without tmux on PATH the error says so', async () => {
  const asked = askTmux({ at: { socket: '/none' }, clock: realClock(), env: { PATH: '/no/such' } }, ['list-sessions']);
  await expect(asked).rejects.toMatchObject({ code: 'terminal_missing', message: /not on PATH/ });
});

test('programs that were installed without our settings are noticed at once', () => {
  expect(() => tmux({ state: world.state, programs: installPrograms(world.state), clock: realClock() })).toThrow(
    /tmux.conf/,
  );
});
