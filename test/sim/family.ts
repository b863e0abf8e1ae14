import { afterAll, expect, test } from 'vitest';
import { figures, times, tried } from '../campaign.ts';
import { campaign } from './sim.ts';
import { FAMILIES } from './stories.ts';

/**
 * Every run injects a fault at every other point of each story, kills and power cuts in turn, and tries a few pairs
 * and seeds. A deep run injects both at each point, then thousands of pairs: all of them if the story has no more than
 * that, else an even selection.
 */
const COUNTS = {
  singles: times('some', 'both'),
  pairsMax: times(12, 6_000),
  seeds: times(3, 1_000),
} as const;

/** A test for each story of a family. */
export function playFamily(name: keyof typeof FAMILIES): void {
  afterAll(() => {
    const stories = FAMILIES[name].length;
    figures('simulator', { family: name, stories, seeds: `1 to ${COUNTS.seeds} each`, pairsMax: COUNTS.pairsMax });
  });
  for (const script of FAMILIES[name]) {
    test(`${script.name}: killed or cut off anywhere, it ends in an expected state`, { timeout: 600_000 }, async () => {
      const verdict = await campaign(script, COUNTS);
      expect(verdict.failure).toBeNull();
      expect(verdict.histories).toBeGreaterThan(COUNTS.seeds);
      tried('stories of the simulator', 1);
      tried('histories of the simulator', verdict.histories);
    });
  }
}
