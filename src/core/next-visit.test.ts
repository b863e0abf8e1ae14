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

describe('a session of turns that is parked', () => {
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
  const left = { is: 'dead', exit: { status: 0 }, outputBytes: 1, drained: true, exitAgeMs: 0, failed: null } as const;
  const visited = (parked: EventBody, ...more: EventBody[]): Session => {
    const before = [parked, ...visit, ...more];
    const s = troubled(TURNS, { kind: 'billing' }, ...before);
    return troubled(TURNS, { kind: 'billing' }, ...before, ...nextEvents(s, { terminal: left }));
  };

  test('is shown to a person who wants to see it', () => {
    for (const parked of [held, limited]) {
      const s = troubled(TURNS, { kind: 'billing' }, parked);
      expect(admit(s, { type: 'visit', by: person('ana') })).toEqual({ ok: true, events: [wanted] });
      const shown = troubled(TURNS, { kind: 'billing' }, parked, wanted);
      expect(nextEvents(shown)).toMatchObject([{ type: 'run.starting', how: 'visit', run: 2 }]);
      expect(stepOf(shown, { slot: false })).toBe('wait');
      expect(troubled(TURNS, { kind: 'billing' }, parked, ...visit).phase.at).toBe('visited');
    }
    expect(admit(sessionAfter(LIVE, ...READY, held), { type: 'visit', by: person('ana') })).toEqual({
      ok: false,
      code: 'busy',
    });
  });

  test('goes back to where it was when they have left', () => {
    expect(visited(held).phase).toMatchObject({ at: 'held', run: 2, why: { kind: 'billing' } });
    expect(visited(limited).phase).toMatchObject({ at: 'limited', run: 2, untilMs: 5_000_000 });
    expect(visited(held, ...answer({ kind: 'billing' })).phase.at).toBe('held');
    expect(visited(held).attendance.suspendedPhase).toBeNull();
  });

  test('goes on when they got an answer, but for what an answer tells nothing of', () => {
    const solved = visited(held, ...answer());
    expect([solved.phase.at, solved.prompts[0]?.state, solved.accounting.manualResume]).toEqual([
      'idle',
      'queued',
      null,
    ]);
    expect(visited(limited, ...answer()).phase.at).toBe('idle');
    const budget: EventBody = { type: 'session.held', run: 1, why: { kind: 'budget', text: '', needsResume: true } };
    expect(visited(budget, ...answer()).phase).toMatchObject({ at: 'held', why: { kind: 'budget' } });
  });

  test('goes on when they made a conversation shorter that was too long', () => {
    const compacted: EventBody = { type: 'conversation.compacted', run: 2, trigger: 'manual' };
    const full: EventBody = { type: 'session.held', run: 1, why: { kind: 'too-long', text: '', needsResume: true } };
    expect(visited(full, compacted).phase.at).toBe('idle');
    expect(visited(held, compacted).phase.at).toBe('held');
  });

  test('the time it was limited before counts for nobody, also during the visit', () => {
    const spec: Spec = { ...TURNS, policy: { ...TURNS.policy, deadlineMsMax: 100 } };
    const waits = Array.from({ length: 20 }, (): EventBody => ({ type: 'session.backgrounded', by: person('ana') }));
    const s = sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), RUN_ENDED, limited, ...waits, ...visit);
    expect(s.accounting.parkedMs).toBeGreaterThan(200);
    expect(stepOf(s, { terminal: { is: 'alive', pid: 8, quietMs: 0, outputBytes: 1, sink: 'ok' } }, 300)).toBe('wait');
  });
});
