import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SessionId } from '../../src/core/session.ts';
import { runFolder, sessionFolder } from '../../src/terminal/run-folder.ts';
import { isCampaign, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { failingWorld, INJECTED_FAULTS } from './failing-daemon.ts';

// T-CRASH-1 for calls on existing sessions: write, stop and remove. An acknowledged call took effect, once; any other
// took effect completely or not at all.

const COUNT = 4;
const POINTS = 12;
/** A campaign injects each fault at many points of every call; any other run at one point of one call. */
const CASES = INJECTED_FAULTS.flatMap((injected, at) => {
  // An append writes about ten times and syncs once. The first few writes belong to the start of the daemon.
  const step = injected.call === 'pwrite64' && !isCampaign ? 11 : 2;
  const points = isCampaign ? Array.from({ length: POINTS }, (_, i) => i) : [at % 3 === 0 ? 1 : 2];
  return points.map((i) => ({ ...injected, nth: 2 + i * step }));
});

let died = 0;
afterAll(() => {
  // A test also passes when the fault did not happen.
  expect(died).toBeGreaterThan(isCampaign ? CASES.length : 1);
});

const casesOf = (call: 0 | 1 | 2): typeof CASES => (isCampaign ? CASES : CASES.filter((_, at) => at % 3 === call));

/** Makes the calls through a daemon that dies. Returns how many were acknowledged. */
async function callThroughFailing(
  healthy: World,
  { nth, ...injected }: (typeof CASES)[number],
  calls: readonly ((failing: World) => Promise<unknown>)[],
): Promise<number> {
  const failing = failingWorld(healthy.state, injected, nth);
  let answered = 0;
  try {
    await failing.start(3_000);
    for (const call of calls) {
      await call(failing);
      answered += 1;
    }
  } catch {
    died += 1;
    tried('faults injected into a daemon that writes or syncs', 1);
  }
  failing.client.close();
  await failing.kill();
  await healthy.start();
  return answered;
}

const all = Array.from({ length: COUNT }, (_, n) => n);

test.each(casesOf(0))('$name $nth, acknowledged writes have arrived once and in order', async (injected) => {
  await using healthy = new World();
  await healthy.start();
  const ledger = join(healthy.state, 'ledger');
  const session = await healthy.client.start({ argv: ['sh', '-c', `cat >'${ledger}'`], stdin: 'open' });
  await eventually(() => existsSync(ledger));
  await healthy.kill();
  const line = (n: number): string => Buffer.from(`${n}\n`).toString('base64');
  const answered = await callThroughFailing(
    healthy,
    injected,
    all.map((n) => (failing) => failing.client.write({ session: session.id, base64: line(n) })),
  );
  await session.write({ eof: true });
  expect((await session.wait({ timeoutMs: 20_000 })).session.exit?.status).toBe(0);
  const lines = readFileSync(ledger, 'utf8').split('\n').slice(0, -1).map(Number);
  expect(lines.slice(0, answered)).toEqual(all.slice(0, answered));
  // At most the call that was in flight when the daemon died. No call twice, and none without an intent.
  expect([[], [answered]]).toContainEqual(lines.slice(answered));
  const intended = (await healthy.events(session.id)).filter((type) => type === 'run.written').length;
  expect(intended).toBeGreaterThanOrEqual(lines.length + 1);
});

test.each(casesOf(1))('$name $nth, sessions whose stop was acknowledged end, and no others', async (injected) => {
  await using healthy = new World();
  await healthy.start();
  const argv = ['sh', '-c', 'trap "" TERM HUP; while :; do sleep 1000; done'];
  const sessions = await Promise.all(all.map(() => healthy.client.start({ argv })));
  for (const session of sessions) await eventually(async () => (await session.show()).session.pid);
  await healthy.kill();
  const answered = await callThroughFailing(
    healthy,
    injected,
    sessions.map(
      ({ id }) =>
        (failing) =>
          failing.client.stop({ session: id, graceMs: 0 }),
    ),
  );
  for (const [n, session] of sessions.entries()) {
    const isAsked = (await healthy.events(session.id)).includes('session.closing');
    if (n < answered) expect(isAsked).toBe(true);
    if (n > answered) expect((await session.show()).session.outcome).toBeNull();
    // An input in the journal is carried out by the next daemon, without another call.
    if (!isAsked) await session.stop({ graceMs: 0 });
    const { session: ended } = await session.wait({ timeoutMs: 20_000 });
    expect([ended.outcome?.kind, (await session.show()).processes]).toEqual(['stopped', []]);
    const types = await healthy.events(session.id);
    expect(types.filter((type) => type === 'session.ended')).toHaveLength(1);
  }
});

test.each(casesOf(2))(
  '$name $nth, removed sessions are gone completely, and the others are complete',
  async (injected) => {
    await using healthy = new World();
    await healthy.start();
    const argv = ['sh', '-c', 'echo kept; exit 3'];
    const sessions = await Promise.all(all.map(() => healthy.client.start({ argv })));
    for (const session of sessions) await session.wait();
    await healthy.kill();
    const answered = await callThroughFailing(
      healthy,
      injected,
      sessions.map(
        ({ id }) =>
          (failing) =>
            failing.client.remove({ session: id, force: true }),
      ),
    );
    const listed = new Set((await healthy.client.list()).sessions.map(({ id }) => id));
    for (const [n, session] of sessions.entries()) {
      if (n !== answered) expect(listed.has(session.id)).toBe(n > answered);
      if (!listed.has(session.id)) {
        expect(existsSync(sessionFolder(healthy.state, session.id))).toBe(false);
        continue;
      }
      expect((await session.show()).session.exit?.status).toBe(3);
      expect((await session.output()).text).toBe('kept\n');
      expect(existsSync(runFolder(healthy.state, { session: session.id as SessionId, run: 1 }).plan)).toBe(true);
    }
  },
);
