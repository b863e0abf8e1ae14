import { expect, test } from 'vitest';
import { times } from '../campaign.ts';
import { campaign } from './sim.ts';
import { SCRIPTS } from './stories.ts';

const seeds = times(20, 5_000);
const pairsMax = times(80, Number.POSITIVE_INFINITY);

for (const script of SCRIPTS) {
  test(`${script.name}: killed or cut off anywhere, it ends as it should`, { timeout: 600_000 }, async () => {
    const verdict = await campaign(script, { pairsMax, seeds });
    expect(verdict.failure).toBeNull();
    expect(verdict.histories).toBeGreaterThan(seeds);
  });
}
