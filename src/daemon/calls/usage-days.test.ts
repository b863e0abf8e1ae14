import { expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { EventBody } from '../../core/event.ts';
import type { PromptId, SessionId } from '../../core/session.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { TURNS } from '../../testing/sessions.ts';
import { usageDays } from './usage-days.ts';

const at = (day: number, hour: number): number => new Date(2026, 2, day, hour).getTime();

function usageOf(...counts: [name: string, atMs: number, tokens: number, usd: number | null, model: string][]) {
  const journal = memoryJournal();
  const sums = new Map<string, { seq: number; turns: number; tokens: number; usd: number | null }>();
  for (const [name, atMs, tokens, usd, model] of counts) {
    const old = sums.get(name) ?? { seq: 0, turns: 0, tokens: 0, usd: null };
    const sum = usd === null ? old.usd : (old.usd ?? 0) + usd;
    const usage = { turns: old.turns + 1, tokens: old.tokens + tokens, usd: sum };
    const created: EventBody[] = old.seq === 0 ? [{ type: 'session.created', spec: { ...TURNS, name } }] : [];
    // Haiku does not tell them apart.
    const byKind = model === 'haiku' ? undefined : { input: tokens - 2, output: 1, cacheRead: 1, cacheWrite: 0 };
    const by = [{ model, tokens, usd, byKind }];
    const events: EventBody[] = [...created, { type: 'usage.counted', prompt: 'p' as PromptId, usage, by }];
    journal.append({ session: name as SessionId, afterSeq: old.seq, events, cause: null, atMs, steadyMs: 0 });
    sums.set(name, { seq: old.seq + events.length, ...usage });
  }
  const clock = { wallMs: () => at(30, 12) } as Clock;
  return (days: number) => usageDays({ journal, clock }, { days });
}

test('days are in local time, newest first, and a day without usage is left out', () => {
  const usage = usageOf(
    ['a', at(28, 23), 100, 1, 'opus'],
    ['a', at(30, 0), 10, 0.5, 'opus'],
    ['b', at(30, 11), 5, null, 'haiku'],
  );
  const week = usage(7);
  expect(week.days.map(({ day, turns, tokens, usd }) => [day, turns, tokens, usd])).toEqual([
    ['2026-03-30', 2, 15, 0.5],
    ['2026-03-28', 1, 100, 1],
  ]);
  const byKind = { input: 106, output: 2, cacheRead: 2, cacheWrite: 0 };
  expect(week.total).toEqual({ turns: 3, tokens: 115, usd: 1.5, byKind });
  expect(usage(2).days.map(({ day }) => day)).toEqual(['2026-03-30']);
  expect(usage(1).total.tokens).toBe(15);
});

test('models and sessions are summed, highest cost first; an unknown cost is null', () => {
  const usage = usageOf(
    ['b', at(30, 1), 5, null, 'haiku'],
    ['a', at(30, 2), 10, 0.5, 'opus'],
    ['a', at(30, 3), 20, 0.25, 'haiku'],
  )(1);
  const byKind = { input: 8, output: 1, cacheRead: 1, cacheWrite: 0 };
  expect(usage.models).toEqual([
    { model: 'opus', turns: 1, tokens: 10, usd: 0.5, byKind },
    { model: 'haiku', turns: 2, tokens: 25, usd: 0.25 },
  ]);
  expect(usage.sessions).toEqual([
    { session: 'a', name: 'a', turns: 2, tokens: 30, usd: 0.75, byKind },
    { session: 'b', name: 'b', turns: 1, tokens: 5, usd: null },
  ]);
  expect(usage.days[0]?.sessions).toEqual(usage.sessions);
});

test('without usage everything is empty', () => {
  expect(usageOf()(30)).toMatchObject({
    total: { turns: 0, tokens: 0, usd: null },
    days: [],
    models: [],
    sessions: [],
  });
});
