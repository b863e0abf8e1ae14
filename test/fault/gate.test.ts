import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figures, times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { FAULTS, type Fault, type Place } from './gate-faults.ts';
import { fullDisk, MORE_FAULTS } from './gate-faults-more.ts';
import { checkGate, type Figures, sumOf } from './gate-judge.ts';
import { gateWorld, writesWord } from './gate-world.ts';
import { quantile } from './recovery-world.ts';
import { smallDisk } from './small-disk.ts';

// Faults around a gate: no call runs without a row that allows it, and the agent gets the reason.

/** How many agents run at once. */
const AT_ONCE = times(1, 4);

const ROUNDS = times(1, 5);
/** A host allows twenty resumes in ten minutes, so only a few rounds share a daemon. */
const ROUNDS_PER_HOST = 4;

async function play(fault: Fault, place: Place, rounds: number): Promise<Figures> {
  const agents = [];
  for (let round = 0; round < rounds; round += 1) agents.push(...(await fault.play(place, AT_ONCE)));
  return checkGate(fault, agents);
}

for (const [id, fault] of Object.entries({ ...FAULTS, ...MORE_FAULTS }))
  test.concurrent(`${id}: ${fault.what}`, { timeout: 900_000 }, async () => {
    const all: Figures[] = [];
    for (let left = Math.max(ROUNDS, fault.variants ?? 1); left > 0; left -= ROUNDS_PER_HOST) {
      await using place = await gateWorld();
      all.push(await play(fault, place, Math.min(left, ROUNDS_PER_HOST)));
    }
    figures(id, sumOf(all));
  });

test.concurrent('T-GATE-7: the disk of the decision log is full', { timeout: 900_000 }, async () => {
  using disk = smallDisk('24m');
  await using place = await gateWorld({ state: join(disk.path, 'state') });
  figures('T-GATE-7', await play(fullDisk(disk), place, ROUNDS + 1));
});

test.concurrent('T-GATE: a call that no row allows is detected, and its session is ended before the next call', {
  timeout: 900_000,
}, async () => {
  await using place = await gateWorld();
  const late: number[] = [];
  const manners = { ignoresHooks: true, silent: ['PostToolUse', 'PostToolUseFailure'] };
  for (let i = 0; i < times(3, 12); i += 1) {
    const steps = [writesWord('wild'), writesWord('never', { delayMs: 10_000 }), { text: 'bye' }];
    const agent = await place.agent({ steps, deny: ['Bash'], live: i % 3 === 2, manners });
    await eventually(async () => (await agent.session.show()).session.phase === 'ended', { msMax: 30_000 });
    const madeMs = statSync(join(agent.workspace, 'made')).mtimeMs;
    const [alarm] = await agent.events('approval.breached');
    const [end] = await agent.events('session.ended');
    expect([agent.made(), alarm?.event, end?.event]).toEqual([['wild'], 'approval.breached', 'session.ended']);
    late.push(Date.parse(end?.ts ?? '') - madeMs);
  }
  figures('T-GATE alarm', { runs: late.length, endedP50Ms: quantile(late, 0.5), endedMsMax: Math.max(...late) });
});
