import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SessionId } from '../../src/core/session.ts';
import { runFolder, sessionFolder } from '../../src/terminal/run-folder.ts';
import { isCampaign, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { BLOWS, doomedWorld } from './doomed.ts';

// T-CRASH-1 for calls about existing sessions: write, stop and remove. An acknowledged call took effect, once; any
// other took effect or not, but never half.

const COUNT = 4;
const POINTS = 12;
/** In a campaign each fault hits at many points of every call; in every other run at one point of one call. */
const CASES = BLOWS.flatMap((blow, at) => {
  // An append writes about ten times and syncs once. The first few are the daemon's own when it starts.
  const step = blow.call === 'pwrite64' && !isCampaign ? 11 : 2;
  const points = isCampaign ? Array.from({ length: POINTS }, (_, i) => i) : [at % 3 === 0 ? 1 : 2];
  return points.map((i) => ({ ...blow, nth: 2 + i * step }));
});

let died = 0;
afterAll(() => {
  // Each test passes also when the fault did not hit.
  expect(died).toBeGreaterThan(isCampaign ? CASES.length : 1);
});

const casesOf = (wish: 0 | 1 | 2): typeof CASES => (isCampaign ? CASES : CASES.filter((_, at) => at % 3 === wish));

/** Makes one call for each session, through a daemon that dies. Returns those that were acknowledged. */
async function tellDoomed(
  calm: World,
  { nth, ...blow }: (typeof CASES)[number],
  wishes: readonly ((doomed: World) => Promise<unknown>)[],
): Promise<number> {
  const doomed = doomedWorld(calm.state, blow, nth);
  let answered = 0;
  try {
    await doomed.start(3_000);
    for (const wish of wishes) {
      await wish(doomed);
      answered += 1;
    }
  } catch {
    died += 1;
    tried('blows to a daemon that writes or syncs', 1);
  }
  doomed.client.close();
  await doomed.kill();
  await calm.start();
  return answered;
}

const all = Array.from({ length: COUNT }, (_, n) => n);

test.each(casesOf(0))('$name $nth, what was written has arrived once and in order', async (blow) => {
  await using calm = new World();
  await calm.start();
  const ledger = join(calm.state, 'ledger');
  const session = await calm.client.start({ argv: ['sh', '-c', `cat >'${ledger}'`], stdin: 'open' });
  await eventually(() => existsSync(ledger));
  await calm.kill();
  const line = (n: number): string => Buffer.from(`${n}\n`).toString('base64');
  const answered = await tellDoomed(
    calm,
    blow,
    all.map((n) => (doomed) => doomed.client.write({ session: session.id, base64: line(n) })),
  );
  await session.write({ eof: true });
  expect((await session.wait({ timeoutMs: 20_000 })).session.exit?.status).toBe(0);
  const lines = readFileSync(ledger, 'utf8').split('\n').slice(0, -1).map(Number);
  expect(lines.slice(0, answered)).toEqual(all.slice(0, answered));
  // The call in flight when the daemon died, or nothing. Never one twice, never an unintended one.
  expect([[], [answered]]).toContainEqual(lines.slice(answered));
  const intended = (await calm.events(session.id)).filter((type) => type === 'run.written').length;
  expect(intended).toBeGreaterThanOrEqual(lines.length + 1);
});

test.each(casesOf(1))('$name $nth, what was stopped is gone, and nothing else', async (blow) => {
  await using calm = new World();
  await calm.start();
  const argv = ['sh', '-c', 'trap "" TERM HUP; while :; do sleep 1000; done'];
  const sessions = await Promise.all(all.map(() => calm.client.start({ argv })));
  for (const session of sessions) await eventually(async () => (await session.show()).session.pid);
  await calm.kill();
  const answered = await tellDoomed(
    calm,
    blow,
    sessions.map(
      ({ id }) =>
        (doomed) =>
          doomed.client.stop({ session: id, graceMs: 0 }),
    ),
  );
  for (const [n, session] of sessions.entries()) {
    const isAsked = (await calm.events(session.id)).includes('session.closing');
    if (n < answered) expect(isAsked).toBe(true);
    if (n > answered) expect((await session.show()).session.outcome).toBeNull();
    // An input in the journal is carried out by the next daemon, without another call.
    if (!isAsked) await session.stop({ graceMs: 0 });
    const { session: ended } = await session.wait({ timeoutMs: 20_000 });
    expect([ended.outcome?.kind, (await session.show()).processes]).toEqual(['stopped', []]);
    const types = await calm.events(session.id);
    expect(types.filter((type) => type === 'session.ended')).toHaveLength(1);
  }
});

test.each(casesOf(2))('$name $nth, what was removed is gone whole, and the rest is there whole', async (blow) => {
  await using calm = new World();
  await calm.start();
  const argv = ['sh', '-c', 'echo kept; exit 3'];
  const sessions = await Promise.all(all.map(() => calm.client.start({ argv })));
  for (const session of sessions) await session.wait();
  await calm.kill();
  const answered = await tellDoomed(
    calm,
    blow,
    sessions.map(
      ({ id }) =>
        (doomed) =>
          doomed.client.remove({ session: id, force: true }),
    ),
  );
  const listed = new Set((await calm.client.list()).sessions.map(({ id }) => id));
  for (const [n, session] of sessions.entries()) {
    if (n !== answered) expect(listed.has(session.id)).toBe(n > answered);
    if (!listed.has(session.id)) {
      expect(existsSync(sessionFolder(calm.state, session.id))).toBe(false);
      continue;
    }
    expect((await session.show()).session.exit?.status).toBe(3);
    expect((await session.output()).text).toBe('kept\n');
    expect(existsSync(runFolder(calm.state, { session: session.id as SessionId, run: 1 }).plan)).toBe(true);
  }
});
