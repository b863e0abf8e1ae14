import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { memoryCaps } from '../../src/terminal/memory-cap.ts';
import { figures, times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { bash, mark, processesOf, type RecoveryWorld, recoveryWorld } from './recovery-world.ts';

// If the kernel limits the memory of a run, it kills what exceeds the limit at once, and reports it. Otherwise there is
// only a check every five seconds, which recovery-memory.test.ts tests.

const MB = 1024 ** 2;
const here = await memoryCaps({ state: '/nonexistent/outlast-test', clock: realClock(), isWanted: true }).told();
const isCapped = here.kind === 'v1' || here.kind === 'v2';

/** Allocates this many megabytes and keeps them. */
const eater = (megabytes: number): string =>
  `exec '${process.execPath}' -e 'const b = Buffer.alloc(${megabytes} << 20, 1); setInterval(() => b.length, 60000)'`;
/** Uses the memory in many small processes, so that the agent itself is the largest. */
const CROWD =
  'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do (head -c 20m /dev/zero | tail -c 20m | sleep 1000) & done; wait';

/** The cgroup of a run. */
function groupOf({ world }: RecoveryWorld, session: string, run = 1): string {
  return readFileSync(join(world.state, 'sessions', session, 'runs', String(run), 'cgroup'), 'utf8').trim();
}

function groupsLeft(group: string): string[] {
  const prefix = group.slice(dirname(group).length + 1).replace(/-[^-]*$/, '');
  return readdirSync(dirname(group)).filter((name) => name.startsWith(prefix));
}

test('doctor says what enforces memory caps, and why nothing better does', async () => {
  await using place = await recoveryWorld();
  const find = async () => (await place.world.client.doctor()).checks.find(({ name }) => name === 'memory caps');
  expect(await find()).toMatchObject({ ok: true, detail: expect.stringMatching(/^enforced by /) });
  await using watched = await recoveryWorld({ config: { memoryCap: 'watch' } });
  const { checks } = await watched.world.client.doctor();
  expect(checks.find(({ name }) => name === 'memory caps')?.detail).toBe(
    'enforced by a check every five seconds; the config says so',
  );
});

describe.skipIf(!isCapped)('enforced by the kernel', () => {
  test('a daemon that is started inside a limited run leaves its cgroup', async () => {
    await using place = await recoveryWorld();
    await using other = new World();
    const daemon = join(import.meta.dirname, '../../dist/daemon.js');
    const env = `OUTLAST_STATE='${other.state}' OUTLAST_CONFIG='${other.state}/config.json'`;
    const line = `${env} setsid env -u OUTLAST_RUN '${process.execPath}' '${daemon}' >/dev/null 2>&1 & exec sleep 1000`;
    const policy = { memoryBytesMax: 400 * MB };
    const session = await place.world.client.start({ argv: ['sh', '-c', line], policy });
    const { pid } = await eventually(() => other.client.daemonStatus(), { msMax: 30_000, what: 'the other daemon' });
    const own = await eventually(async () => (await session.show()).session.pid);
    expect(readFileSync(`/proc/${own}/cgroup`, 'utf8')).toContain('/outlast-');
    expect(readFileSync(`/proc/${pid}/cgroup`, 'utf8')).not.toContain('/outlast-');
    process.kill(pid, 'SIGKILL');
    await session.stop({ graceMs: 0 });
    await eventually(() => groupsLeft(groupOf(place, session.id)).length === 0);
  });

  test('T-OOM-1: a command that the kernel killed for its memory is abandoned with that reason', async () => {
    await using place = await recoveryWorld();
    const policy = { memoryBytesMax: 150 * MB };
    const session = await place.world.client.start({ argv: ['sh', '-c', eater(300)], policy });
    const { session: ended } = await session.wait({ timeoutMs: 30_000 });
    expect(ended.outcome).toMatchObject({ kind: 'abandoned', why: expect.stringContaining('out of memory') });
    expect(existsSync(groupOf(place, session.id))).toBe(false);
    // A command that is killed for another reason is not abandoned.
    const other = await place.world.client.start({ argv: ['sh', '-c', 'kill -9 $$'], policy });
    expect((await other.wait({ timeoutMs: 30_000 })).session).toMatchObject({ outcome: { kind: 'done' } });
    expect(groupsLeft(groupOf(place, other.id))).toEqual([]);
  });

  test('T-OOM-1: a tool that exceeds the memory limit is killed alone: its agent gets the error and continues', {
    timeout: 600_000,
  }, async () => {
    const rounds = times(2, 6);
    for (let round = 0; round < rounds; round += 1) {
      await using place = await recoveryWorld();
      const policy = { memoryBytesMax: 400 * MB };
      const steps = [mark('a'), bash(`echo b >> ledger; ${eater(600)}`), mark('c'), { text: 'done' }];
      const agent = await place.agent({ live: round % 2 === 1, steps, policy, keepOpen: false });
      const other = await place.agent({ steps: [bash('sleep 2'), { text: 'unhurt' }], policy });
      expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'done' });
      expect(agent.ledger()).toEqual(['a', 'b', 'c']);
      expect(await agent.view()).toMatchObject({ run: 1, resumes: 0 });
      expect(await other.reply()).toMatchObject({ met: 'answered', reply: 'unhurt' });
      await agent.session.wait({ timeoutMs: 30_000 });
      await other.session.stop({ graceMs: 0 });
      expect(groupsLeft(groupOf(place, agent.session.id))).toEqual([]);
    }
    figures('T-OOM-1', { by: 'kernel', eats: 'tool', n: rounds, hurt: 0 });
  });

  test('T-OOM-1: an agent that the kernel killed for its memory is resumed, and continues', {
    timeout: 600_000,
  }, async () => {
    const rounds = times(2, 6);
    for (let round = 0; round < rounds; round += 1) {
      await using place = await recoveryWorld();
      const policy = { memoryBytesMax: 250 * MB };
      const steps = [mark('a'), bash(`echo b >> ledger; ${CROWD}`), mark('c'), { text: 'done' }];
      const live = round % 2 === 1;
      const agent = await place.agent({ live, steps, policy, manners: { flushMs: 0 } });
      const faulted = await agent.untilEvent('run.faulted');
      expect(faulted.body).toMatchObject({ fault: { kind: 'memory', bytes: 250 * MB } });
      expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'done' });
      expect(agent.ledger()).toEqual(['a', 'b', 'c']);
      expect(await agent.view()).toMatchObject({ run: 2, resumes: 1 });
      await agent.session.stop({ graceMs: 0 });
      expect(processesOf(agent.session.id)).toEqual([]);
      await eventually(() => groupsLeft(groupOf(place, agent.session.id)).length === 0, {
        what: 'the removal of the cgroups',
      });
    }
    figures('T-OOM-1', { by: 'kernel', eats: 'agent', n: rounds });
  });
});
