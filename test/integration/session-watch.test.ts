import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { PromptId } from '../../src/core/session.ts';
import { sessionWatch } from '../../src/daemon/calls/session-watch.ts';
import type { Parts } from '../../src/daemon/serve/parts.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { asked, decided } from '../../src/testing/sessions.ts';
import { type JournalSession, JournalWorld } from './journal-world.ts';

/** Time that passes only when somebody sleeps. */
function quickClock(): Clock {
  let nowMs = 1_700_000_000_000;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { wallMs: () => nowMs, steadyMs: () => nowMs, sleep };
}

const NO_ONE = { subagent: null };

function watch(world: JournalWorld, input: { ended?: number } = {}) {
  const { journal, config, sessions } = world;
  const leaving = new AbortController();
  const parts = { journal, config, sessions, clock: quickClock() } as unknown as Parts;
  const lines = sessionWatch(parts, { ended: 20, ...input }, leaving.signal);
  /** The next line, in a few words. */
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) return 'over';
    return value.row === undefined ? [value.is, value.id].join(' ').trim() : `${value.row.phase}: ${value.row.line}`;
  };
  const listed = async (): Promise<string[]> => {
    const all: string[] = [];
    for (let line = await next(); line !== 'complete'; line = await next()) all.push(line);
    return all;
  };
  return { next, listed, leave: () => leaving.abort() };
}

function print(session: JournalSession, text: string): void {
  const { output } = runFolder(session.state, { session: session.id, run: 1 });
  mkdirSync(dirname(output), { recursive: true });
  appendFileSync(output, text);
}

test('the list comes first, with the last line of each session, and then what changes', async () => {
  using world = new JournalWorld();
  const agent = world.make({ drive: 'turns' }).queue('p', 'fix it').open(1, 'p').accept('p');
  const { next, listed, leave } = watch(world);
  expect(await listed()).toEqual(['working: > fix it']);
  agent.put({ type: 'tool.called', run: 1, call: 'c', tool: 'Bash', input: '{"command":"npm test","x":1}', ...NO_ONE });
  expect(await next()).toBe('working: Bash npm test');
  agent.put({ type: 'tool.ended', run: 1, call: 'c', error: null } as never);
  agent.put(asked('q1'));
  expect(await next()).toMatch(/^blocked: Bash/);
  agent.put(decided('q1', false));
  expect(await next()).toBe('working: Bash npm test');
  agent.put({ type: 'prompt.answered', prompt: 'p' as PromptId, reply: 'First.\n\nAll\x1b[31m done.\n\n' }).close(1);
  expect(await next()).toBe('idle: All [31m done.');
  leave();
  expect(await next()).toBe('over');
});

test('output is not in the journal, and is seen all the same', async () => {
  using world = new JournalWorld();
  const command = world.make().open(1);
  print(command, 'one\n');
  const { next, listed } = watch(world);
  expect(await listed()).toEqual(['working: one']);
  print(command, 'two\n\n');
  expect(await next()).toBe('working: two');
});

test('ended sessions are listed as far as they are wanted, and those that end later stay', async () => {
  using world = new JournalWorld();
  for (const _ of Array.from({ length: 3 })) world.make().open(1).close(1).end();
  const live = world.make().open(1);
  const { next, listed } = watch(world, { ended: 2 });
  expect(await listed()).toEqual(['working: ', 'ended: ', 'ended: ']);
  live.close(1).end();
  expect(await next()).toBe('ended: ');
  live.put({ type: 'session.removed', by: { is: 'program', name: 'test' } } as never);
  expect(await next()).toBe(`gone ${live.id}`);
});

test('changes that come together are one row, and what changes nothing is none', async () => {
  using world = new JournalWorld();
  const agent = world.make({ drive: 'turns' });
  const other = world.make({ drive: 'turns', workspace: '/w' });
  const { next, listed } = watch(world);
  expect(await listed()).toHaveLength(2);
  agent.queue('p', 'a').open(1, 'p').accept('p');
  // Its row says nothing about this.
  other.put({ type: 'session.followed', texts: [] } as never);
  expect(await next()).toBe('working: > a');
  other.queue('q', 'write /w/notes.md');
  expect(await next()).toBe('idle: > write notes.md');
});

test('many sessions are listed once each, and other calls get a turn in between', async () => {
  using world = new JournalWorld();
  for (const _ of Array.from({ length: 300 })) world.make({ drive: 'turns' });
  const { listed } = watch(world);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await listed()).toHaveLength(300);
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(3);
});

test('an output that is only begun does not end the list', async () => {
  using world = new JournalWorld();
  const command = world.make().open(1);
  writeFileSync(runFolder(command.state, { session: command.id, run: 1 }).output, Buffer.from([0xe6, 0xb8]));
  expect(await watch(world).listed()).toHaveLength(1);
});
