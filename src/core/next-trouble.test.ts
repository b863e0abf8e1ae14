import { describe, expect, test } from 'vitest';
import { LIVE, nextEvents, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { byHost, person } from './actor.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import { say } from './say.ts';
import type { Budget, Policy, PromptId, Session, Spec, Trouble, Usage } from './session.ts';
import type { Snapshot } from './snapshot.ts';

const p1 = 'p1' as PromptId;
const WALL_MS = 1_000_000;
const MIN_MS = 60_000;

const bounded = (more: Partial<Policy>, spec = LIVE): Spec => ({ ...spec, policy: { ...spec.policy, ...more } });
const failed = (trouble: Trouble): EventBody => ({ type: 'prompt.troubled', prompt: p1, trouble, text: 'Oh' });
const troubled = (trouble: Trouble, spec = LIVE): Session =>
  sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), failed(trouble));

/** The first event of the next step, or what is done instead. */
function step(s: Session, seen: Partial<Snapshot> = {}, nowMs = 1_000): EventBody | string {
  const it = next(s, snapshot(seen), nowMs);
  return it.do === 'append' ? (it.events[0] ?? 'nothing') : it.do;
}

describe('a usage limit', () => {
  const until = (untilMs: number | null): EventBody | string => step(troubled({ kind: 'limited', untilMs }));

  test('ends when the agent says, or after half an hour if the agent says nothing', () => {
    expect(until(WALL_MS + 5)).toMatchObject({ type: 'session.limited', untilMs: WALL_MS + 5 });
    expect(until(null)).toMatchObject({ type: 'session.limited', untilMs: WALL_MS + 30 * MIN_MS });
  });

  test('whose reported end has passed lasts another half hour', () => {
    expect(until(WALL_MS)).toMatchObject({ untilMs: WALL_MS + 30 * MIN_MS });
    expect(until(WALL_MS - 5)).toMatchObject({ untilMs: WALL_MS + 30 * MIN_MS });
  });

  test('is waited for by the wall clock, one to five minutes longer than it lasts', () => {
    const s = sessionAfter(LIVE, ...READY, { type: 'session.limited', run: 1, untilMs: WALL_MS, text: '' });
    expect(step(s, { wallMs: WALL_MS + MIN_MS - 1 })).toBe('wait');
    expect(step(s, { wallMs: WALL_MS + 5 * MIN_MS })).toMatchObject({ type: 'session.unlimited' });
    // The clock may be set, or the machine may sleep.
    expect(next(s, snapshot({ wallMs: 0 }), 1_000)).toEqual({ do: 'wait', untilMs: 1_000 + MIN_MS });
  });

  test('is not waited for if the policy is to stop or to ask', () => {
    const limited = { kind: 'limited', untilMs: null } as const;
    expect(step(troubled(limited, bounded({ onLimit: 'stop' })))).toMatchObject({ type: 'prompt.failed', error: 'Oh' });
    const asked = step(troubled(limited, bounded({ onLimit: 'ask' })));
    expect(asked).toMatchObject({ type: 'session.held', why: { kind: 'limit', needsResume: true } });
  });

  test('that the agent shows in a dialog is followed by a new run, not by a key press', () => {
    const why = { kind: 'its own word', about: 'limit', text: '' } as const;
    const asked = { screen: { is: 'dialog', why } } as const;
    const over: EventBody[] = [
      failed({ kind: 'limited', untilMs: null }),
      { type: 'session.limited', run: 1, untilMs: 0, text: '' },
      { type: 'session.unlimited', run: 1 },
    ];
    const known = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), ...over.slice(0, 1));
    expect(step(known, asked)).toMatchObject({ type: 'session.limited' });
    const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), ...over);
    expect(step(s, asked)).toMatchObject({ type: 'run.faulted', fault: { kind: 'cut' } });
    const fresh = sessionAfter(LIVE, ...READY.slice(0, 2));
    expect(step(fresh, asked)).toMatchObject({ type: 'session.held' });
  });

  test('of another session applies until it ends, except with the policy to stop at limits', () => {
    const account = { limitedUntilMs: WALL_MS + 5, login: 'fine', leads: true, answeredAtMs: null } as const;
    const queued = [...READY, ...prompted('p1', 'queued')];
    expect(step(sessionAfter(LIVE, ...queued), { account })).toMatchObject({
      type: 'session.limited',
      untilMs: WALL_MS + 5,
    });
    expect(step(sessionAfter(LIVE, ...queued), { account, wallMs: WALL_MS + 5 })).toMatchObject({
      type: 'prompt.sending',
    });
    const stops = sessionAfter(bounded({ onLimit: 'stop' }), ...queued);
    expect(step(stops, { account })).toMatchObject({ type: 'prompt.sending' });
  });
});

test('an overload is retried up to the maximum, then the turn has failed', () => {
  const spec = bounded({ resumesMax: 1, backoffMsMin: 100 });
  const overloaded = { kind: 'overloaded' } as const;
  const delayed = step(troubled(overloaded, spec));
  expect(delayed).toMatchObject({ type: 'prompt.delayed' });
  const again = [failed(overloaded), delayed as EventBody, failed(overloaded)];
  expect(step(sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), ...again))).toMatchObject({
    type: 'prompt.failed',
  });
});

test('trouble that only a person can fix holds the session until a resume, and the hold names it', () => {
  for (const kind of ['login', 'billing'] as const) {
    const held = step(troubled({ kind }));
    expect(held).toMatchObject({ type: 'session.held', why: { kind, needsResume: true } });
    const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), failed({ kind }), held as EventBody);
    expect(step(s)).toBe('wait');
    const resumed: EventBody = { type: 'session.released', run: 1, by: person('ana') };
    const free = sessionAfter(
      LIVE,
      ...READY,
      ...prompted('p1', 'accepted'),
      failed({ kind }),
      held as EventBody,
      resumed,
    );
    expect([free.phase.at, free.prompts[0]?.state, free.prompts[0]?.turn]).toEqual(['starting', 'queued', 2]);
  }
  expect(step(troubled({ kind: 'other' }))).toMatchObject({ type: 'prompt.failed' });
});

test('a limit ends when another session of the account gets an answer, but not for all sessions at once', () => {
  const account = { limitedUntilMs: null, login: 'fine', leads: true, answeredAtMs: 500 } as const;
  const limited: EventBody = { type: 'session.limited', run: 1, untilMs: WALL_MS * 9, text: '' };
  const waiting = sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued'), limited);
  const unlimited = { type: 'session.unlimited', by: byHost('answered') };
  expect(step(waiting, { account }, 10_500)).toMatchObject(unlimited);
  expect(next(waiting, snapshot({ account }), 501)).toMatchObject({ do: 'wait' });
  expect(step(waiting, { account: { ...account, answeredAtMs: 10 } }, 60_000)).toBe('wait');
  // A session that is limited again and again, because the other one has another limit, retries more and more slowly.
  const again: EventBody[] = Array.from({ length: 9 }, () => failed({ kind: 'limited', untilMs: null }));
  const own = sessionAfter(
    bounded({ backoffMsMin: 1_000 }),
    ...READY,
    ...prompted('p1', 'accepted'),
    ...again,
    limited,
  );
  expect(step(own, { account }, 10_500)).toBe('wait');
  expect(step(own, { account }, 400_000)).toMatchObject(unlimited);
});

test('a session whose login failed probes it after five to ten minutes, unless another session does', () => {
  const why = { kind: 'login', text: '', needsResume: true };
  const held: EventBody = { type: 'session.held', run: 1, why };
  const mine = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), failed({ kind: 'login' }), held);
  const theirs = sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued'), held);
  const alone = { limitedUntilMs: null, leads: true, answeredAtMs: null } as const;
  const failing = { account: { ...alone, login: 'failed' } } as const;
  const probing = { account: { ...alone, login: 'probing' } } as const;
  expect(step(mine, {}, 5 * MIN_MS)).toBe('wait');
  expect(step(mine, {}, 11 * MIN_MS)).toMatchObject({ type: 'session.released', by: byHost('probe') });
  expect(step(mine, failing, 11 * MIN_MS)).toMatchObject({ type: 'session.released', by: byHost('probe') });
  expect(step(mine, probing, 11 * MIN_MS)).toBe('wait');
  expect(step(mine, { account: { ...failing.account, leads: false } }, 11 * MIN_MS)).toBe('wait');
  const answered = { account: { ...failing.account, leads: false, answeredAtMs: MIN_MS } };
  expect(step(mine, answered, 2 * MIN_MS)).toEqual({ type: 'session.released', run: 1 });
  expect(step(theirs, failing, 11 * MIN_MS)).toBe('wait');
  expect(step(theirs)).toEqual({ type: 'session.released', run: 1 });
});

describe('a budget', () => {
  const over = (budget: Partial<Budget>, used: Partial<Usage>, ...more: EventBody[]): string | null => {
    const spec = bounded({ budget: { turns: null, tokens: null, usd: null, ...budget } });
    const usage = { turns: 0, tokens: 0, usd: null, ...used };
    const counted: EventBody = { type: 'usage.counted', prompt: 'p0' as PromptId, usage };
    const it = step(sessionAfter(spec, ...READY, counted, ...more, ...prompted('p1', 'queued')), {}, 5_000);
    return typeof it === 'object' && it.type === 'session.held' ? it.why.text : null;
  };

  test('is used up when the usage reaches it', () => {
    expect([over({ turns: 2 }, { turns: 1 }), over({ turns: 2 }, { turns: 2 })]).toEqual([
      null,
      expect.stringMatching(/^the budget of 2 turns is used up\. .*outlast resume/),
    ]);
    expect(over({ tokens: 100 }, { tokens: 99 })).toBeNull();
    expect(over({ tokens: 100 }, { tokens: 100 })).toMatch(/100 tokens/);
    expect(over({ usd: 0.5 }, { usd: 0.49 })).toBeNull();
    expect(over({ usd: 0.5 }, { usd: 0.5 })).toMatch(/\$0\.5/);
  });

  test('in dollars does not hold an agent that reports no cost', () => {
    expect(over({ usd: 1 }, { turns: 9, tokens: 9 })).toBeNull();
  });

  test('is counted from zero after a resume', () => {
    const resumed: EventBody = { type: 'session.released', run: 1, by: person('ana') };
    const ready: EventBody = { type: 'run.ready', run: 1 };
    expect(over({ turns: 2, tokens: 5, usd: 1 }, { turns: 2, tokens: 5, usd: 1 }, resumed, ready)).toBeNull();
  });

  test('counts a turn once, before anything else is done', () => {
    const answered: EventBody = { type: 'prompt.answered', prompt: p1, reply: 'Done.' };
    const all = [...prompted('p1', 'sending'), answered];
    const used = { tokens: 7, usd: 0.25 };
    const counted = step(sessionAfter(TURNS, ...all), { used });
    expect(counted).toEqual({ type: 'usage.counted', prompt: p1, usage: { turns: 1, tokens: 7, usd: 0.25 } });
    expect(step(sessionAfter(TURNS, ...all, counted as EventBody), { used })).toMatchObject({
      type: 'session.closing',
    });
    expect(step(sessionAfter(TURNS, ...all), { used: { tokens: 7, usd: null } })).toMatchObject({
      usage: { usd: null },
    });
  });

  test('adds up the tokens that are told apart, also after turns that did not', () => {
    const kinds = { input: 1, output: 2, cacheRead: 3, cacheWrite: 1 };
    const before: EventBody = {
      ...{ type: 'usage.counted', prompt: 'p0' as PromptId, usage: { turns: 1, tokens: 100, usd: null } },
    };
    const answered: EventBody = { type: 'prompt.answered', prompt: p1, reply: 'Done.' };
    const all = [before, ...prompted('p1', 'sending'), answered];
    const by = [{ model: 'm', tokens: 7, usd: null, byKind: kinds }];
    const counted = step(sessionAfter(TURNS, ...all), { used: { tokens: 7, usd: null, byKind: kinds, by } });
    expect(counted).toMatchObject({ usage: { turns: 2, tokens: 107, byKind: kinds }, by });
    const again = [
      ...all,
      counted as EventBody,
      ...prompted('p2', 'sending'),
      { ...answered, prompt: 'p2' as PromptId },
    ];
    expect(step(sessionAfter(TURNS, ...again), { used: { tokens: 7, usd: null, byKind: kinds } })).toMatchObject({
      usage: { turns: 3, tokens: 114, byKind: { input: 2, output: 4, cacheRead: 6, cacheWrite: 2 } },
    });
    expect(step(sessionAfter(TURNS, ...again), { used: { tokens: 5, usd: null } })).toMatchObject({
      usage: { turns: 3, tokens: 112, byKind: kinds },
    });
  });

  test('records the limits that are recorded with a turn, unless they were reported before', () => {
    const answered: EventBody = { type: 'prompt.answered', prompt: p1, reply: 'Done.' };
    const windows = [{ name: 'five_hour', usedPercent: 41, resetsAtMs: 9_000 }];
    const used = { tokens: 7, usd: null, windows };
    const gauged: EventBody = { type: 'usage.gauged', run: 0, windows };
    const typesAfter = (...more: EventBody[]) =>
      nextEvents(sessionAfter(TURNS, ...prompted('p1', 'sending'), ...more, answered), { used }).map(
        ({ type }) => type,
      );
    expect(typesAfter()).toEqual(['usage.counted', 'usage.gauged']);
    expect(typesAfter(gauged)).toEqual(['usage.counted']);
  });

  test('counts the usage of an unfinished turn once before the session ends, but not as a turn', () => {
    const closing: EventBody = { type: 'session.closing', outcome: { kind: 'stopped', by: person('ana') } };
    const all = [...READY, ...prompted('p1', 'accepted'), closing];
    const snapshot = { terminal: { is: 'lost', outputBytes: 0 }, used: { tokens: 7, usd: null, upTo: 'm7' } } as const;
    const counted = step(sessionAfter(LIVE, ...all), snapshot);
    const usage = { turns: 0, tokens: 7, usd: null };
    expect(counted).toEqual({ type: 'usage.counted', prompt: null, usage, upTo: 'm7' });
    const after = sessionAfter(LIVE, ...all, counted as EventBody);
    expect(after.accounting.countedUpTo?.message).toBe('m7');
    expect(step(after, { ...snapshot, used: null })).not.toMatchObject({ type: 'usage.counted' });
  });
});

describe('a failed turn', () => {
  const ended: EventBody = { type: 'run.ended', run: 1, exit: { status: 1 }, outputBytes: 1, complete: true };
  const late: EventBody = { type: 'prompt.delayed', prompt: p1, retryAtMs: 0, why: '' };
  const failedOnce = (...more: EventBody[]): Session =>
    sessionAfter(TURNS, ...READY, ...prompted('p1', 'accepted'), failed({ kind: 'overloaded' }), late, ended, ...more);
  const sent = (exists: boolean): EventBody | string =>
    step(failedOnce(), { transcript: { ...snapshot().transcript, exists } }, 9_000);

  test('that left no conversation is sent like the first time, and otherwise continued', () => {
    const whole = sent(false) as EventBody;
    expect(whole).toMatchObject({ type: 'prompt.sending', turn: 2, fromStart: true });
    const [prompt] = failedOnce(whole).prompts;
    expect(say(prompt)?.text).toBe(prompt?.text);
    expect(sent(true)).not.toHaveProperty('fromStart');
  });
});
