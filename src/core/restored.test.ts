import { expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot, stepOf, TURNS } from '../testing/sessions.ts';
import { COMMAND_SPEC } from '../testing/spec.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import type { Session, Spec } from './session.ts';
import type { Snapshot } from './snapshot.ts';

const restored: EventBody = { type: 'session.restored', journal: 'j2' };
const ABSENT = { terminal: { is: 'absent' }, screen: { is: 'unknown' } } as const;
const DEAD = {
  terminal: { is: 'dead', exit: { status: 1 }, outputBytes: 1, drained: true, exitAgeMs: 9_000, failed: null },
  screen: { is: 'unknown' },
} as const;

/** The next step: the types of its events, its effect, or that it waits. */
function nextStep(s: Session, seen: Partial<Snapshot> = {}): string {
  const step = next(s, snapshot(seen), 1_000);
  if (step.do === 'append') return step.events.map(({ type }) => type).join(' ');
  return step.do === 'act' ? step.effect.kind : 'wait';
}

/** A session that was restored, held and then resumed by a person. */
function resumed(spec: Spec, ...bodies: EventBody[]): Session {
  const held = sessionAfter(spec, ...bodies, restored, holdEvent(sessionAfter(spec, ...bodies, restored)));
  const admission = admit(held, { type: 'resume', by: person('ana') });
  if (!admission.ok) throw new Error(admission.code);
  return sessionAfter(
    spec,
    ...bodies,
    restored,
    holdEvent(sessionAfter(spec, ...bodies, restored)),
    ...admission.events,
  );
}

function holdEvent(s: Session): EventBody {
  const [event] = stepOf(s, ABSENT) as readonly EventBody[];
  if (event === undefined) throw new Error('the session is not held');
  return event;
}

const RUN: EventBody = { type: 'run.starting', run: 1, how: 'launch', boot: 'b' };
const WAITING: [string, Spec, EventBody[]][] = [
  ['a command that was not started', COMMAND_SPEC, []],
  ['a command that was about to be started', COMMAND_SPEC, [RUN]],
  ['a live agent that was not started', LIVE, prompted('p1', 'queued')],
  ['a prompt in the queue', TURNS, prompted('p1', 'queued')],
  ['an idle live agent', LIVE, [...READY, ...prompted('p1', 'queued')]],
  ['a turn that was cut off', TURNS, [...prompted('p1', 'queued'), ...prompted('p1', 'accepted').slice(1), RUN]],
];

test.each(WAITING)(
  '%s is held when its journal was restored, and continues as before when resumed',
  (_, spec, bodies) => {
    expect(nextStep(sessionAfter(spec, ...bodies, restored), ABSENT)).toBe('session.held');
    const held = sessionAfter(spec, ...bodies, restored, holdEvent(sessionAfter(spec, ...bodies, restored)));
    expect(held.phase.at).toBe('held');
    expect(nextStep(held, ABSENT)).toBe('wait');
    const after = resumed(spec, ...bodies);
    expect(after.restored).toBe(false);
    expect(nextStep(after, ABSENT)).toBe(nextStep(sessionAfter(spec, ...bodies), ABSENT));
  },
);

test('the running turn continues, and the next prompt is not sent', () => {
  const working = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), ...prompted('p2', 'queued'), restored);
  expect(nextStep(working, { screen: { is: 'busy' } })).toBe('wait');
  const answer: EventBody = { type: 'prompt.answered', prompt: working.prompts[0]?.id as never, reply: 'done' };
  const idle = sessionAfter(
    LIVE,
    ...READY,
    ...prompted('p1', 'accepted'),
    ...prompted('p2', 'queued'),
    restored,
    answer,
  );
  expect(nextStep(sessionAfter(LIVE, ...READY, ...prompted('p2', 'queued')))).toBe('prompt.sending');
  expect(nextStep(idle)).toBe('session.held');
});

test('an agent that may be working is held, not closed for being idle', () => {
  expect(nextStep(sessionAfter(LIVE, ...READY))).toBe('session.closing');
  expect(nextStep(sessionAfter(LIVE, ...READY, restored))).toBe('session.held');
});

test('a live agent that dies before it is resumed is not started again', () => {
  expect(nextStep(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), restored), DEAD)).toBe('session.held');
});

test('a command that waits for a slot is held before it gets one', () => {
  expect(nextStep(sessionAfter(COMMAND_SPEC), { ...ABSENT, slot: false })).toBe('wait');
  expect(nextStep(sessionAfter(COMMAND_SPEC, restored), { ...ABSENT, slot: false })).toBe('session.held');
});

test('the end of a running command is recorded', () => {
  const running = sessionAfter(COMMAND_SPEC, RUN, { type: 'run.opened', run: 1, pid: 7 }, restored);
  expect(nextStep(running)).toBe('wait');
  expect(nextStep(running, DEAD)).toBe('run.ended session.ended');
});

test('a person may stop or visit a restored session', () => {
  const held = sessionAfter(TURNS, restored, holdEvent(sessionAfter(TURNS, restored)));
  expect(admit(held, { type: 'stop', by: person('ana') })).toMatchObject({ ok: true });
  const wanted = sessionAfter(TURNS, restored, holdEvent(sessionAfter(TURNS, restored)), {
    type: 'visit.wanted',
    by: person('ana'),
  });
  expect(nextStep(wanted, ABSENT)).toBe('run.starting');
});

test('a usage limit from before still applies after a resume', () => {
  const limited: EventBody = { type: 'session.limited', run: 0, untilMs: 9_000_000, text: 'limit' };
  expect(resumed(TURNS, ...prompted('p1', 'queued'), limited).phase).toMatchObject({
    at: 'limited',
    untilMs: 9_000_000,
  });
});
