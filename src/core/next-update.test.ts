import { expect, test } from 'vitest';
import { prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import { chainAt, childUpdatesText, NO_UPDATES, turnBegun } from './ownership.ts';
import type { PromptId, Session, SessionId } from './session.ts';

const OPEN = { ...TURNS, keepOpen: true };

const queued = (position: number, more: { isUrgent?: boolean; chain?: number; text?: string } = {}): EventBody => {
  const { isUrgent = true, chain = 0, text = `- kid ${position}` } = more;
  const kid = 'kid' as SessionId;
  return { type: 'update.queued', update: { from: kid, position, event: 'session.ended', text, isUrgent, chain } };
};

const LATER = 10_000;
const idle = snapshot({ terminal: { is: 'absent' } });

test('an idle owner gets all its updates in one prompt, a moment after the first', () => {
  const s = sessionAfter(OPEN, queued(7), queued(8));
  expect(next(s, idle, 20)).toEqual({ do: 'wait', untilMs: 60 });
  const step = next(s, idle, LATER);
  const text = childUpdatesText(s.updates.queued);
  expect(text).toContain('- kid 7\n- kid 8');
  expect(step).toMatchObject({
    do: 'append',
    events: [
      { type: 'prompt.queued', prompt: 'wake-8', text },
      { type: 'update.delivered', prompt: 'wake-8', count: 2, chain: 1 },
    ],
  });
});

test('updates that are not urgent start no turn, and are delivered with the next prompt', () => {
  const quiet = sessionAfter(OPEN, queued(7, { isUrgent: false }));
  expect(next(quiet, idle, LATER)).toEqual({ do: 'wait', untilMs: null });
  const asked = sessionAfter(OPEN, queued(7, { isUrgent: false }), ...prompted('p1', 'queued'));
  const step = next(asked, idle, LATER);
  expect(step).toMatchObject({ events: [{ type: 'update.delivered', prompt: 'p1', count: 1, chain: 0 }] });
});

test('updates that arrive before the prompt of earlier updates is sent follow them in it', () => {
  const first = sessionAfter(OPEN, queued(7));
  const made = next(first, idle, LATER);
  const waiting = sessionAfter(OPEN, queued(7), ...(made.do === 'append' ? made.events : []), queued(8));
  const step = next(waiting, idle, LATER);
  expect(step).toMatchObject({ events: [{ type: 'update.delivered', prompt: 'wake-7', count: 1, chain: 0 }] });
  expect(JSON.stringify(step)).toMatch(/- kid 7.*- kid 8/);
  const asked = next(sessionAfter(OPEN, ...prompted('p1', 'queued'), queued(8)), idle, LATER);
  expect(JSON.stringify(asked)).toMatch(/- kid 8.*\[end of updates\]\\n\\n/);
});

test('updates are not added to a prompt that was sent before, or to a command of the agent', () => {
  const sent: EventBody[] = [
    ...prompted('p1', 'sending'),
    { type: 'prompt.waiting', prompt: 'p1' as PromptId, why: 'it was not received before' },
  ];
  const again = sessionAfter(OPEN, ...sent, queued(7));
  expect(next(again, idle, LATER)).toMatchObject({ events: [{ type: 'prompt.sending' }, { type: 'run.starting' }] });
  const command: EventBody = { type: 'prompt.queued', prompt: 'p1' as PromptId, text: '/compact', command: true };
  expect(next(sessionAfter(OPEN, command, queued(7)), idle, LATER)).toMatchObject({
    events: [{ type: 'prompt.sending' }, {}],
  });
});

test('updates start no turn while a person has control', () => {
  const s = sessionAfter(OPEN, { type: 'control.taken', by: person('ann'), how: 'handoff' }, queued(7));
  expect(next(s, idle, LATER)).toEqual({ do: 'wait', untilMs: null });
});

test('an update whose chain is too long starts no turn, and stays queued', () => {
  const s = sessionAfter(OPEN, queued(7, { chain: 10 }));
  expect(next(s, idle, LATER)).toMatchObject({ events: [{ type: 'update.suppressed', count: 1, chain: 11 }] });
  const stopped = sessionAfter(OPEN, queued(7, { chain: 10 }), { type: 'update.suppressed', count: 1, chain: 11 });
  expect(stopped.updates.queued).toHaveLength(1);
  expect(next(stopped, idle, LATER)).toEqual({ do: 'wait', untilMs: null });
});

test('the chain is that of the turn in which something started', () => {
  const wake = 'wake-7' as PromptId;
  const s = { ...NO_UPDATES, prompt: { id: wake, chain: 3 } };
  const one = { ...s, ...turnBegun(s, 'p1' as PromptId, 100) };
  const two = { ...one, ...turnBegun(one, wake, 200) };
  expect([50, 100, 150, 200, 999].map((atMs) => chainAt(two, atMs))).toEqual([0, 0, 0, 3, 3]);
});

test('a session that expects updates does not end, and one that expects none does', () => {
  const s = sessionAfter(TURNS, ...READY, ...prompted('p1', 'accepted'), {
    type: 'prompt.answered',
    prompt: 'p1' as PromptId,
    reply: 'ok',
  });
  const over: Session = {
    ...s,
    phase: { at: 'idle', run: 1, sinceMs: 0 },
    accounting: { ...s.accounting, counted: 'p1' as PromptId },
  };
  expect(next(over, { ...idle, expects: true }, LATER)).toEqual({ do: 'wait', untilMs: null });
  expect(next(over, idle, LATER)).toMatchObject({ events: [{ type: 'session.closing' }] });
});

test('a thousand updates are one prompt of bounded length that says how many there are', () => {
  const long = `- kid\n${'x'.repeat(500)}`;
  const s = sessionAfter(OPEN, ...Array.from({ length: 1_000 }, (_, i) => queued(i + 1, { text: long })));
  const text = childUpdatesText(s.updates.queued);
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain('- and 800 more: outlast list --mine');
});

test('updates are queued for an owner that has ended, but not for one that was removed', () => {
  const ended = sessionAfter(OPEN, { type: 'session.ended', outcome: { kind: 'stopped', by: person('ann') } });
  const input = {
    type: 'update',
    from: 'kid' as SessionId,
    position: 7,
    event: 'x',
    text: 'y',
    isUrgent: true,
  } as const;
  expect(admit(ended, { ...input, begunMs: 0 })).toMatchObject({ ok: true, events: [{ type: 'update.queued' }] });
  const removed = { ...ended, removed: true };
  expect(admit(removed, { ...input, begunMs: 0 })).toEqual({ ok: true, events: [] });
});
