import { describe, expect, test } from 'vitest';
import {
  LIVE,
  nextEvents,
  prompted,
  READY,
  RUN_ENDED,
  sessionAfter,
  stepOf,
  TURNS,
  troubled,
} from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody } from './event.ts';
import type { Session, Spec, Trouble } from './session.ts';

describe('a held or limited session in the turns drive', () => {
  const held: EventBody = { type: 'session.held', run: 1, why: { kind: 'billing', text: '', needsResume: true } };
  const limited: EventBody = { type: 'session.limited', run: 1, untilMs: 5_000_000, text: '' };
  const wanted: EventBody = { type: 'visit.wanted', by: person('ana') };
  const visit: EventBody[] = [
    wanted,
    { type: 'run.starting', run: 2, how: 'visit', boot: 'b' },
    { type: 'run.opened', run: 2, pid: 8 },
  ];
  const answer = (trouble?: Trouble): EventBody[] => [
    { type: 'turn.started', run: 2, text: 'hi', turnId: null },
    { type: 'turn.ended', run: 2, reply: 'hello', ...(trouble === undefined ? {} : { trouble }) },
  ];
  const exited = {
    is: 'dead',
    exit: { status: 0 },
    outputBytes: 1,
    drained: true,
    exitAgeMs: 0,
    failed: null,
  } as const;
  const afterVisit = (suspended: EventBody, ...more: EventBody[]): Session => {
    const before = [suspended, ...visit, ...more];
    const s = troubled(TURNS, { kind: 'billing' }, ...before);
    return troubled(TURNS, { kind: 'billing' }, ...before, ...nextEvents(s, { terminal: exited }));
  };

  test('can be visited by a person', () => {
    for (const suspended of [held, limited]) {
      const s = troubled(TURNS, { kind: 'billing' }, suspended);
      expect(admit(s, { type: 'visit', by: person('ana') })).toEqual({ ok: true, events: [wanted] });
      const shown = troubled(TURNS, { kind: 'billing' }, suspended, wanted);
      expect(nextEvents(shown)).toMatchObject([{ type: 'run.starting', how: 'visit', run: 2 }]);
      expect(stepOf(shown, { slot: false })).toBe('wait');
      expect(troubled(TURNS, { kind: 'billing' }, suspended, ...visit).phase.at).toBe('visited');
    }
    expect(admit(sessionAfter(LIVE, ...READY, held), { type: 'visit', by: person('ana') })).toEqual({
      ok: false,
      code: 'busy',
    });
  });

  test('returns to its phase after the visit', () => {
    expect(afterVisit(held).phase).toMatchObject({ at: 'held', run: 2, why: { kind: 'billing' } });
    expect(afterVisit(limited).phase).toMatchObject({ at: 'limited', run: 2, untilMs: 5_000_000 });
    expect(afterVisit(held, ...answer({ kind: 'billing' })).phase.at).toBe('held');
    expect(afterVisit(held).attendance.suspendedPhase).toBeNull();
  });

  test('continues if the person got an answer, unless its hold has nothing to do with answers', () => {
    const solved = afterVisit(held, ...answer());
    expect([solved.phase.at, solved.prompts[0]?.state, solved.accounting.manualResume]).toEqual([
      'idle',
      'queued',
      null,
    ]);
    expect(afterVisit(limited, ...answer()).phase.at).toBe('idle');
    const budget: EventBody = { type: 'session.held', run: 1, why: { kind: 'budget', text: '', needsResume: true } };
    expect(afterVisit(budget, ...answer()).phase).toMatchObject({ at: 'held', why: { kind: 'budget' } });
  });

  test('continues if the person compacted a conversation that was too long', () => {
    const compacted: EventBody = { type: 'conversation.compacted', run: 2, trigger: 'manual' };
    const full: EventBody = { type: 'session.held', run: 1, why: { kind: 'too-long', text: '', needsResume: true } };
    expect(afterVisit(full, compacted).phase.at).toBe('idle');
    expect(afterVisit(held, compacted).phase.at).toBe('held');
  });

  test('does not count the time it was limited toward its deadline, also during the visit', () => {
    const spec: Spec = { ...TURNS, policy: { ...TURNS.policy, deadlineMsMax: 100 } };
    const waits = Array.from({ length: 20 }, (): EventBody => ({ type: 'session.backgrounded', by: person('ana') }));
    const s = sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), RUN_ENDED, limited, ...waits, ...visit);
    expect(s.accounting.parkedMs).toBeGreaterThan(200);
    expect(stepOf(s, { terminal: { is: 'alive', pid: 8, quietMs: 0, outputBytes: 1, sink: 'ok' } }, 300)).toBe('wait');
  });
});
