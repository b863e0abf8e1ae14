import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCRIPTS } from '../../src/cli/commands/completion.ts';
import { aSession } from '../../src/testing/session-view.ts';
import { COMPILED } from '../compiled.ts';
import { eventually } from '../eventually.ts';
import { cliWorld } from './cli-world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const ANSWERS = {
  'session.list': () => ({ sessions: [aSession({ name: 'fix-tests' })], more: false }),
  'approval.list': () => ({ approvals: [] }),
};

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '--norc', '--noprofile', '-i'],
  zsh: ['zsh', '-f', '-i'],
  fish: ['fish', '--no-config', '-i'],
};

const PREPARE: Readonly<Record<string, string>> = { bash: '', zsh: 'autoload -U compinit; compinit -u -D; ', fish: '' };

/** What is typed before Tab, and what is on the line after it. */
const TYPED = [
  ['outlast run --agent code', 'outlast run --agent codex'],
  ['outlast start --model=sonnet-l', 'outlast start --model=sonnet-latest'],
  ['outlast wait --for event:run.end', 'outlast wait --for event:run.ended'],
  ['outlast show fix', 'outlast show fix-tests'],
  ['outlast process send', 'outlast process send-keys'],
] as const;

test.concurrent.each(Object.keys(COMMANDS))('%s completes values with Tab, as a person types', async (shell) => {
  await using world = await cliWorld(ANSWERS);
  const folder = join(world.state, 'bin');
  mkdirSync(folder);
  const program = join(folder, 'outlast');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(program, 0o755);
  const script = join(folder, `completion.${shell}`);
  writeFileSync(script, SCRIPTS[shell] ?? '');
  const socket = join(world.state, 'tmux');
  const tmux = (...words: string[]): string => execFileSync('tmux', ['-S', socket, ...words], { encoding: 'utf8' });
  const env = [`PATH=${folder}:${process.env.PATH}`, `HOME=${world.state}`, `OUTLAST_STATE=${world.state}`, 'PS1=$ '];
  const words = ['env', '-i', 'TERM=xterm', 'LC_ALL=C.UTF-8', `XDG_CACHE_HOME=${COMPILED}`, ...env];
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '40', ...words, ...(COMMANDS[shell] ?? []));
  try {
    const screen = (): string => tmux('capture-pane', '-p', '-J');
    const type = (text: string, ...keys: string[]): void => {
      tmux('send-keys', '-l', text);
      tmux('send-keys', ...keys);
    };
    // The prompt of each shell is another one: that it runs commands shows that it is ready.
    type(`${PREPARE[shell]}source ${script}; echo re''ady`, 'Enter');
    await eventually(() => screen().includes('\nready'), { msMax: 60_000, what: `${shell} is ready` });
    for (const [before, after] of TYPED) {
      type(before, 'Tab');
      await eventually(() => new RegExp(`${after}(?: |$)`, 'm').test(screen()), {
        msMax: 60_000,
        what: `${shell}: ${after}`,
      });
      // Not C-c: a shell that handles a signal drops what was typed right after it.
      tmux('send-keys', 'C-u');
      tmux('send-keys', 'C-l');
    }
  } finally {
    tmux('kill-server');
  }
  expect(world.daemon.calls.every(({ name }) => name === 'session.list')).toBe(true);
});

test('completion of a value starts no daemon, and says nothing without one', async () => {
  await using world = await cliWorld({});
  await world.daemon.close();
  const words = async (...line: string[]): Promise<string> => (await world.inside(['__complete', '--', ...line])).out;
  expect(await words('show', '')).toBe('');
  expect(await words('run', '--agent', 'cod')).toBe('codex\t\n');
  expect(await words('run', '--agent=cod')).toBe('--agent=codex\t\n');
  // Bash makes words of what is around = and :.
  expect(await words('run', '--agent', '=', 'cod')).toBe('codex\t\n');
  expect(await words('wait', '--for', 'event', ':', 'run.end')).toBe('run.ended\t\n');
  expect(await words('wait', '--for', 'held,appr')).toBe('held,approval\t\n');
  expect(await words('list', '--state', 'he')).toBe('held\t\n');
  expect(await words('list', '--color', 'n')).toBe('never\t\n');
  expect(await words('prompt', 'api', '')).toBe('');
});
