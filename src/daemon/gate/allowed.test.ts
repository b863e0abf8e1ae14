import { expect, test } from 'vitest';
import type { EventBody } from '../../core/event.ts';
import type { ApprovalId, SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { asked, decided, LIVE, READY } from '../../testing/sessions.ts';
import { AllowedCalls } from './allowed.ts';

/** A journal with one session, and how many of its events were read. */
function place() {
  const journal = memoryJournal();
  const session = 's1' as SessionId;
  let seq = 0;
  const add = (...events: readonly EventBody[]): void => {
    journal.append({ session, afterSeq: seq, events, cause: null, atMs: 1, steadyMs: 1 });
    seq += events.length;
  };
  add({ type: 'session.created', spec: LIVE }, ...READY);
  const counts = { events: 0 };
  const read: Journal['read'] = (...given) => {
    const page = journal.read(...given);
    counts.events += page.length;
    return page;
  };
  return { session, add, counts, allowed: new AllowedCalls({ read }) };
}

const askedAndDecided = (name: string, allow: boolean): EventBody[] => [asked(name), decided(name, allow)];
const callOf = (name: string): string => `call of ${name}`;

test('a call is allowed after its approval was allowed, and not before', () => {
  const { session, add, allowed } = place();
  expect(allowed.has(session, callOf('q'))).toBe(false);
  add(...askedAndDecided('q', true));
  expect(allowed.has(session, callOf('q'))).toBe(true);
});

test('a postponed call that was allowed is allowed under its later id, and a denied one is not', () => {
  const { session, add, allowed } = place();
  const again = (name: string): EventBody => {
    return { type: 'approval.repeated', approval: name as ApprovalId, run: 1, hook: 'h', call: `again ${name}` };
  };
  add(...askedAndDecided('yes', true), again('yes'), ...askedAndDecided('no', false), again('no'));
  expect([allowed.has(session, 'again yes'), allowed.has(session, 'again no')]).toEqual([true, false]);
});

test('T-LONG-6: the events of a long session are read once, however many of its calls are asked about', () => {
  const { session, add, counts, allowed } = place();
  for (let i = 0; i < 700; i += 1) add(...askedAndDecided(`q${i}`, false));
  for (let i = 0; i < 50; i += 1) expect(allowed.has(session, 'toolu_never')).toBe(false);
  const all = counts.events;
  expect(all).toBe(1 + READY.length + 2 * 700);
  add(...askedAndDecided('last', true));
  expect(allowed.has(session, callOf('last'))).toBe(true);
  expect(counts.events).toBe(all + 2);
});
