import { afterAll, expect, test } from 'vitest';
import { figures, times, tried } from '../campaign.ts';
import { campaign } from './sim.ts';
import { FAMILIES } from './stories.ts';

/**
 * In every run every other point of each story is struck, by a kill and a power cut in turn, and a few pairs and seeds
 * are tried. In a deep run each point is struck by both, then thousands of pairs: all of them in a story that has no
 * more than that, else every so many.
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
    test(`${script.name}: killed or cut off anywhere, it ends as it should`, { timeout: 600_000 }, async () => {
      const verdict = await campaign(script, COUNTS);
      expect(verdict.failure).toBeNull();
      expect(verdict.histories).toBeGreaterThan(COUNTS.seeds);
      tried('stories of the simulator', 1);
      tried('histories of the simulator', verdict.histories);
    });
  }
}
