import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { person } from '../../src/core/actor.ts';
import type { PromptId } from '../../src/core/session.ts';
import { sessionFolder } from '../../src/terminal/run-folder.ts';
import { asked } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';
import { JournalWorld } from './journal-world.ts';
import { keys, lines, mirrorOf, read, seqs, written } from './mirror-world.ts';

test('the folder of a command has its whole story, and `done` comes last', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make({ name: 'build', argv: ['make', 'a\nb'] });
  session.open(1).print(1, 'one\n\u001b[31mtwo\u001b[0m\n').close(1, 7).end(7);
  await written(session);
  const files = readdirSync(sessionFolder(world.state, session.id)).sort();
  expect(files).toEqual(['done', 'events.jsonl', 'exit_code', 'manifest', 'output.log', 'pid', 'runs']);
  const first = (name: string): number => statSync(session.file(name)).mtimeMs;
  for (const name of files) expect(first(name)).toBeLessThanOrEqual(first('done'));
  expect([read(session, 'exit_code'), read(session, 'pid'), read(session, 'done')]).toEqual(['7\n', '41\n', '']);
  expect(read(session, 'output.log')).toBe('one\ntwo\n');
  expect(lines(session).map(({ event }) => event)).toEqual([
    'session.created',
    'run.starting',
    'run.opened',
    'run.ended',
    'session.ended',
  ]);
  expect(lines(session)[0]?.ts).toMatch(/^\d{4}-.*Z$/);
  expect(keys(session)).toMatchObject({
    id: session.id,
    name: 'build',
    phase: 'ended',
    outcome: 'done',
    command: 'make a b',
  });
  expect(keys(session)).toMatchObject({ status: 'failed', exit_code: '7', project_dir: '/tmp', session_name: 'build' });
  expect(statSync(session.file('manifest')).mode & 0o777).toBe(0o600);
  expect(statSync(session.file('events.jsonl')).mode & 0o777).toBe(0o600);
  expect(statSync(session.file('output.log')).mode & 0o777).toBe(0o600);
  await mirror.stop();
  world.journal.close();
});

test('the folder of an agent shows its turns as they come', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world
    .make({ drive: 'turns' })
    .queue('a', 'fix the \u001b[1mtests')
    .queue('b', 'then rest')
    .open(1, 'a');
  session.accept('a').put({
    type: 'tool.called',
    run: 1,
    call: 'c',
    tool: 'Bash',
    input: '{"command":"npm test"}',
    subagent: null,
  });
  const log = await eventually(() => existsSync(session.file('output.log')) && read(session, 'output.log'));
  expect(log.replaceAll(/\[[^\]]+Z\]/g, '[]')).toBe('[] prompt\nfix the tests\n\n[] Bash {"command":"npm test"}\n');
  expect(read(session, 'prompt')).toBe('fix the \u001b[1mtests');
  expect(keys(session)).toMatchObject({ phase: 'working', status: 'running', prompts: '2', agent: 'scripted' });
  session.answer('a', 'all green').close(1).open(2, 'b').accept('b');
  session.put({ type: 'prompt.failed', prompt: 'b' as PromptId, error: 'no credit' }).close(2);
  await eventually(() => read(session, 'output.log').endsWith('failed\nno credit\n\n'));
  expect(read(session, 'output.log').replaceAll(/\[[^\]]+Z\]/g, '[]')).toMatch(
    /all green\n\n\[\] prompt\nthen rest\n\n\[\] f/,
  );
  session.queue('c');
  await eventually(() => keys(session).prompts === '1');
  expect(read(session, 'prompt')).toBe('fix the \u001b[1mtests');
  expect(existsSync(session.file('done'))).toBe(false);
  await mirror.stop();
});

test('a resumed session is not done any more', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make({ drive: 'turns' }).queue('a').turn(1, 'a').end();
  await written(session);
  session.put({ type: 'session.resumed', by: person('ann') });
  await eventually(() => !existsSync(session.file('done')) && !existsSync(session.file('exit_code')));
  expect(keys(session).phase).toBe('idle');
  await mirror.stop();
});

test('the log of a running command grows by itself, also under a restarted daemon', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make().open(1).print(1, 'one\n');
  await eventually(() => existsSync(session.file('output.log')) && read(session, 'output.log') === 'one\n');
  const { ino } = statSync(session.file('output.log'));
  await mirror.stop();
  session.print(1, 'two\n');
  const again = mirrorOf(world);
  await eventually(() => read(session, 'output.log') === 'one\ntwo\n');
  session.print(1, 'three\n');
  await eventually(() => read(session, 'output.log') === 'one\ntwo\nthree\n');
  // The same file: a follower sees nothing twice.
  expect(statSync(session.file('output.log')).ino).toBe(ino);
  await again.stop();
});

test('a log stays within its cap and keeps its end, and `tail -F` follows it', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world, 64 * 1024);
  const session = world.make({ drive: 'turns' }).queue('a');
  await eventually(() => existsSync(session.file('output.log')));
  const tail = spawn('tail', ['-n', '+1', '-F', session.file('output.log')], { stdio: ['ignore', 'pipe', 'ignore'] });
  let seen = '';
  tail.stdout.on('data', (piece) => {
    seen += piece;
  });
  try {
    for (let run = 1; run <= 6; run += 1) {
      session.queue(`p${run}`, `${'word '.repeat(4_000)}\nend of ${run} ü`).turn(run, `p${run}`);
      await eventually(() => read(session, 'output.log').includes(`did p${run}`));
      expect(statSync(session.file('output.log')).size).toBeLessThanOrEqual(64 * 1024);
      await eventually(() => seen.includes(`did p${run}`), { what: `turn ${run} in tail -F` });
    }
    // It starts with a whole line.
    expect(read(session, 'output.log')).toMatch(/^\[earlier text is left out here\]\n(end of|did|\[|\n)/);
    expect(read(session, 'output.log')).not.toContain('\uFFFD');
  } finally {
    tail.kill('SIGKILL');
    await mirror.stop();
  }
});

test('a command that printed more than the cap has the end of it in its log', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world, 64 * 1024);
  const session = world
    .make()
    .open(1)
    .print(1, `${'early\n'.repeat(100_000)}late\n`)
    .close(1)
    .end();
  await written(session);
  expect(read(session, 'output.log')).toMatch(/^\[earlier output is left out here\]\n(\w*\n)?(early\n)+late\n$/);
  expect(statSync(session.file('output.log')).size).toBeLessThanOrEqual(64 * 1024);
  await mirror.stop();
});

test('sessions from before the first start are left alone, unless they continue', async () => {
  using world = new JournalWorld();
  const old = world.make().open(1).close(1).end();
  const live = world.make({ drive: 'turns' }).queue('a').open(1, 'a');
  const mirror = mirrorOf(world);
  live.accept('a').put(asked('q'));
  await eventually(() => existsSync(live.file('manifest')) && keys(live).phase === 'blocked');
  expect(seqs(live)).toHaveLength(7);
  await mirror.stop();
  expect(existsSync(old.file('manifest'))).toBe(false);
});

test('a short command is written once, when it has ended; one that keeps running is there soon', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const short = world.make();
  const long = world.make().open(1);
  await eventually(() => existsSync(long.file('pid')), { msMax: 30_000 });
  expect(keys(long).phase).toBe('working');
  const next = world.make();
  const sentinel = world.make({ drive: 'turns' });
  await eventually(() => existsSync(sentinel.file('manifest')));
  // Both were read at once: the command is delayed for a moment.
  expect(existsSync(next.file('manifest'))).toBe(false);
  for (const session of [short, next]) session.open(1).close(1).end();
  await written(next);
  await written(short);
  expect([seqs(next), seqs(short)]).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
  await mirror.stop();
});

test('many short commands are mirrored with hardly a durable write', async () => {
  using world = new JournalWorld();
  let saves = 0;
  const { journal } = world;
  const saveCursor = journal.saveCursor.bind(journal);
  journal.saveCursor = (reader, position) => {
    saves += 1;
    saveCursor(reader, position);
  };
  const mirror = mirrorOf(world);
  const all = Array.from({ length: 300 }, () => world.make().open(1).print(1, 'hi\n').close(1).end());
  // Not only at the end: a killed daemon must not start from far behind.
  await eventually(() => journal.cursor('mirror') >= 1_000);
  await mirror.stop();
  expect(all.filter((session) => !existsSync(session.file('done')))).toEqual([]);
  expect(saves).toBeLessThanOrEqual(3 + (300 * 5) / 500);
});
