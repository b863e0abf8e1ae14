import { expect, test } from 'vitest';
import { asked, decided, LIVE, prompted, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import { isDeferred } from './deferred.ts';
import type { EventBody, HookInput } from './event.ts';
import { next } from './next.ts';
import type { ApprovalId, ConversationId, ConversationSpec, Session, Spec } from './session.ts';

const gate = { mode: 'gate', rules: {} } as const;
const CONVERSATION: ConversationSpec = {
  ...{ id: 'c1' as ConversationId, forkOf: null, model: null, args: [], envNames: [], trusted: false, after: [] },
  ...{ screen: 'pty', gate },
};
const patient = (spec: Spec, approvalMsMax: number | null = null): Spec => ({
  ...spec,
  conversation: CONVERSATION,
  policy: { ...spec.policy, approvalMsMax, deferMs: 1_000 },
});

const WORKING: readonly EventBody[] = [
  { type: 'run.starting', run: 1, how: 'launch', boot: 'b' },
  { type: 'run.opened', run: 1, pid: 7 },
  ...prompted('p1', 'accepted'),
];
const call = (id: string): EventBody => ({
  type: 'tool.called',
  run: 1,
  call: id,
  tool: 'Bash',
  input: '',
  subagent: null,
});
const Q = 'q' as ApprovalId;
const deferred: EventBody = { type: 'approval.deferred', approval: Q, run: 1 };
const putOff: EventBody[] = [
  { type: 'turn.deferred', run: 1, approval: Q },
  { type: 'run.ended', run: 1, exit: { status: 0 }, outputBytes: 1, complete: true },
];
const at = (...more: EventBody[]): Session => sessionAfter(patient(TURNS), ...WORKING, ...more);
const parked = (...more: EventBody[]): Session => at(call('call of q'), asked('q'), deferred, ...putOff, ...more);
const again: EventBody[] = [
  { type: 'run.starting', run: 2, how: 'resume', boot: 'b', silent: true },
  { type: 'run.opened', run: 2, pid: 8 },
];

const MISSED: EventBody = { type: 'approval.missed', approval: 'q' as ApprovalId, run: 1 };
const DONE = { exists: true, received: ['p1#1'], turn: 'deferred', reply: '' } as const;
const gone = (status: number, by: { signal?: string } = {}): ReturnType<typeof snapshot> =>
  snapshot({
    terminal: { is: 'dead', exit: { status }, ...by, outputBytes: 1, drained: true, exitAgeMs: 0, failed: null },
    transcript: DONE,
  });

const question = (more: Partial<Extract<HookInput, { type: 'hook.asked' }>> = {}): HookInput => ({
  ...{ type: 'hook.asked', run: 2, approval: 'other' as ApprovalId, call: 'call of q', tool: 'Bash', input: '{}' },
  ...{ hash: 'h', subagent: null, hook: 'second', ruling: { verdict: 'ask', rule: null, why: '' } },
  ...more,
});

function typesOf(s: Session, input: Parameters<typeof admit>[1]): string[] {
  const admission = admit(s, input);
  return admission.ok ? admission.events.map(({ type }) => type) : [admission.code];
}

test('a question that may wait for ever keeps its process for a while only', () => {
  const s = at(asked('q'));
  const askedAtMs = s.gate.approvals[0]?.askedAtMs ?? 0;
  expect(next(s, snapshot(), askedAtMs + 1)).toEqual({ do: 'wait', untilMs: askedAtMs + 1_000 });
  expect(next(s, snapshot(), askedAtMs + 1_000)).toEqual({ do: 'append', events: [deferred] });
  expect(next(at(asked('q'), deferred), snapshot(), 5_000).do).toBe('wait');
});

const subagent: EventBody = { type: 'subagent.started', run: 1, subagent: 'a1', kind: 'helper' };

test.each([
  ['it has a time', sessionAfter(patient(TURNS, 9_000), ...WORKING, asked('q'))],
  ['its agent has a screen', sessionAfter(patient(LIVE), ...WORKING, asked('q'))],
  ['another question is open', at(asked('q'), asked('r'))],
  ['a sub-agent asks', at(asked('q', { subagent: 'a1' }))],
  ['a sub-agent is at work', at(subagent, asked('q'))],
  ['another tool is at work', at(call('x'), asked('q'))],
  ['the agent named no call', at(asked('q', { call: null }))],
  ['somebody wants the turn to end', at(asked('q'), { type: 'turn.interrupting', run: 1, by: person('ann') })],
])('a question is not put off when %s', (_, s) => {
  const step = next(s, snapshot({ screen: { is: 'busy' }, tried: 'yes' }), 5_000);
  expect(JSON.stringify(step)).not.toContain('approval.deferred');
});

test('what is over before it was put off does not count', () => {
  const over: EventBody = { type: 'subagent.ended', run: 1, subagent: 'a1' };
  expect(next(at(subagent, over, asked('q')), snapshot(), 5_000)).toEqual({ do: 'append', events: [deferred] });
});

test('a run that ends as it was told leaves a question without a process', () => {
  const step = next(at(asked('q'), deferred), gone(0), 5_000);
  expect(step).toMatchObject({ events: [{ type: 'turn.deferred', approval: 'q' }, { type: 'run.ended' }] });
  const s = parked();
  expect([isDeferred(s), s.phase.at, s.gate.approvals.length, s.prompts[0]?.state]).toEqual([
    true,
    'blocked',
    1,
    'accepted',
  ]);
  expect(next(s, gone(0), 1_000_000)).toEqual({ do: 'wait', untilMs: null });
  expect(next(s, snapshot({ terminal: { is: 'absent' }, boot: 'other' }), 1_000_000).do).toBe('wait');
});

test('a run that ends without having been told so broke', () => {
  expect(next(at(asked('q')), gone(0), 100)).toMatchObject({ events: [MISSED, { type: 'run.faulted' }] });
});

test('an answer starts a run that is told nothing', () => {
  const s = parked(decided('q', true));
  expect([s.phase.at, s.gate.answers.length]).toEqual(['idle', 1]);
  expect(next(s, gone(0), 5_000)).toMatchObject({
    events: [{ type: 'run.starting', run: 2, how: 'resume', silent: true }],
  });
  expect(next(s, { ...gone(0), slot: false }, 5_000).do).toBe('wait');
  const opening = parked(decided('q', true), ...again.slice(0, 1));
  const step = next(opening, snapshot({ terminal: { is: 'absent' } }), 5_000);
  expect(step).toMatchObject({ do: 'act', effect: { kind: 'open', run: 2, say: null } });
  expect(opening.prompts).toMatchObject([{ state: 'accepted', run: 2, turn: 1 }]);
});

test('the call that was put off is answered under its name; to the letter, and once', () => {
  const s = parked(decided('q', true), ...again);
  const repeated = { type: 'approval.repeated', approval: 'q', run: 2, hook: 'second' };
  expect(admit(s, question())).toEqual({ ok: true, events: [repeated] });
  expect(typesOf(s, question({ hash: 'other' }))).toEqual(['approval.asked']);
  expect(typesOf(s, question({ tool: 'Write' }))).toEqual(['approval.asked']);
  expect(typesOf(s, question({ call: 'other' }))).toEqual(['tool.called', 'approval.asked']);
  const given = parked(decided('q', true), ...again, repeated as EventBody);
  expect(given.gate.answers).toMatchObject([{ approval: 'q', hook: 'second', used: false }]);
  expect(typesOf(given, question())).toEqual([]);
  expect(typesOf(given, question({ hook: 'third' }))).toEqual(['approval.asked']);
});

test('a question that was put off is decided once', () => {
  const decide = { type: 'decide', approval: Q, allow: true, by: person('ann') } as const;
  expect(typesOf(parked(), decide)).toEqual(['approval.decided']);
  expect(typesOf(parked(decided('q', false)), decide)).toEqual(['approval_decided']);
});

test('a run that breaks before it asked again is started in the same way, unless it knows of no call', () => {
  const s = parked(decided('q', true), ...again);
  const broke = next(s, gone(137, { signal: 'KILL' }), 5_000);
  expect(broke).toMatchObject({ events: [{ type: 'run.faulted' }] });
  const fault: EventBody = { type: 'run.faulted', run: 2, fault: { kind: 'lost', reboot: true }, retryAtMs: 0 };
  const next2 = next(parked(decided('q', true), ...again, fault), gone(137, { signal: 'KILL' }), 5_000);
  expect(next2).toMatchObject({ events: [{ type: 'run.starting', run: 3, silent: true }] });
  expect(next(s, gone(1), 5_000)).toMatchObject({ events: [{ type: 'approval.missed' }, { type: 'run.faulted' }] });
});

test('an interrupt ends a turn that waits, and its call is denied when the agent asks again', () => {
  expect(typesOf(parked(), { type: 'interrupt', by: person('ann') })).toEqual(['turn.interrupting']);
  const wanted: EventBody = { type: 'turn.interrupting', run: 1, by: person('ann') };
  const step = next(parked(wanted), gone(0), 5_000);
  expect(step).toMatchObject({ events: [MISSED, { type: 'prompt.interrupted', by: person('ann') }] });
  const over = parked(wanted, MISSED, { type: 'prompt.interrupted', prompt: 'p1' as never, by: person('ann') });
  expect([over.phase.at, over.gate.approvals, over.prompts]).toEqual(['idle', [], []]);
  const nextRun: EventBody[] = [
    { type: 'prompt.queued', prompt: 'p2' as never, text: 'Do p2' },
    { type: 'prompt.sending', prompt: 'p2' as never, turn: 1, run: 2 },
    { type: 'run.starting', run: 2, how: 'resume', boot: 'b' },
    { type: 'run.opened', run: 2, pid: 8 },
  ];
  const s = parked(
    wanted,
    MISSED,
    { type: 'prompt.interrupted', prompt: 'p1' as never, by: person('ann') },
    ...nextRun,
  );
  const events = admit(s, question());
  expect(events).toMatchObject({
    events: [{}, { type: 'approval.asked' }, { type: 'approval.decided', allow: false }],
  });
  // The agent ends the old turn first; that answers nothing.
  const stop = { type: 'hook.stopped', run: 2, turnId: null, reply: 'old', trouble: null, more: false } as const;
  expect(typesOf(s, stop)).toEqual([]);
});

test('a prompt that waits for its answer cannot be dropped, a stop ends it, and so does its deadline', () => {
  expect(typesOf(parked(), { type: 'drop', prompt: 'p1' as never, by: person('ann') })).toEqual(['busy']);
  expect(typesOf(parked(), { type: 'stop', by: person('ann') })).toEqual([
    'approval.missed',
    'prompt.interrupted',
    'session.closing',
  ]);
  const spec = patient(TURNS);
  const hurried = { ...spec, policy: { ...spec.policy, deadlineMsMax: 2_000 } };
  const s = sessionAfter(hurried, ...WORKING, asked('q'), deferred, ...putOff);
  expect(next(s, gone(0), 1_000)).toEqual({ do: 'wait', untilMs: 2_000 });
  expect(next(s, gone(0), 2_000)).toMatchObject({ events: [MISSED, { type: 'session.closing' }] });
});

test('while a person has control nothing is started, whatever was answered', () => {
  const taken: EventBody = { type: 'control.taken', by: person('ann'), how: 'handoff' };
  expect(next(parked(decided('q', true), taken), gone(0), 5_000)).toEqual({ do: 'wait', untilMs: null });
});
