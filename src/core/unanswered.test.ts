import { expect, test } from 'vitest';
import { asked, CONVERSATION, decided, LIVE, prompted, READY, sessionAfter, snapshot } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody, Input } from './event.ts';
import { next } from './next.ts';
import type { Session } from './session.ts';

const spec = { ...LIVE, conversation: { ...CONVERSATION, gate: { mode: 'gate', rules: {} } as const } };
const at = (...more: EventBody[]): Session => sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), ...more);
const names = (events: readonly EventBody[]): string[] =>
  events.map((body) => ('approval' in body ? `${body.type} ${body.approval}` : body.type));

function admitted(s: Session, input: Input): string[] {
  const admission = admit(s, input);
  return admission.ok ? names(admission.events) : [admission.code];
}

function stepped(s: Session, terminal: Parameters<typeof snapshot>[0]): string[] {
  const step = next(s, snapshot(terminal), 1_000);
  return step.do === 'append' ? names(step.events) : [step.do];
}

const DEAD = {
  terminal: {
    is: 'dead',
    exit: { status: 137 },
    signal: 'KILL',
    outputBytes: 1,
    drained: true,
    exitAgeMs: 0,
    failed: null,
  },
} as const;

test('a pending approval is closed before the fault of its run is recorded', () => {
  const open = at(asked('a'), asked('b'), decided('b', true), asked('c'));
  expect(stepped(open, DEAD)).toEqual(['approval.missed a', 'approval.missed c', 'run.faulted']);
  expect(stepped(open, { terminal: { is: 'lost', outputBytes: 1 } }).slice(0, 2)).toEqual([
    'approval.missed a',
    'approval.missed c',
  ]);
  expect(stepped(at(asked('a'), decided('a', false)), DEAD)).toEqual(['run.faulted']);
});

test('a pending approval is closed when the session is stopped, and when its turn ends', () => {
  const open = at(asked('a'));
  const stop = admitted(open, { type: 'stop', by: person('ann') });
  expect(stop).toEqual(['approval.missed a', 'prompt.interrupted', 'session.closing']);
  const over = { type: 'hook.stopped', run: 1, turnId: null, reply: 'Done.', trouble: null, more: false } as const;
  expect(admitted(open, over)).toEqual(['approval.missed a', 'prompt.answered']);
});

test('an input that leaves approvals pending, or closes one itself, closes no other', () => {
  const open = at(asked('a'), asked('b'));
  expect(admitted(open, { type: 'prompt', prompt: 'p2' as never, text: 'more' })).toEqual(['prompt.queued']);
  expect(admitted(open, { type: 'decide', approval: 'a' as never, allow: true, by: person('ann') })).toEqual([
    'approval.decided a',
  ]);
  expect(admitted(open, { type: 'miss', approval: 'b' as never })).toEqual(['approval.missed b']);
});
