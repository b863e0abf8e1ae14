import { expect, test } from 'vitest';
import { figures, times, tried } from '../campaign.ts';
import { quantile } from './recovery-world.ts';
import { killUnderLoad } from './under-load.ts';

/** Adoption may take two seconds; on a busy machine, as long as two bare starts of Node. */
const ADOPTED_MS_MAX = 2_000;
const ADOPTED_STARTS_MAX = 30;

test('T-CRASH-2: the daemon is killed under live sessions and callers: none lost, none doubled, all adopted in time', {
  timeout: 1_800_000,
}, async () => {
  const plan = { sessions: times(6, 50), kills: times(2, 50), perSecond: 20 };
  const { adoptedMs, bareMs, ...tally } = await killUnderLoad(plan);
  const took = { p50Ms: quantile(adoptedMs, 0.5), maxMs: Math.max(...adoptedMs), bareP50Ms: quantile(bareMs, 0.5) };
  tried('daemons killed', plan.kills);
  figures('T-CRASH-2', { ...plan, ...tally, ...took });
  expect(tally).toMatchObject({ lost: 0, doubled: 0 });
  expect(tally.acknowledged).toBeGreaterThanOrEqual(plan.kills * plan.perSecond);
  const late = adoptedMs.filter((ms, i) => ms > Math.max(ADOPTED_MS_MAX, ADOPTED_STARTS_MAX * (bareMs[i] ?? 0)));
  expect(late).toEqual([]);
});
