import { expect, test } from 'vitest';
import { splitByCause } from '../../bench/idle.ts';
import { pageAfter, pageAfterSome } from '../../bench/page.ts';

const run = (commit: string) => ({ commit, date: '2026-01-01', machine: 'a machine' });
const figure = (name: string, value: string, met: boolean | null = true) => ({ name, value, target: '<= 2x', met });
const rowsOf = (page: string): string[] => page.split('\n').filter((line) => /^\| (?!figure|---)/.test(line));

test('a baseline is kept while the latest figures change', () => {
  const first = pageAfter('', [figure('start', '1x'), figure('gone', '1x')], run('aaa'), true);
  const second = pageAfter(first, [figure('start', '3x', false), figure('new', '2x', null)], run('bbb'), false);
  const third = pageAfter(second, [figure('start', '1.5x'), figure('new', '1x')], run('ccc'), false);
  expect(third).toContain('- Baseline: aaa, 2026-01-01, a machine\n- Latest: ccc, 2026-01-01, a machine\n');
  expect(rowsOf(first)).toEqual(['| start | 1x |  | <= 2x |', '| gone | 1x |  | <= 2x |']);
  expect(rowsOf(second)).toEqual(['| start | 1x | 3x (missed) | <= 2x |', '| new |  | 2x | <= 2x |']);
  expect(rowsOf(third)).toEqual(['| start | 1x | 1.5x | <= 2x |', '| new |  | 1x | <= 2x |']);
});

test('a new baseline keeps the latest figures', () => {
  const latest = pageAfter('', [figure('start', '3x')], run('aaa'), false);
  const page = pageAfter(latest, [figure('start', '2x')], run('bbb'), true);
  expect(page).toContain('- Baseline: bbb, 2026-01-01, a machine\n- Latest: aaa, 2026-01-01, a machine\n');
  expect(rowsOf(page)).toEqual(['| start | 2x | 3x | <= 2x |']);
});

test('a run of some parts changes their rows only, and says when it was', () => {
  const first = pageAfter('', [figure('start', '1x'), figure('turn', '1x')], run('aaa'), true);
  const second = pageAfterSome(first, [figure('turn', '3x', false), figure('kill', '2x')], run('bbb'), ['agents']);
  const third = pageAfterSome(second, [figure('turn', '1.5x')], run('ccc'), ['agents']);
  expect(third.match(/^- .*/gm)).toEqual([
    '- Baseline: aaa, 2026-01-01, a machine',
    '- Latest: none yet',
    '- Latest of agents: ccc, 2026-01-01, a machine',
  ]);
  expect(rowsOf(second)).toEqual([
    '| start | 1x |  | <= 2x |',
    '| turn | 1x | 3x (missed) | <= 2x |',
    '| kill |  | 2x | <= 2x |',
  ]);
  expect(rowsOf(third)).toEqual([
    '| start | 1x |  | <= 2x |',
    '| turn | 1x | 1.5x | <= 2x |',
    '| kill |  | 2x | <= 2x |',
  ]);
  expect(pageAfter(third, [figure('turn', '1x')], run('ddd'), false)).not.toContain('Latest of agents');
});

test('the work of an idle daemon is attributed to the outermost caller', () => {
  const bundle = [
    '// src/base/clock.ts',
    '',
    '// src/daemon/upkeep/orphans.ts',
    '',
    '// src/supervisor/loop.ts',
    '',
  ].join('\n');
  const frame = (functionName: string, lineNumber = 0) => ({ functionName, url: '/dist/daemon-main.js', lineNumber });
  const nodes = [
    { id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1 }, children: [2, 3, 5, 6] },
    { id: 2, callFrame: { functionName: '(idle)', url: '', lineNumber: -1 } },
    { id: 3, callFrame: frame('sweep', 3), children: [4] },
    { id: 4, callFrame: frame('look', 5) },
    { id: 5, callFrame: frame('done', 1) },
    { id: 6, callFrame: { functionName: '(garbage collector)', url: '', lineNumber: -1 } },
  ];
  expect(splitByCause({ nodes, samples: [2, 2, 4, 4, 3, 5, 6, 6, 6, 6] }, bundle)).toEqual([
    ['garbage collector', 4 / 8],
    ['orphan sweep', 3 / 8],
    ['other', 1 / 8],
  ]);
});
