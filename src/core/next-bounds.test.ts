import { describe, expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { type Actor, byPolicy, person } from './actor.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import type { Policy, Session, Spec } from './session.ts';
import type { Snapshot } from './snapshot.ts';

const policy: Policy = { ...LIVE.policy, thinkMsMax: 5_000, toolMsMax: 60_000, interruptMsMax: 1_000 };
const bounded = (more: Partial<Policy> = {}, spec = LIVE): Spec => ({ ...spec, policy: { ...policy, ...more } });
const working = [...READY, ...prompted('p1', 'accepted')];
const by = (who: Actor): EventBody => ({ type: 'turn.interrupting', run: 1, by: who });
const stuck = { progressMs: 5_000, isComputing: false, words: ['no tool at work'] };
const transcriptWith = (turn: Snapshot['transcript']['turn']): Snapshot['transcript'] => ({
  ...{ exists: true, received: ['p1#1'], turn, reply: '' },
});
const open = { transcript: transcriptWith('open'), signs: stuck, tried: 'yes' } as const;
const busy = { ...open, screen: { is: 'busy' } } as const;

/** The next step in words: its events, its effect, or how long it waits. */
function step(s: Session, seen: Partial<Snapshot>, nowMs: number): string {
  const it = next(s, snapshot(seen), nowMs);
  if (it.do === 'append') return it.events.map(({ type }) => type).join(' ');
  return it.do === 'act' ? it.effect.kind : `until ${it.untilMs}`;
}

describe('a turn that hangs', () => {
  test('is interrupted, and after a grace period its run is ended', () => {
    expect(step(sessionAfter(bounded(), ...working), busy, 9_000)).toBe('turn.interrupting');
    const hung = sessionAfter(bounded(), ...working, by(byPolicy('hang')));
    const { sinceMs = 0 } = hung.turn.interrupting ?? {};
    expect(step(hung, { ...busy, tried: 'no' }, sinceMs)).toBe('interrupt');
    expect(step(hung, busy, sinceMs + 999)).toMatch(/^until/);
    expect(step(hung, busy, sinceMs + 1_000)).toBe('run.faulted');
  });

  test('is not one while a tool is at work, also one that only the record has', () => {
    const recorded = { ...busy, signs: { ...stuck, recordedCalls: ['bash'] } };
    expect(step(sessionAfter(bounded({}, TURNS), ...working), recorded, 9_000)).toMatch(/^until/);
    expect(step(sessionAfter(bounded({}, TURNS), ...working), busy, 9_000)).toBe('run.faulted');
  });

  test('is retried only after the agent has been idle for a moment', () => {
    const hung = sessionAfter(bounded(), ...working, by(byPolicy('hang')));
    const { sinceMs = 0 } = hung.turn.interrupting ?? {};
    for (const is of ['ready', 'draft', 'unknown'] as const) {
      expect(step(hung, { ...open, screen: { is } }, sinceMs + 10)).toMatch(/^until/);
    }
    expect(step(hung, open, sinceMs + 500)).toBe('prompt.delayed');
  });

  test('is retried, unless a person interrupted it too', () => {
    const seen = { ...open, transcript: transcriptWith('interrupted') };
    expect(step(sessionAfter(bounded(), ...working, by(byPolicy('hang'))), seen, 200)).toBe('prompt.delayed');
    expect(step(sessionAfter(bounded(), ...working, by(byPolicy('hang')), by(person('ana'))), seen, 200)).toBe(
      'prompt.interrupted',
    );
    const closed = { ...open, transcript: transcriptWith('closed') };
    expect(step(sessionAfter(bounded(), ...working, by(byPolicy('hang'))), closed, 200)).toBe('prompt.answered');
  });

  test('is retried also when its run faulted before the interrupt was seen', () => {
    const fault: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'cut' }, retryAtMs: 0 };
    const again = READY.map((body) => ('run' in body ? { ...body, run: 2 } : body)) as EventBody[];
    const afterFault = (who: Actor): Session => sessionAfter(bounded(), ...working, by(who), fault, ...again);
    const transcript = transcriptWith('interrupted');
    expect(step(afterFault(byPolicy('hang')), { transcript }, 9_000)).toBe('prompt.delayed');
    expect(step(afterFault(person('ana')), { transcript }, 9_000)).toBe('prompt.interrupted');
  });

  test('a second time is not interrupted again: its run is ended', () => {
    const delayed = { type: 'prompt.delayed', prompt: 'p1', retryAtMs: 0, why: '' } as EventBody;
    const sent = { type: 'prompt.sending', prompt: 'p1', turn: 2, run: 1 } as EventBody;
    const accepted = { type: 'prompt.accepted', prompt: 'p1', turnId: 'm' } as EventBody;
    const s = sessionAfter(bounded(), ...working, by(byPolicy('hang')), delayed, sent, accepted);
    expect(step(s, busy, 9_000)).toBe('run.faulted');
  });

  test('is not assumed while a tool is within its time limit, or while the process computes', () => {
    const call: EventBody = { type: 'tool.called', run: 1, call: 'k', tool: 'Bash', input: '', subagent: null };
    expect(step(sessionAfter(bounded(), ...working, call), busy, 9_000)).toMatch(/^until/);
    const late = { ...busy, signs: { ...stuck, progressMs: 60_000 } };
    expect(step(sessionAfter(bounded(), ...working, call), late, 90_000)).toBe('turn.interrupting');
    const computing = { ...late, signs: { ...late.signs, isComputing: true } };
    expect(step(sessionAfter(bounded(), ...working, call), computing, 90_000)).toMatch(/^until/);
  });
});

describe('a deadline', () => {
  const spec = bounded({ deadlineMsMax: 10_000 });

  test('ends a session in any phase, and bounds its waits', () => {
    const held: EventBody = { type: 'session.held', run: 1, why: { kind: 'billing', text: '', needsResume: true } };
    const fault: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'cut' }, retryAtMs: 90_000 };
    const gone = { terminal: { is: 'lost', outputBytes: 0 } } as const;
    for (const [last, seen] of [[held, {}] as const, [fault, gone] as const]) {
      const s = sessionAfter(spec, ...working, last);
      expect(step(s, seen, 9_999)).toBe('until 10000');
      expect(step(s, seen, 10_000)).toBe('session.closing');
    }
    const idle = sessionAfter({ ...spec, keepOpen: true }, ...READY);
    expect([step(idle, {}, 9_999), step(idle, {}, 10_000)]).toEqual(['until 10000', 'session.closing']);
    const turns = sessionAfter({ ...bounded({ deadlineMsMax: 10_000 }, TURNS), keepOpen: true });
    expect([step(turns, {}, 9_999), step(turns, {}, 10_000)]).toEqual(['until 10000', 'session.closing']);
  });

  test('does not count the time for which the session is limited', () => {
    const limited: EventBody = { type: 'session.limited', run: 1, untilMs: 9e12, text: '' };
    const waiting = sessionAfter(spec, ...working, limited);
    expect(step(waiting, {}, 20_000)).not.toBe('session.closing');
    const unlimited = sessionAfter(spec, ...working, limited, { type: 'session.unlimited', run: 1 });
    expect([step(unlimited, {}, 10_009), step(unlimited, {}, 10_010)]).toEqual([expect.anything(), 'session.closing']);
    expect(step(unlimited, {}, 10_009)).not.toBe('session.closing');
  });

  test('spares a session that a person controls, or that is closing', () => {
    const taken: EventBody = { type: 'control.taken', by: person('ana'), how: 'handoff' };
    expect(step(sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), taken), {}, 20_000)).not.toBe(
      'session.closing',
    );
    const closing: EventBody = { type: 'session.closing', outcome: { kind: 'stopped', by: person('ana') } };
    expect(step(sessionAfter(spec, ...READY, closing), {}, 20_000)).toBe('close');
  });

  test('is reported with the time that the session took', () => {
    const it = next(sessionAfter(spec, ...working), snapshot(), 12_345);
    const outcome = { kind: 'abandoned', fault: { kind: 'deadline', afterMs: 12_345 } };
    expect(it).toMatchObject({ events: [{ type: 'session.closing', outcome }] });
  });
});
