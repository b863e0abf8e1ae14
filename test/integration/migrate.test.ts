import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { person } from '../../src/core/actor.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { ConversationId, Fault, Outcome } from '../../src/core/session.ts';
import { sessionFolder } from '../../src/terminal/run-folder.ts';
import { eventually } from '../eventually.ts';
import { type JournalSession, JournalWorld } from './journal-world.ts';
import { keys, mirrorOf, read, written } from './mirror-world.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/session-folder.md'), 'utf8');

/** What a section of the guide says about each name. */
function table(heading: string): Map<string, string> {
  const section = GUIDE.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| `([^`]+)` \| (kept|renamed|dropped|new) \| \S/gm)];
  return new Map(rows.map(([, name = '', now = '']) => [name, now]));
}

const namesIn = (heading: string, ...words: string[]): string[] =>
  [...table(heading)].flatMap(([name, now]) => (words.includes(now) ? [name] : [])).sort();

const crash: Fault = { kind: 'exited', exit: { status: 137 } };
const hang: Fault = { kind: 'stalled', silentMs: 900_000, signs: ['no tool at work'] };
const broken = (run: number, fault: Fault): EventBody => ({ type: 'run.faulted', run, fault, retryAtMs: 5_000 });
const ended = (outcome: Outcome): EventBody => ({ type: 'session.ended', outcome });
const abandoned = (fault: Fault, why?: string): EventBody =>
  ended({ kind: 'abandoned', fault, ...(why === undefined ? {} : { why }) });

/** Sessions that together have everything a manifest can contain. */
function everything(world: JournalWorld): JournalSession[] {
  const live = () => world.make({ drive: 'live', terminal: 'pty' }).open(1);
  const agent = (name?: string) =>
    world
      .make({ drive: 'turns', ...(name && { name }) })
      .queue('a')
      .open(1, 'a');
  return [
    world.make({ name: 'good' }).open(1).print(1, 'x\n').close(1).end(),
    world.make().open(1).close(1, 7).end(7),
    world
      .make()
      .open(1)
      .put(
        { type: 'run.ended', run: 1, exit: null, outputBytes: 0, complete: false },
        abandoned({ kind: 'lost', reboot: false }),
      ),
    world.make().put(abandoned({ kind: 'unstarted', why: 'missing' })),
    world
      .make()
      .open(1)
      .close(1, 137)
      .put(abandoned({ kind: 'memory', bytes: 1 << 30 })),
    world
      .make()
      .open(1)
      .close(1, 143)
      .put(ended({ kind: 'stopped', by: person('ann') })),
    agent('going')
      .accept('a')
      .put({
        type: 'conversation.opened',
        run: 1,
        conversation: 'c-1' as ConversationId,
        transcript: '/t.jsonl',
        source: 'startup',
      }),
    agent().put(ended({ kind: 'failed', error: 'no credit' })),
    agent().put(broken(1, crash)),
    agent().put(broken(1, hang)),
    agent().put(broken(1, crash)).open(2).put(broken(2, crash), abandoned(crash, 'it was resumed 1 times')),
    agent().put(abandoned({ kind: 'deadline', afterMs: 18_000_000 })),
    live().put({ type: 'session.held', run: 1, why: { kind: 'trust', text: 'Is it trusted?' } }),
    live().put({ type: 'session.held', run: 1, why: { kind: 'billing', text: 'Pay first.', needsResume: true } }),
    live().put({ type: 'control.taken', by: person('ann'), how: 'handoff' }),
  ];
}

/** All sessions, once each is written in its current state. */
async function mirrored(world: JournalWorld): Promise<JournalSession[]> {
  const mirror = mirrorOf(world);
  const all = everything(world);
  await mirror.stop();
  return all;
}

const valuesOf = (all: readonly JournalSession[], key: string): string[] =>
  [...new Set(all.flatMap((session) => keys(session)[key] ?? []))].sort();

test('the guide names every file and key of the old system', () => {
  const files =
    'prompt manifest pid output.log exit_code done resume monitor.pid monitor.trace monitor.log manifest.lock';
  const old =
    'task_name model project_dir session_name pid tmpdir started_at status finished_at exit_code monitor_signal ' +
    'retry_count last_checked_at pane_state abandon_reason abandoned_at';
  expect(namesIn('Files', 'kept', 'renamed', 'dropped')).toEqual(files.split(' ').sort());
  expect(namesIn('Keys of the manifest', 'kept', 'renamed', 'dropped')).toEqual(old.split(' ').sort());
  expect(namesIn('`status`', 'kept')).toEqual('abandoned completed crashed failed hung running'.split(' '));
  expect([...table('`pane_state`').keys()]).toEqual(['waiting_for_input', 'crash_text', 'upgrade_nag']);
  expect(namesIn('`abandon_reason`', 'kept', 'dropped')).toEqual(['max_retries_exceeded', 'waiting_for_input']);
});

test('the files of the guide are those that are written', async () => {
  using world = new JournalWorld();
  const all = await mirrored(world);
  const files = new Set(all.flatMap((session) => readdirSync(sessionFolder(world.state, session.id))));
  expect([...files].sort()).toEqual(namesIn('Files', 'kept', 'new'));
});

test('the keys and words of the guide are those that are written', async () => {
  using world = new JournalWorld();
  const all = await mirrored(world);
  const gap = world.make().open(1).put({ type: 'run.gapped', run: 1, atBytes: 0, why: 'sink' });
  await mirrorOf(world).stop();
  const found = new Set([...all, gap].flatMap((session) => Object.keys(keys(session))));
  expect([...found].sort()).toEqual([...namesIn('Keys of the manifest', 'kept'), ...namesIn('New keys', 'new')].sort());
  for (const key of ['status', 'pane_state', 'abandon_reason']) {
    expect(valuesOf(all, key)).toEqual(namesIn(`\`${key}\``, 'kept', 'new'));
  }
});

test('resumes are counted and dated, and only an open dialog is a state of the pane', async () => {
  using world = new JournalWorld();
  const all = await mirrored(world);
  const given = all.find((session) => keys(session).abandon_reason === 'max_retries_exceeded');
  expect(given && keys(given)).toMatchObject({
    status: 'abandoned',
    retry_count: '1',
    why: expect.stringMatching(/137/),
  });
  expect(given && keys(given).last_checked_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(given && keys(given).abandoned_at).toMatch(/Z$/);
  expect(given && keys(given).finished_at).toBeUndefined();
  const held = all.map(keys).filter(({ phase }) => phase === 'held');
  expect(held.map(({ pane_state, status }) => [pane_state, status])).toEqual([
    ['waiting_for_input', 'running'],
    [undefined, 'running'],
  ]);
  expect(all.map(keys).find(({ name }) => name === 'good')?.retry_count).toBeUndefined();
  expect(all.map(keys).find(({ name }) => name === 'going')).toMatchObject({ retry_count: '0', status: 'running' });
});

test('a resume is still dated after a restart of the daemon', async () => {
  using world = new JournalWorld();
  const all = await mirrored(world);
  const dated = all.find((session) => keys(session).last_checked_at !== undefined);
  const going = world.make({ drive: 'turns' }).queue('a').open(1, 'a').put(broken(1, crash)).open(2);
  await mirrorOf(world).stop();
  const before = keys(going).last_checked_at;
  going.accept('a');
  await mirrorOf(world).stop();
  expect([keys(going).phase, keys(going).last_checked_at]).toEqual(['working', before]);
  expect([before, dated]).not.toContain(undefined);
});

test('`tail -f output.log` and `grep ^status= manifest` work while it runs and after it ended', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make({ drive: 'turns' }).queue('a', 'first words').open(1, 'a').accept('a');
  await eventually(() => existsSync(session.file('output.log')) && read(session, 'output.log').includes('first words'));
  const tail = spawn('tail', ['-n', '+1', '-f', session.file('output.log')], { stdio: ['ignore', 'pipe', 'ignore'] });
  let seen = '';
  tail.stdout.on('data', (piece) => {
    seen += piece;
  });
  const grep = (): string => execFileSync('grep', ['^status=', session.file('manifest')], { encoding: 'utf8' });
  try {
    await eventually(() => seen.includes('first words'), { what: 'the prompt in tail -f' });
    expect(grep()).toBe('status=running\n');
    session.put(broken(1, hang));
    await eventually(() => grep() === 'status=hung\n');
    session.open(2).accept('a');
    await eventually(() => grep() === 'status=running\n');
    session.answer('a', 'last words').close(2).end();
    await eventually(() => seen.includes('last words'), { what: 'the reply in tail -f' });
    await written(session);
    expect(grep()).toBe('status=completed\n');
    const late = execFileSync('tail', ['-n', '50', session.file('output.log')], { encoding: 'utf8' });
    expect([late, seen.match(/first words/g)?.length]).toEqual([seen, 1]);
  } finally {
    tail.kill('SIGKILL');
    await mirror.stop();
  }
});
