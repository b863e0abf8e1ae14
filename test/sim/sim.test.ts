import { expect, test } from 'vitest';
import { SCRIPTS } from './scripts.ts';
import { campaign } from './sim.ts';

const seeds = process.env.OUTLAST_TEST_CAMPAIGN ? 20_000 : 500;

for (const script of SCRIPTS) {
  test(`${script.name}: killed or cut off anywhere, it ends as it should`, { timeout: 600_000 }, async () => {
    const verdict = await campaign(script, { pairs: true, seeds });
    expect(verdict.failure).toBeNull();
    expect(verdict.histories).toBeGreaterThan(seeds);
  });
}
