import { describe, expect, test } from 'vitest';
import { agents } from '../../bench/agents.ts';
import { allFigures } from '../../bench/measure.ts';
import { PI_0_87 } from '../agents/under-test/pi.ts';

const isHere = PI_0_87.isHere() || process.env.CI === 'true';

describe.skipIf(!isHere)('the bench', { timeout: 240_000 }, () => {
  test('a turn of a real agent is measured beside the same by hand, and so are prompts and kills', async () => {
    process.env.OUTLAST_BENCH_SHARE = '0.05';
    await agents([PI_0_87]);
    const figures = allFigures().map(({ name, value }) => `${name}: ${value}`);
    expect(figures).toEqual([
      expect.stringMatching(
        /^pi \S+: a turn \/ the same by hand: [\d.]+x \([1-9]\d* ms, process gone: [1-9]\d* ms \/ [1-9]\d* ms\)$/,
      ),
      expect.stringMatching(
        /^pi \S+: prompt -> accepted, beyond its own time: p95 -?[\d.]+ ms \(its own: [1-9]\d* ms\)$/,
      ),
      expect.stringMatching(/^pi \S+: killed in a turn -> next process runs: p50 [\d.]+ ms, p99 [\d.]+ ms of 1$/),
    ]);
  });
});
