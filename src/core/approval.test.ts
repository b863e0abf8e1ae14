import { expect, test } from 'vitest';
import {
  asked,
  CONVERSATION,
  decided,
  LIVE,
  prompted,
  READY,
  sessionAfter,
  snapshot,
  TURNS,
} from '../testing/sessions.ts';
import { byPolicy, person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody, HookInput } from './event.ts';
import { next } from './next.ts';
import type { ApprovalId, Gate, PromptId, Session, Spec } from './session.ts';

const gated = (spec: Spec, mode: Gate['mode'] = 'gate', approvalMsMax: number | null = 1_000): Spec => ({
  ...spec,
  conversation: { ...CONVERSATION, gate: { mode, rules: {} } },
  policy: { ...spec.policy, approvalMsMax },
});

const WORKING = [...READY, ...prompted('p1', 'accepted')];
const at = (mode: Gate['mode'], ...more: EventBody[]): Session => sessionAfter(gated(LIVE, mode), ...WORKING, ...more);

const askHook = (approval: string, verdict: 'allow' | 'ask' | 'deny' = 'ask'): HookInput => ({
  type: 'hook.asked',
  run: 1,
  approval: approval as ApprovalId,
  call: `call of ${approval}`,
  tool: 'Bash',
  input: '{}',
  hash: 'h',
  subagent: null,
  hook: `hook of ${approval}`,
  ruling: { verdict, rule: verdict === 'ask' ? null : `${verdict} Bash`, why: 'so it is' },
});

function eventsOf(s: Session, input: Parameters<typeof admit>[1]): EventBody[] {
  const admission = admit(s, input);
  if (!admission.ok) throw new Error(admission.code);
  return [...admission.events];
}

const typesOf = (s: Session, input: Parameters<typeof admit>[1]): string[] =>
  eventsOf(s, input).map(({ type }) => type);

test('an approval is recorded with its tool call, and blocks the turn', () => {
  expect(typesOf(at('gate'), askHook('q'))).toEqual(['tool.called', 'approval.asked']);
  const s = at('gate', ...eventsOf(at('gate'), askHook('q')));
  expect([s.phase.at, s.gate.approvals.length, s.turn.calls.length]).toEqual(['blocked', 1, 1]);
});

test.each(['allow', 'deny'] as const)('rules that %s decide as soon as the hook asks', (verdict) => {
  const events = eventsOf(at('gate'), askHook('q', verdict));
  expect(events.at(-1)).toMatchObject({
    type: 'approval.decided',
    allow: verdict === 'allow',
    by: { is: 'rule' },
    hash: 'h',
  });
  const s = at('gate', ...events);
  expect([s.phase.at, s.gate.approvals.length, s.turn.calls.length]).toEqual([
    'working',
    0,
    verdict === 'allow' ? 1 : 0,
  ]);
});

test('a hook that asks twice about the same call creates one approval', () => {
  expect(typesOf(at('gate', asked('q')), askHook('q'))).toEqual([]);
  expect(typesOf(at('gate', asked('q'), decided('q', true)), askHook('q'))).toEqual([]);
});

test('no approval is created without a gate, or after the run has faulted', () => {
  expect(typesOf(sessionAfter(LIVE, ...WORKING), askHook('q'))).toEqual([]);
  const faulted: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'cut' }, retryAtMs: 0 };
  expect(typesOf(at('gate', faulted), askHook('q'))).toEqual([]);
});

test('a question of an older run is ignored', () => {
  const again: EventBody[] = [
    { type: 'run.faulted', run: 1, fault: { kind: 'cut' }, retryAtMs: 0 },
    { type: 'run.starting', run: 2, how: 'resume', boot: 'b' },
    { type: 'run.opened', run: 2, pid: 8 },
  ];
  expect(typesOf(at('gate', ...again), askHook('q'))).toEqual([]);
});

test('an approval is decided once: a decision that is late or repeated is refused', () => {
  const decide = { type: 'decide', approval: 'q' as ApprovalId, allow: true, by: person('bob') } as const;
  expect(admit(at('gate'), decide)).toEqual({ ok: false, code: 'approval_unknown' });
  expect(eventsOf(at('gate', asked('q')), decide)).toMatchObject([{ by: person('bob'), call: 'call of q', hash: 'h' }]);
  expect(admit(at('gate', asked('q'), decided('q', false)), decide)).toEqual({ ok: false, code: 'approval_decided' });
});

test('a decision that becomes a rule holds for the rest of the session', () => {
  const rule = { effect: 'allow', text: 'Bash(git status)' } as const;
  const events = eventsOf(at('gate', asked('q')), {
    ...{ type: 'decide', approval: 'q' as ApprovalId, allow: true, by: person('bob') },
    rule,
  });
  expect(at('gate', asked('q'), ...events).gate.rules).toEqual([rule]);
});

test('an allowed approval can be used once', () => {
  const use = { type: 'use', approval: 'q' as ApprovalId } as const;
  const allowed = [asked('q'), decided('q', true)];
  expect(typesOf(at('gate', ...allowed), use)).toEqual(['approval.used']);
  const used: EventBody = { type: 'approval.used', approval: 'q' as ApprovalId, run: 1 };
  expect(admit(at('gate', ...allowed, used), use)).toEqual({ ok: false, code: 'approval_decided' });
  expect(admit(at('gate', asked('q')), use)).toEqual({ ok: false, code: 'approval_decided' });
});

test('an approval that times out is denied behind a gate, and allowed in watch mode', () => {
  const step = (mode: Gate['mode']) => next(at(mode, asked('q')), snapshot({ screen: { is: 'busy' } }), 5_000);
  expect(step('gate')).toMatchObject({ events: [{ allow: false, by: byPolicy('timeout'), call: 'call of q' }] });
  expect(step('watch')).toMatchObject({ events: [{ allow: true, by: byPolicy('timeout') }] });
});

test('a session with a pending approval waits until its timeout, and not longer', () => {
  const s = sessionAfter(gated(TURNS, 'watch', 400), ...WORKING, asked('q'));
  const askedAtMs = s.gate.approvals[0]?.askedAtMs ?? 0;
  expect(next(s, snapshot(), askedAtMs + 1)).toEqual({ do: 'wait', untilMs: askedAtMs + 400 });
});

test('an approval without a timeout stays pending', () => {
  const s = sessionAfter(gated(LIVE, 'gate', null), ...WORKING, asked('q'));
  expect(next(s, snapshot({ screen: { is: 'busy' } }), 10_000_000)).toEqual({ do: 'wait', untilMs: 10_001_000 });
});

const callEnded: HookInput = {
  type: 'hook.noted',
  run: 1,
  fact: { type: 'tool.ended', run: 1, call: 'call of q', tool: 'Bash', error: null, tookMs: 1 },
};
const called: EventBody = {
  type: 'tool.called',
  run: 1,
  call: 'call of q',
  tool: 'Bash',
  input: '{}',
  subagent: null,
};

test('a call that ran without approval closes the session', () => {
  const breach = ['approval.breached', 'session.closing', 'tool.ended'];
  expect(typesOf(at('gate', called), callEnded)).toEqual(breach);
  expect(typesOf(at('gate', called, asked('q')), callEnded)).toEqual(['approval.missed', ...breach]);
  expect(typesOf(at('gate', called, asked('q'), decided('q', false), called), callEnded)).toEqual(breach);
  expect(typesOf(at('gate', called, asked('q'), decided('q', true)), callEnded)).toEqual(['tool.ended']);
  expect(typesOf(at('watch', called), callEnded)).toEqual(['tool.ended']);
});

test('a call that ran while its dialog was shown counts as allowed by a person at the screen', () => {
  const shown: EventBody = { type: 'approval.shown', approval: 'q' as ApprovalId, run: 1, hook: 'other' };
  const events = eventsOf(at('gate', called, asked('q', { hook: '' }), shown), callEnded);
  expect(events).toMatchObject([{ type: 'approval.decided', allow: true }, { type: 'tool.ended' }]);
  // In case that is wrong, the hook that still waits must not be told that the call is allowed.
  expect(at('gate', called, asked('q', { hook: '' }), shown, ...events).gate.answers).toMatchObject([
    { hook: '', used: true },
  ]);
});

test('a transcript that shows a call without approval closes the session', () => {
  const breach = { run: 1, call: 'c', tool: 'Bash', evidence: 'seen' };
  const step = next(at('gate'), snapshot({ breach }), 100);
  expect(step).toMatchObject({ events: [{ type: 'approval.breached' }, { type: 'session.closing', graceMs: 0 }] });
  expect(next(at('watch'), snapshot({ breach, screen: { is: 'busy' } }), 100).do).toBe('wait');
});

const PERMISSION = { is: 'dialog', why: { kind: 'permission', about: 'tool', text: '' } } as const;

test('the dialog about a call holds the session only if no hook has reported the call', () => {
  const alive = { is: 'alive', pid: 7, outputBytes: 1, sink: 'ok' } as const;
  const step = (s: Session, quietMs: number, nowMs = 500) =>
    next(s, snapshot({ screen: PERMISSION, terminal: { ...alive, quietMs } }), nowMs);
  expect(step(at('gate', asked('q')), 60_000).do).toBe('wait');
  expect(step(at('gate'), 100).do).toBe('wait');
  expect(step(at('gate'), 60_000, 60_000)).toMatchObject({ events: [{ type: 'session.held' }] });
  expect(step(sessionAfter(LIVE, ...WORKING), 100)).toMatchObject({ events: [{ type: 'session.held' }] });
});

test('the dialog of a question that timed out is given time to close, however long it was shown', () => {
  const alive = { is: 'alive', pid: 7, outputBytes: 1, sink: 'ok', quietMs: 300_000 } as const;
  const step = (s: Session, afterMs: number) => {
    const sinceMs = 'sinceMs' in s.phase ? s.phase.sinceMs : 0;
    return next(s, snapshot({ screen: PERMISSION, terminal: alive }), sinceMs + afterMs);
  };
  const late = decided('q', false, byPolicy('timeout'));
  expect(step(at('gate', asked('q'), late), 20)).toMatchObject({ do: 'wait' });
  expect(step(at('gate', asked('q'), late), 60_000)).toMatchObject({ events: [{ type: 'session.held' }] });
  // The agent may report the end of its turn before it redraws its screen.
  const over: EventBody = { type: 'prompt.answered', prompt: 'p1' as PromptId, reply: 'bye' };
  const idle = sessionAfter({ ...gated(LIVE), keepOpen: true }, ...WORKING, asked('q'), late, over);
  expect([idle.phase.at, step(idle, 20).do]).toEqual(['idle', 'wait']);
  expect(step(idle, 60_000)).toMatchObject({ events: [{ type: 'session.held' }] });
});

test('a denied approval can never be used', () => {
  const use = { type: 'use', approval: 'q' as ApprovalId } as const;
  expect(admit(at('gate', asked('q'), decided('q', false)), use)).toEqual({ ok: false, code: 'approval_decided' });
});

test('a dialog that the agent closed without a yes was denied by the person there, or by the interrupt', () => {
  const miss = { type: 'miss', approval: 'q' as ApprovalId, closed: true } as const;
  const shown: EventBody = { type: 'approval.shown', approval: 'q' as ApprovalId, run: 1, hook: 'other' };
  const open = [called, asked('q', { hook: '' }), shown];
  const denied = { type: 'approval.decided', approval: 'q', allow: false };
  expect(eventsOf(at('gate', ...open), miss)).toMatchObject([{ ...denied, by: { is: 'person', at: 'screen' } }]);
  const interrupting: EventBody = { type: 'turn.interrupting', run: 1, by: person('bob') };
  expect(eventsOf(at('gate', ...open, interrupting), miss)).toMatchObject([{ ...denied, by: person('bob') }]);
  // An approval that was decided before, or never shown, is missed.
  expect(typesOf(at('gate', ...open, decided('q', true)), miss)).toEqual(['approval.missed']);
  expect(typesOf(at('gate', called, asked('q')), miss)).toEqual(['approval.missed']);
});

test('an approval whose hook is gone is missed, and the turn continues', () => {
  const events = eventsOf(at('gate', asked('q')), { type: 'miss', approval: 'q' as ApprovalId });
  expect(events).toEqual([{ type: 'approval.missed', approval: 'q', run: 1 }]);
  expect(at('gate', asked('q'), ...events).phase.at).toBe('working');
  expect(typesOf(at('gate'), { type: 'miss', approval: 'q' as ApprovalId })).toEqual([]);
});

test('an agent that is unsafe behind a gate is not started', () => {
  const opening: EventBody = { type: 'run.starting', run: 1, how: 'launch', boot: 'b' };
  const s = sessionAfter(gated(LIVE), opening);
  expect(typesOf(s, { type: 'unsafe', run: 1, why: 'it lets calls through' })).toEqual(['session.closing']);
  expect(typesOf(at('gate'), { type: 'unsafe', run: 1, why: 'late' })).toEqual([]);
});

test('a call that waited for approval when its run faulted did not run, unless it was shown on the screen', () => {
  const faulted: EventBody = {
    type: 'run.faulted',
    run: 1,
    fault: { kind: 'exited', exit: { status: 137 } },
    retryAtMs: 0,
  };
  const called = (call: string): EventBody => ({
    ...{ type: 'tool.called', run: 1, call, tool: 'Bash', input: '{}', subagent: null },
  });
  const shown: EventBody = { type: 'approval.shown', approval: 'a2' as ApprovalId, run: 1, hook: 'h2' };
  const calls = ['call of a1', 'call of a2', 'c3'].map(called);
  const s = at('gate', ...calls, asked('a1'), asked('a2'), shown, faulted);
  expect(s.gate.approvals).toEqual([]);
  expect(s.prompts[0]?.unknown.map(({ id }) => id)).toEqual(['call of a2', 'c3']);
});
