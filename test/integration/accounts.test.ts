import { expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import { byHost, person } from '../../src/core/actor.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { PromptId, Session, SessionId, Trouble } from '../../src/core/session.ts';
import { Answers, accountSnapshot, noteAnswer } from '../../src/supervisor/accounts.ts';
import { LeftLimits, noteEnded, noteLeft } from '../../src/supervisor/left-limits.ts';
import type { WorldState } from '../../src/supervisor/world-state.ts';
import { LIVE, prompted, READY, sessionAfter } from '../../src/testing/sessions.ts';

const NOW_MS = 1_000;

function named(id: string, ...more: EventBody[]): Session {
  return { ...sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), ...more), id: id as SessionId };
}

const failed = (trouble: Trouble): EventBody => ({
  type: 'prompt.troubled',
  prompt: 'p1' as PromptId,
  trouble,
  text: '',
});
const loggedOut: EventBody[] = [
  failed({ kind: 'login' }),
  { type: 'session.held', run: 1, why: { kind: 'login', text: '', needsResume: true } },
];

/** What a session sees of the others; each has the environment given for it, or the common one. */
function seenBy(session: Session, others: readonly Session[], envs: Record<string, Record<string, string>> = {}) {
  const state = {
    answers: new Answers(),
    leftLimits: new LeftLimits(),
    agents: { claude, fake: claude },
    answered: () => {},
    clock: { steadyMs: () => NOW_MS },
    live: () => [session, ...others],
    transcriptReader: { env: ({ id }: Session) => envs[id] ?? { HOME: '/h' } },
  } as unknown as WorldState;
  for (const other of others) noteAnswer(state, other, claude);
  for (const other of others) noteLeft(state, other);
  return accountSnapshot(state, session, claude);
}

test('a failed login is seen only by sessions of the same account', () => {
  const out = named('b', ...loggedOut);
  expect(seenBy(named('a'), [out]).login).toBe('failed');
  expect(seenBy(named('a'), [out], { b: { HOME: '/other' } }).login).toBe('fine');
  expect(seenBy(named('a'), [out], { b: { HOME: '/h', ANTHROPIC_API_KEY: 'k' } }).login).toBe('fine');
});

test('only the first session that failed retries, and finds out for all', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => named(id, ...loggedOut)) as [Session, Session, Session];
  expect([seenBy(a, [b, c]).leads, seenBy(b, [a, c]).leads, seenBy(c, [a, b]).leads]).toEqual([true, false, false]);
});

test('a resume after a failed login probes; a resume after another failure does not', () => {
  const again: EventBody = { type: 'session.released', run: 1, by: byHost('probe') };
  expect(seenBy(named('a'), [named('b', ...loggedOut, again)]).login).toBe('probing');
  const delayed: EventBody = { type: 'prompt.delayed', prompt: 'p1' as PromptId, retryAtMs: 0, why: '' };
  expect(seenBy(named('a'), [named('b', failed({ kind: 'overloaded' }), delayed)]).login).toBe('fine');
});

test('an answer to another session shows a held one that the login works again', () => {
  const answered = named('b', { type: 'prompt.answered', prompt: 'p1' as PromptId, reply: 'ok' });
  expect(seenBy(named('a', ...loggedOut), [answered]).answeredAtMs).not.toBeNull();
  expect(seenBy(named('a', ...loggedOut), [answered], { b: { HOME: '/other' } }).answeredAtMs).toBeNull();
  expect(seenBy(named('a'), [answered]).answeredAtMs).toBeNull();
});

test('an answer is known after its session has ended, and is reported once', () => {
  const answered = named('b', { type: 'prompt.answered', prompt: 'p1' as PromptId, reply: 'ok' });
  const notifications: string[] = [];
  const state = {
    ...{
      answers: new Answers(),
      leftLimits: new LeftLimits(),
      answered: () => notifications.push('answered'),
      clock: { steadyMs: () => NOW_MS },
    },
    ...{ live: () => [], transcriptReader: { env: () => ({ HOME: '/h' }) } },
  } as unknown as WorldState;
  noteAnswer(state, named('c'), claude);
  for (let looks = 0; looks < 2; looks += 1) noteAnswer(state, answered, claude);
  expect(notifications).toEqual(['answered']);
  expect(accountSnapshot(state, named('a', ...loggedOut), claude).answeredAtMs).toBe(answered.turn.answeredAtMs);
});

test('the limit of an account is the latest that any session hit', () => {
  const limited = (id: string, untilMs: number): Session =>
    named(id, failed({ kind: 'limited', untilMs }), { type: 'session.limited', run: 1, untilMs, text: '' });
  expect(seenBy(named('a'), [limited('b', 5), limited('c', 9)]).limitedUntilMs).toBe(9);
});

test('the limit of an account ends for others as soon as one of them gets an answer', () => {
  const prompt = 'p1' as PromptId;
  const parked: EventBody = { type: 'session.limited', run: 1, untilMs: 9, text: '' };
  const limited = named('b', { type: 'session.backgrounded', by: person('ana') }, parked);
  const early = named('c', { type: 'prompt.answered', prompt, reply: 'ok' });
  const late = named('c', ...prompted('p2', 'sending'), { type: 'prompt.answered', prompt, reply: 'ok' });
  expect(seenBy(named('a'), [limited, early]).limitedUntilMs).toBe(9);
  expect(seenBy(named('a'), [limited, late]).limitedUntilMs).toBeNull();
});

test('a limited session that a person visits still counts as limited for the others', () => {
  const visited = named(
    'b',
    { type: 'session.limited', run: 1, untilMs: 9, text: '' },
    { type: 'run.starting', run: 2, how: 'visit', boot: 'b' },
  );
  expect(seenBy(named('a'), [visited]).limitedUntilMs).toBe(9);
});

/** A session that met this limit and was switched to another agent. */
function movedOn(id: string, untilMs: number, ...more: EventBody[]): Session {
  const conversation = { chosenBy: 'agent', id: null, forkOf: null, model: null } as never;
  const to = { agent: 'other', drive: 'turns', terminal: 'pipe', conversation, handover: '', turns: 1 } as const;
  return named(
    id,
    { type: 'session.backgrounded', by: person('ana') },
    { type: 'session.limited', run: 1, untilMs, text: '' },
    { type: 'session.switching', by: byHost('probe'), why: 'limit', to },
    { type: 'session.switched', from: 'fake', to: 'other' },
    ...more,
  );
}

test('a limit for which a session was switched counts for the others of its account', () => {
  expect(seenBy(named('a'), [movedOn('b', 9), movedOn('c', 5)]).limitedUntilMs).toBe(9);
  expect(seenBy(named('a'), [movedOn('b', 5), movedOn('c', 9)]).limitedUntilMs).toBe(9);
  expect(seenBy(named('a'), [movedOn('b', 9)], { b: { HOME: '/other' } }).limitedUntilMs).toBeNull();
});

test('it counts no longer when the account got a reply, or for a session that a person resumed since', () => {
  const answer: EventBody = { type: 'prompt.answered', prompt: 'p1' as PromptId, reply: 'ok' };
  const [before, after] = [named('c', answer), named('c', ...prompted('p2', 'sending'), answer)];
  expect(seenBy(named('a'), [before, movedOn('b', 9)]).limitedUntilMs).toBe(9);
  expect(seenBy(named('a'), [after, movedOn('b', 9)]).limitedUntilMs).toBeNull();
  expect(seenBy(named('a'), [movedOn('b', 9), after]).limitedUntilMs).toBeNull();
  const resumed: EventBody[] = [
    { type: 'session.limited', run: 1, untilMs: 9, text: '' },
    { type: 'session.unlimited', run: 1, by: person('ana') },
  ];
  expect(seenBy(named('a', ...resumed), [movedOn('b', 9)]).limitedUntilMs).toBeNull();
});

test('a new daemon knows the limits and replies of sessions that have ended', () => {
  const over: EventBody = { type: 'session.ended', outcome: { kind: 'done', exit: null } };
  const answer: EventBody = { type: 'prompt.answered', prompt: 'p1' as PromptId, reply: 'ok' };
  const late = named('c', ...prompted('p2', 'sending'), answer, over);
  const limitAfter = (untilMs: number, ...ended: Session[]) => {
    const forgotten: string[] = [];
    const reader = { env: () => ({ HOME: '/h' }), forget: (id: string) => forgotten.push(id) };
    const state = {
      ...{ answers: new Answers(), leftLimits: new LeftLimits(), agents: { fake: claude } },
      ...{ clock: { steadyMs: () => NOW_MS, wallMs: () => 7 }, live: () => [], transcriptReader: reader },
    } as unknown as WorldState;
    noteEnded(state, [movedOn('b', untilMs, over), ...ended]);
    return accountSnapshot(state, named('a'), claude).limitedUntilMs;
  };
  expect(limitAfter(9)).toBe(9);
  expect(limitAfter(9, late)).toBeNull();
  // It was over before.
  expect(limitAfter(6)).toBeNull();
});
