import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { test as alone, expect } from 'vitest';
import { figures, times, tried } from '../campaign.ts';
import { isRunning, partOf } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { type Agent, bash, mark, processesOf, quantile, recoveryWorld, timed } from './recovery-world.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

// The daemon is killed, stopped and replaced while agents are in the middle of their turns.

/** A turn that takes a while, with a visible result for each step. */
const work = (steps: number, delayMs: number): object[] => [
  ...Array.from({ length: steps }, (_, i) => mark(String(i), { delayMs })),
  { text: 'all of it' },
];
const lines = (steps: number): string[] => Array.from({ length: steps }, (_, i) => String(i));

/** The agent has answered, with every step done once, in one run, by the original process. */
async function expectUnhurt(agent: Agent, steps: number, pid: number | null): Promise<void> {
  expect(await agent.reply()).toMatchObject({ met: 'answered', reply: expect.stringMatching(/all of it$/) });
  expect(agent.ledger()).toEqual(lines(steps));
  const view = await agent.view();
  expect(view).toMatchObject({ run: 1, resumes: 0 });
  if (view.drive === 'live') expect(view.pid).toBe(pid);
  expect((await agent.receivedPrompts()).filter((text) => text.startsWith('Go. SCRIPT'))).toHaveLength(1);
}

test('T-CRASH-2: the daemon is killed repeatedly under working agents: none is lost or doubled, all are adopted', {
  timeout: 900_000,
}, async () => {
  const [count, kills, steps] = [times(3, 20), times(3, 20), times(8, 40)];
  await using place = await recoveryWorld();
  const terminals = ['pty', 'tmux'] as const;
  const allOptions = Array.from({ length: count }, (_, i) => ({
    live: i % 3 > 0,
    terminal: terminals[i % 3 === 1 ? 0 : 1],
    steps: work(steps, 400),
  }));
  const agents = await Promise.all(allOptions.map((options) => place.agent(options)));
  // A prompt that is being typed when a daemon dies is unsure, and never resent: another test covers that.
  for (const agent of agents) await agent.untilEvent('prompt.accepted');
  const pids = await Promise.all(agents.map(async (agent) => (await agent.view()).pid));
  const took: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const done = agents.reduce((sum, agent) => sum + agent.ledger().length, 0);
    const { ms } = await timed(() => place.world.restart());
    took.push(ms);
    const isOver = (now: number): boolean => now >= count * steps;
    await eventually(
      () => {
        const now = agents.reduce((sum, agent) => sum + agent.ledger().length, 0);
        return now > done || isOver(now);
      },
      { msMax: 60_000, what: 'progress of any agent' },
    );
  }
  for (const [i, agent] of agents.entries()) await expectUnhurt(agent, steps, pids[i] ?? null);
  const adopted = { p50Ms: quantile(took, 0.5), maxMs: Math.max(...took) };
  tried('daemons killed', kills);
  figures('T-CRASH-2', { agents: count, kills, lost: 0, doubled: 0, ...adopted });
});

test('T-RST-2: one long turn outlives twenty daemons', { timeout: 300_000 }, async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({ live: true, steps: [bash('sleep 2; touch over'), { text: 'all of it' }] });
  await agent.untilEvent('tool.called');
  const pid = await agent.pid();
  for (let i = 0; i < times(5, 20); i += 1) await place.world.restart();
  expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all of it' });
  expect(await agent.view()).toMatchObject({ run: 1, pid, resumes: 0 });
});

/** After its first step the agent waits for the kill, however late it comes. */
const GATED = work(4, 300).toSpliced(1, 0, bash('until [ -e go ]; do sleep 0.05; done'));

test.each(['launcher', 'holder', 'command'])(
  'T-CRASH-3: when the %s of a live agent is killed, the agent continues once',
  {
    timeout: 600_000,
  },
  async (part) => {
    const took: number[] = [];
    for (let round = 0; round < times(1, 8); round += 1) {
      await using place = await recoveryWorld();
      const agent = await place.agent({ live: true, steps: GATED, manners: { flushMs: 0 } });
      await agent.untilEvent('tool.ended');
      const pid = await partOf(place.world, agent.session.id, part);
      const { ms } = await timed(async () => {
        process.kill(pid, 'SIGKILL');
        await agent.untilEvent('run.faulted');
      });
      writeFileSync(join(agent.workspace, 'go'), '');
      took.push(ms);
      expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all of it' });
      expect(agent.ledger()).toEqual(lines(4));
      expect(agent.runs()).toEqual(['2']);
    }
    figures('T-CRASH-3', { part, n: took.length, p50Ms: quantile(took, 0.5), maxMs: Math.max(...took) });
  },
);

const THINK_MS = 4_000;
const FREEZE_MS = 7_000;

test('T-SUSP-1: a daemon that was stopped by a signal does not judge agents that continued without it', {
  timeout: 120_000,
}, async () => {
  await using place = await recoveryWorld();
  const policy = { hang: { thinkMsMax: THINK_MS, toolMsMax: THINK_MS } };
  const steps = work(10, 1_000);
  const agents = await Promise.all([false, true].map((live) => place.agent({ live, steps, policy })));
  for (const agent of agents) await agent.untilEvent('tool.ended');
  const pids = await Promise.all(agents.map((agent) => agent.pid()));
  const { pid } = await place.world.client.daemonStatus();
  await stopFor([pid], FREEZE_MS);
  for (const [i, agent] of agents.entries()) await expectUnhurt(agent, 10, pids[i] ?? null);
});

test('T-SUSP-2: when the daemon and its agents were stopped together, no agent counts as hung', {
  timeout: 120_000,
}, async () => {
  await using place = await recoveryWorld();
  const policy = { hang: { thinkMsMax: THINK_MS, toolMsMax: THINK_MS } };
  // The reply streams word by word: its time stops with the process, as that of a network would.
  const slow = { text: 'one two three four five six seven eight nine ten all of it', pace: 250 };
  const allOptions = [false, true].map((live) => ({ live, steps: [mark('0'), slow], policy }));
  const agents = await Promise.all(allOptions.map((options) => place.agent(options)));
  for (const agent of agents) await agent.untilEvent('tool.ended');
  const pids = await Promise.all(agents.map((agent) => agent.pid()));
  const { pid } = await place.world.client.daemonStatus();
  const theirs = agents.flatMap(({ session }) => processesOf(session.id).map((one) => one.pid));
  await stopFor([pid, ...theirs], 2 * FREEZE_MS);
  for (const [i, agent] of agents.entries()) await expectUnhurt(agent, 1, pids[i] ?? null);
});

/** Stops processes for a while, as a paused container does. */
async function stopFor(pids: readonly number[], forMs: number): Promise<void> {
  for (const pid of pids) send(pid, 'SIGSTOP');
  try {
    await promisify(execFile)('sleep', [String(forMs / 1000)]);
  } finally {
    for (const pid of [...pids].reverse()) send(pid, 'SIGCONT');
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // A short-lived process that has exited.
  }
}

test('T-UPG-1: an older daemon refuses the journal of a newer one, unchanged; the agents continue', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({ live: true, steps: work(8, 400) });
  await agent.untilEvent('prompt.accepted');
  const pid = await agent.pid();
  await place.world.kill();
  const path = join(place.world.state, 'outlast.db');
  const version = setVersion(path, 999);
  const before = digest(path);
  await expect(place.world.start()).rejects.toThrow(/newer outlast/);
  expect(digest(path)).toBe(before);
  expect(isRunning(pid)).toBe(true);
  setVersion(path, version);
  await place.world.start();
  await expectUnhurt(agent, 8, pid);
});

test('T-UPG-2: a newer daemon adopts runs of an older one, whose journal stores less about a session', async () => {
  await using place = await recoveryWorld();
  const agents = await Promise.all([false, true].map((live) => place.agent({ live, steps: work(8, 400) })));
  for (const agent of agents) await agent.untilEvent('prompt.accepted');
  const pids = await Promise.all(agents.map((agent) => agent.pid()));
  await place.world.kill();
  const path = join(place.world.state, 'outlast.db');
  setVersion(path, BEFORE_RECOVERY);
  const db = new DatabaseSync(path);
  const newer = ['usage', 'resumes', 'resumedAtMs', 'word', 'progressAtMs', 'counted', 'prompts[0].unknown'];
  db.exec('DROP TABLE schedules; DROP TABLE schedule_events; DROP TABLE audit; DROP INDEX events_by_session');
  db.exec('DROP INDEX sessions_by_root; ALTER TABLE sessions DROP COLUMN root');
  db.exec('DROP TABLE usage; DROP INDEX sessions_by_resume; ALTER TABLE sessions DROP COLUMN resumed_steady_ms');
  db.exec(`UPDATE sessions SET state = json_remove(state, ${newer.map((name) => `'$.${name}'`).join(', ')})`);
  db.close();
  await place.world.start();
  const { length } = (await place.world.client.list()).sessions;
  expect(length).toBe(2);
  for (const [i, agent] of agents.entries()) await expectUnhurt(agent, 8, pids[i] ?? null);
});

/** The schema of the journal before sessions had limits, usage and resumes. */
const BEFORE_RECOVERY = 2;

function setVersion(path: string, version: number): number {
  const db = new DatabaseSync(path);
  const before = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  db.exec(`PRAGMA user_version = ${version}; PRAGMA wal_checkpoint(TRUNCATE);`);
  db.close();
  return before;
}

function digest(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
