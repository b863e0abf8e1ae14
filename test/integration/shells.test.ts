import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeActions } from '../../src/agent/claude/actions.ts';
import { realClock } from '../../src/base/clock.ts';
import { shellScript } from '../../src/cli/commands/shell-init.ts';
import { fold } from '../../src/core/fold.ts';
import type { Shell } from '../../src/core/session.ts';
import { Reads } from '../../src/daemon/notices/reads.ts';
import { ShellAnnouncer } from '../../src/daemon/notices/shells.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { systemTable } from '../../src/terminal/process-table.ts';
import { eventually } from '../eventually.ts';
import { type Ended, putEnded } from './notice-world.ts';

const ME: Shell = { id: `${process.pid}-1`, start: systemTable().row(process.pid)?.start ?? '' };

/** A journal and the lines for shells; a second `start` is a restarted daemon. */
function shellWorld() {
  const state = mkdtempSync(join(tmpdir(), 'outlast-shells-'));
  const journal = memoryJournal();
  const reads = new Reads();
  const running: ShellAnnouncer[] = [];
  const folder = join(state, 'shells', ME.id);
  const messages = (): string[] => (existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('-')) : []);
  return {
    ...{ state, journal, reads, folder, messages },
    end: (ended: Ended = {}, shell: Shell = ME) =>
      putEnded(journal, state, { ...ended, spec: { name: 'fix', shell, ...ended.spec } }),
    start(): ShellAnnouncer {
      const parts = { journal: journal as typeof journal & { id: string }, clock: realClock(), state, reads };
      const started = new ShellAnnouncer({
        ...parts,
        log: () => {},
        describe: (id) => fold(journal.session(id).events),
        actions: (_, ...call) => claudeActions(...call),
      });
      running.push(started);
      return started;
    },
    /** What the hook of a shell prints. */
    prompt(): string {
      const script = shellScript('bash', state) ?? '';
      const tell = /sh -c '([^']*)'/.exec(script)?.[1] ?? '';
      return execFileSync('sh', ['-c', tell, 'outlast', folder], { encoding: 'utf8' });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((one) => one.stop()));
      rmSync(state, { recursive: true, force: true });
    },
  };
}

test('an end is told once to the shell that started the session, in a folder of this user only', async () => {
  await using world = shellWorld();
  world.start();
  const id = world.end({ output: 'All pass.\n' });
  await eventually(() => existsSync(join(world.folder, 'new')));
  expect([statSync(join(world.state, 'shells')).mode & 0o777, statSync(world.folder).mode & 0o777]).toEqual([
    0o700, 0o700,
  ]);
  expect(world.prompt()).toBe(`outlast: npm test (fix) ended: exit 0, 42s\n  All pass.\n  outlast output ${id}\n`);
  expect(world.prompt()).toBe('');
  expect(readdirSync(world.folder)).toEqual(['seen']);
});

test('a daemon that died before it saved its position tells nothing twice, and misses nothing', async () => {
  await using world = shellWorld();
  const first = world.start();
  const before = world.journal.cursor('announce:shell');
  world.end({ spec: { name: 'one' } });
  await eventually(() => world.messages().length === 1);
  await first.stop();
  // The message was written and printed, and the position was not saved.
  world.journal.saveCursor('announce:shell', before);
  expect(world.prompt()).toContain('(one) ended');
  world.end({ spec: { name: 'two' } });
  world.start();
  await eventually(() => world.messages().length === 1);
  expect(world.prompt()).toMatch(/^outlast: npm test \(two\) ended/);
});

test('what was printed in an earlier journal does not hide what happens in a restored one', async () => {
  await using world = shellWorld();
  mkdirSync(world.folder, { recursive: true });
  writeFileSync(join(world.folder, 'seen'), 'zzzzzz-0000000000009999\n');
  world.start();
  world.end();
  await eventually(() => world.messages().length === 1);
});

test('nothing is left for a shell that is gone, or whose pid another process has', async () => {
  await using world = shellWorld();
  const gone = join(world.state, 'shells', '999999999-1');
  mkdirSync(gone, { recursive: true });
  world.start();
  expect(existsSync(gone)).toBe(false);
  world.end({ spec: { name: 'gone' } }, { id: '999999999-1', start: '1' });
  world.end({ spec: { name: 'other' } }, { id: `${process.pid}-2`, start: 'another time' });
  world.end({ spec: { name: 'mine' } });
  await eventually(() => world.messages().length === 1);
  expect(readdirSync(join(world.state, 'shells'))).toEqual([ME.id]);
});

test('what was read is not told, whether before or after it was written', async () => {
  await using world = shellWorld();
  const shells = world.start();
  const early = world.end({ spec: { name: 'early' } });
  world.reads.note(early, world.journal.head());
  const late = world.end({ spec: { name: 'late' } });
  await eventually(() => world.messages().length === 1);
  shells.read(late, world.journal.head());
  expect(world.messages()).toEqual([]);
  expect(world.prompt()).toBe('');
});

test('many messages are short, at most twenty, and the rest is counted', async () => {
  await using world = shellWorld();
  world.start();
  for (let i = 0; i < 22; i += 1) world.end({ spec: { name: `n${i}` } });
  await eventually(() => world.messages().length === 22);
  const lines = world.prompt().trimEnd().split('\n');
  expect(lines).toHaveLength(21);
  expect(lines[0]).toMatch(/^outlast: npm test \(n0\) ended/);
  expect(lines.at(-1)).toBe('outlast: and 2 more; see outlast list');
});

test('a line at a prompt has no escape of an agent', async () => {
  await using world = shellWorld();
  world.start();
  world.end({ spec: { argv: ['x\x1b]0;evil\x07\u202e'] }, output: '\x1b[2J\x9b31mred\r\nline\x07\n' });
  await eventually(() => world.messages().length === 1);
  const file = readFileSync(join(world.folder, world.messages()[0] ?? ''), 'utf8');
  expect(file).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  expect(world.prompt()).toContain('red');
});
