import { expect, test } from 'vitest';
import { proofPage } from '../../scripts/proof.ts';
import { type FileResult, NOTHING } from '../../scripts/test-report.ts';

const file = (path: string, failed: readonly string[]): FileResult => ({
  ...{ path, ms: 90_000, passed: ['fine'], skipped: [], isBroken: false },
  failed,
});

test('the page of a deep run says what was tried, how often, how long it took, and what failed', () => {
  const page = proofPage(
    {
      commit: 'abc',
      again: [{ commit: '0123456789', wallMs: 120_000, files: 1, failed: ['`a.test.ts`: it was slow'] }],
      report: {
        files: [file('test/sim/a.test.ts', []), file('test/fault/b.test.ts', ['it is lost'])],
        isBroken: false,
      },
      total: { ...NOTHING, passed: 2, failed: 1 },
      wallMs: 46.2 * 60_000,
      tried: [
        { what: 'histories', count: 1_000_000 },
        { id: 'T-CRASH-2', values: { kills: 50, lost: 0, p50Ms: 12.345 } },
        { what: 'histories', count: 234 },
      ],
    },
    ['| date | today |'],
  );
  for (const line of [
    '| commit | abc |',
    '| tests | 2 passed, 1 failed, 0 skipped |',
    '| wall time | 46 min |',
    '| time in tests | 3 min, all files added up |',
    '| `test/fault` | 1 | 1 | 1 | 0 |',
    '| histories | 1,000,234 |',
    '| T-CRASH-2 | kills 50, lost 0, p50Ms 12.3 |',
    '- `test/fault/b.test.ts`: it is lost',
    '| run again | 1 files with 1 failures, on commit 0123456789: 2 min |',
    '## Failed before commit 01234567',
    '- `a.test.ts`: it was slow',
  ])
    expect(page.split('\n')).toContain(line);
});
