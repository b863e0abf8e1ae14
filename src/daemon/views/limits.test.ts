import { expect, test } from 'vitest';
import type { CallOutput } from '../../api/contract.ts';
import type { EventBody } from '../../core/event.ts';
import { READY, sessionAfter, TURNS } from '../../testing/sessions.ts';
import { accountView, isOpen, newestOf, seenIn } from './limits.ts';

type LimitView = CallOutput<'limit.list'>['limits'][number];

const HOUR_MS = 3_600_000;
const view = (more: Partial<LimitView>): LimitView => ({
  ...{ agent: 'claude', account: 'a', home: '/h', window: 'five_hour', usedPercent: 10, resetsAtMs: 5 * HOUR_MS },
  ...{ seenAtMs: 1, session: 's', name: null },
  ...more,
});

test('a limit that a session waits for counts, also during a visit', () => {
  const limited: EventBody = { type: 'session.limited', run: 1, untilMs: 9_000, text: '' };
  const visit: EventBody = { type: 'run.starting', run: 2, how: 'visit', boot: 'b' };
  for (const more of [[limited], [limited, visit]]) {
    const [seen] = seenIn(sessionAfter(TURNS, ...READY, ...more), (steadyMs) => steadyMs + 100);
    expect(seen).toMatchObject({ agent: 'fake', name: 'met', usedPercent: 100, resetsAtMs: 9_000 });
    expect(seen?.atMs).toBeGreaterThan(100);
  }
});

test('the newest report about each limit of each account is shown', () => {
  const [old, other] = [view({ usedPercent: 10 }), view({ account: 'b', usedPercent: 90 })];
  const [young, week] = [view({ usedPercent: 20, seenAtMs: 2 }), view({ window: 'seven_day' })];
  expect(newestOf([young, old, other, week])).toEqual([young, week, other]);
});

test('a limit that was met is left out if the agent says which one it is', () => {
  const met = view({ window: 'met', usedPercent: 100 });
  const full = view({ usedPercent: 100, resetsAtMs: 5 * HOUR_MS + 1_000 });
  expect(newestOf([met, full])).toEqual([full]);
  expect(newestOf([met, view({ usedPercent: 99 })])).toHaveLength(2);
  expect(newestOf([met, { ...full, resetsAtMs: 9 * HOUR_MS }])).toHaveLength(2);
  expect(newestOf([met, { ...full, account: 'b' }])).toHaveLength(2);
});

test('a limit is over at its end, or hours after the last report about it', () => {
  const seen = { agent: 'x', name: 'w', usedPercent: 1, resetsAtMs: 10, atMs: 0 };
  expect([isOpen(seen, 9), isOpen(seen, 10)]).toEqual([true, false]);
  const endless = { ...seen, resetsAtMs: null };
  expect([isOpen(endless, HOUR_MS), isOpen(endless, 6 * HOUR_MS)]).toEqual([true, false]);
});

test('no secret of an account is shown', () => {
  const shown = accountView('claude\n/home/ann/.claude\n\nsk-secret');
  expect(shown).toEqual({ account: expect.stringMatching(/^[0-9a-f]{8}$/), home: '/home/ann/.claude' });
  expect(accountView('claude\n/home/ann/.claude\n\nother').account).not.toBe(shown.account);
  expect(accountView('goose').home).toBeNull();
});
