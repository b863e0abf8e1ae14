import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, expect, test } from 'vitest';
import { aSession } from '../../src/testing/session-view.ts';
import { eventually } from '../eventually.ts';
import { fakeDaemon } from '../fake-daemon.ts';
import { World } from '../world.ts';
import { gatedWorld, person } from './gated.ts';

// `outlast top` as a person uses it: in a real tmux, with keys.

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const world = await gatedWorld();
const ana = person(world, 'ana');

/** A terminal in a tmux of its own, with a shell in it. */
class Screen implements AsyncDisposable {
  readonly #socket = join(world.state, `tmux-${Math.random().toString(36).slice(2)}`);

  constructor(size: { columns: number; rows: number }, words: readonly string[] = ['top']) {
    const env = { ...world.env, HOME: ana.home, USER: 'ana', LANG: 'C.UTF-8', TERM: 'xterm-256color' };
    const line = `'${process.execPath}' '${BIN}' ${words.join(' ')}; echo "left with $?"; exec cat`;
    const sized = ['-x', String(size.columns), '-y', String(size.rows)];
    const argv = ['-u', '-S', this.#socket, '-f', '/dev/null', 'new-session', '-d', '-s', 't', ...sized, line];
    execFileSync('tmux', argv, { env, cwd: ana.workspace });
  }

  tmux(...words: string[]): string {
    return execFileSync('tmux', ['-u', '-S', this.#socket, ...words], { encoding: 'utf8' });
  }

  press(...keys: string[]): void {
    this.tmux('send-keys', '-t', 't', ...keys);
  }

  type(text: string): void {
    this.tmux('send-keys', '-t', 't', '-l', text);
  }

  rows(): string[] {
    return this.tmux('capture-pane', '-t', 't', '-p').split('\n');
  }

  /** Waits until the screen has all of these texts and returns it. */
  shows(...texts: (string | RegExp)[]): Promise<string> {
    const seen = (): string => {
      const all = this.rows().join('\n');
      const isMissing = (text: string | RegExp): boolean =>
        typeof text === 'string' ? !all.includes(text) : !text.test(all);
      if (texts.some(isMissing)) throw new Error(`the screen is:\n${all}`);
      return all;
    };
    return eventually(seen, { what: texts.join(' and ') });
  }

  /** Selects this session. The board may be sorted again while keys are on their way: then they are pressed again. */
  async select(name: string): Promise<void> {
    const isOf = (row: string): boolean => row.slice(3).startsWith(`${name} `);
    const isSelected = (): boolean => this.rows().some((row) => row.startsWith('>') && isOf(row));
    const press = (): void => {
      const sessions = this.rows().filter((row) => /^[ >][▲●◷○✓✕] /.test(row));
      const place = sessions.findIndex(isOf);
      if (place >= 0) this.press('Home', ...Array.from({ length: place }, () => 'Down'));
    };
    await eventually(
      async () => {
        press();
        return eventually(isSelected, { msMax: 2_000, what: `the selection of ${name}` });
      },
      { what: `the selection of ${name}` },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.tmux('kill-server');
  }
}

afterAll(() => world[Symbol.asyncDispose]());

test('a person sees what needs them, decides it with its diff, prompts, filters and stops', async () => {
  writeFileSync(join(ana.workspace, 'settings.ts'), 'port = 3000;\n');
  const edit = { file_path: join(ana.workspace, 'settings.ts'), old_string: '3000', new_string: '8080' };
  const step = { tool: 'Edit', input: edit };
  await ana.cli(['exec', '-b', '--name', 'server', '--', 'sh', '-c', 'echo listening; exec sleep 1000']);
  const api = await ana.start([step, step], '--gate', '--name', 'api');
  const script = 'SCRIPT{"steps":[{"text":"All is well."}]}SCRIPT';
  await ana.cli(['start', '--agent', 'scripted', '--name', 'docs', script]);
  await ana.pendingApproval(api);
  await using screen = new Screen({ columns: 80, rows: 24 });
  const board = await screen.shows(
    'NEEDS YOU 1',
    /> *▲ api +1 to approve .*Edit settings\.ts/,
    'WORKING 1',
    'listening',
  );
  await screen.shows(/○ docs +idle .* All is well\.$/m);
  expect(board).toContain('outlast top  1 needs you');
  // The key shows the approval; only another one, on what is shown then, decides it.
  screen.press('y');
  await screen.shows('-port = 3000;', '+port = 8080;', 'y approve');
  expect(ana.file('settings.ts')).toBe('port = 3000;\n');
  await eventually(() => {
    if (screen.rows().some((row) => row.includes('+port = 8080;'))) screen.press('y');
    return ana.file('settings.ts') === 'port = 8080;\n';
  });
  // The second question is denied, with a reason.
  await ana.pendingApproval(api);
  await screen.shows(/Allowed Edit of api|1 to approve/);
  screen.press('Escape');
  await screen.select('api');
  screen.press('n');
  await screen.shows('y approve', 'n deny');
  await eventually(() => {
    if (screen.rows().every((row) => !row.includes('Why?'))) screen.press('n');
    return screen.rows().some((row) => row.includes('Deny. Why?'));
  });
  screen.type('not twice');
  screen.press('Enter');
  await screen.shows('Denied Edit of api.');
  expect((await ana.cli(['audit', '--session', api])).stdout).toMatch(/denied Edit \w+ by ana: not twice/);
  // A prompt.
  await screen.select('docs');
  screen.press('p');
  await screen.shows('Prompt for docs:');
  screen.type('SCRIPT{"steps":[{"text":"Once more."}]}SCRIPT');
  screen.press('Enter');
  await screen.shows(/(Queued the prompt for|Sent the prompt to) docs\./);
  await eventually(async () => (await world.client.show('docs')).session.lastTurn?.text.includes('Once more'));
  // A filter, and a stop after a question.
  screen.press('/');
  screen.type('listen');
  await screen.shows('Filter: listen', 'server');
  expect(screen.rows().join('\n')).not.toContain('docs');
  screen.press('Enter');
  screen.press('s');
  await screen.shows('Stop server and everything it started?');
  screen.press('n');
  await screen.shows('Not stopped.');
  screen.press('s');
  await screen.shows('Stop server and everything it started?');
  screen.press('y');
  await screen.shows('server: stopped by ana.', /✕ server +stopped by …/);
  screen.press('q');
  await screen.shows('left with 0');
});

test('the tree, another size, the logs, and a daemon that dies, is stopped and comes back', async () => {
  await ana.cli(['exec', '-b', '--name', 'ticker', '--', 'sh', '-c', 'echo tick; exec sleep 1000']);
  await using screen = new Screen({ columns: 80, rows: 24 });
  await screen.shows('ticker', 'tick');
  screen.press('t');
  await eventually(() => screen.rows().every((row) => !row.startsWith('WORKING')));
  screen.press('t');
  await screen.shows('WORKING');
  screen.tmux('resize-window', '-t', 't', '-x', '120', '-y', '12');
  await screen.shows('Tab next that needs you');
  expect(screen.rows().filter((row) => row !== '')).not.toHaveLength(0);
  screen.tmux('resize-window', '-t', 't', '-x', '80', '-y', '24');
  await screen.select('ticker');
  screen.press('l');
  await eventually(() => {
    const all = screen.rows().join(' ');
    return all.includes('tick') && !all.includes('outlast top');
  });
  screen.press('C-c');
  await screen.shows('outlast top', 'WORKING');
  await world.kill();
  // It starts the next one itself, as every follower does.
  await screen.shows(/sessions keep running|started \S+( \S+)? ago/);
  await eventually(async () => (await world.client.daemonStatus()).pid > 0);
  await screen.shows('outlast top', 'ticker', /\? help/);
  await eventually(() => screen.rows().every((row) => !row.includes('Reconnecting')));
  // One that somebody stopped stays stopped.
  await ana.cli(['daemon', 'stop']);
  await screen.shows('The daemon was stopped at', 'outlast daemon start');
  await ana.cli(['daemon', 'start']);
  await eventually(() => screen.rows().every((row) => !row.includes('The daemon was stopped')));
  screen.tmux('run-shell', 'kill -TERM $(ps -o pid= --ppid #{pane_pid} | head -1)');
  await screen.shows('left with 143');
  // The terminal is as it was: the cursor is there, and what was typed before is on the screen.
  expect(screen.tmux('display-message', '-t', 't', '-p', '#{alternate_on} #{cursor_flag} #{wrap_flag}').trim()).toBe(
    '0 1 1',
  );
});

test('--plain prints lines of words and no control sequence', async () => {
  await ana.cli(['exec', '--name', 'gone', '--', 'sh', '-c', 'echo last words; exit 3']);
  await using screen = new Screen({ columns: 100, rows: 30 }, ['top', '--plain', '|', 'cat', '-v']);
  const all = await screen.shows(/^\d\d:\d\d:\d\d gone: exit 3: last words$/m);
  expect(all).not.toContain('^[');
  await ana.cli(['exec', '--name', 'next', '--', 'true']);
  await screen.shows(/^\d\d:\d\d:\d\d next: exit 0$/m);
});

test('without a terminal, top says what to use instead', async () => {
  const { status, stderr } = await ana.cli(['top']);
  expect([status, stderr]).toEqual([
    2,
    'outlast: top needs a terminal; for one line per change, use outlast top --plain\n',
  ]);
});

test('1,000 sessions that change without a pause: nothing is cleared, and few bytes are written', async () => {
  await using other = new World();
  const rowOf = (n: number, turn: number) => ({
    ...aSession({ id: `01${String(n).padStart(5, '0')}`, name: `s${n}`, lastSignAtMs: 1_700_000_000_000 }),
    line: `line ${turn}`,
  });
  const ROUNDS = 20;
  const daemon = await fakeDaemon(other.state, {
    'session.watch': async function* () {
      for (let turn = 0; turn <= ROUNDS; turn += 1) {
        for (let n = 0; n < 1_000; n += 1) yield { is: 'row', row: rowOf(n, turn) };
        if (turn === 0) yield { is: 'complete' };
      }
      await new Promise(() => {});
    },
  });
  const env = { ...other.env, LANG: 'C.UTF-8', TERM: 'xterm-256color' } as Record<string, string>;
  const pty = spawn(process.execPath, [BIN, 'top'], { cols: 80, rows: 24, env });
  let bytes = '';
  pty.onData((data) => {
    bytes += data;
  });
  const left = new Promise((resolve) => pty.onExit(resolve));
  await eventually(() => bytes.includes(`line ${ROUNDS}`), { what: 'the last round' });
  pty.write('q');
  await left;
  await daemon.close();
  expect(bytes.split('\x1b[2J')).toHaveLength(2);
  expect(bytes.split('\x1b[?2026h')).toHaveLength(bytes.split('\x1b[?2026l').length);
  // A full screen, and at most 20 rows of each round: without the difference it would be 40 times 2 kB for each.
  expect(bytes.length).toBeLessThan(3_000 + ROUNDS * 20 * 30);
  // Between begin and end of an update, so that no half of it is seen.
  const outside = bytes.replaceAll(/\x1b\[\?2026h.*?\x1b\[\?2026l/gs, '');
  expect(outside).not.toMatch(/line \d/);
});
