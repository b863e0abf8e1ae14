import { expect, test } from 'vitest';
import type { BootView, ConversationView } from '../../api/contract-boot.ts';
import { byVerdict, resumable, shownBoot, verdictCounts } from './boots.ts';

const one = (id: string, verdict: ConversationView['verdict'], given: Partial<ConversationView> = {}) => ({
  ...({ agent: 'claude', id, path: `/${id}`, atMs: 1, bytes: 1, verdict, why: 'x', skipped: 0 } as const),
  ...({ did: 'nothing', detail: null, session: null } as const),
  ...given,
});
const boot = (why: BootView['why'], ...conversations: ConversationView[]): BootView => ({
  ...({ atMs: 1, why, foreign: 'ask', dryRun: false, tookMs: 1, counts: {}, summary: 'x' } as const),
  conversations,
});

test('a resume of one conversation is told in the look at all of them', () => {
  const all = boot('boot', one('a', 'interrupted'), one('b', 'interrupted'), one('c', 'complete'));
  const resumed = boot('asked', one('b', 'interrupted', { did: 'resumed', session: 's1' }));
  const shown = shownBoot([resumed, all]);
  expect(shown?.why).toBe('boot');
  expect(shown?.conversations.map(({ id, did }) => [id, did])).toEqual([
    ['a', 'nothing'],
    ['b', 'resumed'],
    ['c', 'nothing'],
  ]);
  expect(resumable(all).length).toBe(2);
  expect(shown === null ? [] : resumable(shown).map(({ id }) => id)).toEqual(['a']);
  expect(shownBoot([resumed])?.why).toBe('asked');
  expect(shownBoot([])).toBeNull();
});

test('what a person may do something about comes first', () => {
  const found = boot('boot', one('a', 'complete', { atMs: 9 }), one('b', 'interrupted'), one('c', 'waiting'));
  expect(byVerdict(found).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  expect(verdictCounts({ counts: { stale: 4, interrupted: 1, failed: 0 } })).toEqual([
    { verdict: 'interrupted', count: 1 },
    { verdict: 'stale', count: 4 },
  ]);
});
