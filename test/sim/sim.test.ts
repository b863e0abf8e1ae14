import { expect, test } from 'vitest';
import { campaign } from './sim.ts';
import { SCRIPTS } from './stories.ts';

const isCampaign = Boolean(process.env.OUTLAST_TEST_CAMPAIGN);
const seeds = isCampaign ? 20_000 : 100;
const pairsMax = isCampaign ? Number.POSITIVE_INFINITY : 600;

for (const script of SCRIPTS) {
  test(`${script.name}: killed or cut off anywhere, it ends as it should`, { timeout: 600_000 }, async () => {
    const verdict = await campaign(script, { pairsMax, seeds });
    expect(verdict.failure).toBeNull();
    expect(verdict.histories).toBeGreaterThan(seeds);
  });
}
