import { expect } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { type ModelProxy, openModelProxy } from './model-proxy.ts';
import { needing, type Play, type Stage, type Stories, type Story } from './stage.ts';

type Drive = 'turns' | 'live';

const WAIT_MS = 40_000;
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };
const HOUR_MS = 3_600_000;

/** A reset time some hours from now, on a full minute: the agent's message is no more exact. */
const resetMs = (hours: number): number => Math.ceil((Date.now() + hours * HOUR_MS) / 60_000) * 60_000;

const phaseOf = async (session: Session): Promise<string> => (await session.show()).session.phase;

const waitForPhase = (session: Session, phase: string): Promise<unknown> =>
  eventually(async () => (await phaseOf(session)) === phase, { what: `${session.id} ${phase}`, msMax: WAIT_MS });

async function expectAnsweredOnce(stage: Stage, session: Session, prompt: string, reply: string): Promise<void> {
  const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
  expect([replied.met, replied.reply]).toEqual(['answered', reply]);
  expect(await stage.eventNames(session.id, 'prompt.answered')).toHaveLength(1);
}

/** At a limit the agent shows a dialog, and the session stays limited without an answer to it. */
async function expectLimitDialog(session: Session): Promise<void> {
  const words = async (): Promise<string> => (await session.screen()).rows.join('\n');
  await eventually(async () => (await words()).includes('What do you want to do'), {
    what: 'a dialog',
    msMax: 20_000,
  });
  expect(await phaseOf(session)).toBe('limited');
}

/** A resume during the limit suspends the session again, until the new reset time. */
async function expectLimitMoved(stage: Stage, session: Session, proxy: ModelProxy): Promise<void> {
  const laterMs = resetMs(5);
  proxy.refusal = stage.agent.refusal({ is: 'limited', untilMs: laterMs, window: 'five-hour' });
  await session.resume();
  const untilMs = async (): Promise<number | null> => (await session.show()).session.limitedUntilMs;
  await eventually(async () => (await untilMs()) === laterMs, { what: 'the limit that moved', msMax: WAIT_MS });
}

/** `outlast limits` has the limit, once: as the agent reported it, or as the session met it. */
async function expectSeen(stage: Stage, untilMs: number): Promise<void> {
  const { limits } = await stage.world.client.limits();
  const seen = limits.filter(({ resetsAtMs }) => resetsAtMs === untilMs);
  expect(seen).toMatchObject([{ agent: stage.agent.name, usedPercent: 100 }]);
}

function limitStory(drive: Drive, window: 'five-hour' | 'weekly'): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    const untilMs = resetMs(window === 'five-hour' ? 3 : 70);
    await using proxy = await openModelProxy(stage, stage.agent.refusal({ is: 'limited', untilMs, window }));
    const env = stage.agent.subscribed(proxy.env);
    const session = drive === 'live' ? await stage.startLive({ env }) : await stage.start({ env });
    const { prompt } = await session.prompt(stage.script({ say: 'after the limit' }));
    await waitForPhase(session, 'limited');
    expect((await session.show()).session.limitedUntilMs).toBe(untilMs);
    await expectSeen(stage, untilMs);
    const { requestCount } = proxy;
    const next = await stage.start({ env, prompt: 'hello' });
    await waitForPhase(next, 'limited');
    expect([proxy.requestCount, await stage.eventNames(next.id, 'run.starting')]).toEqual([requestCount, []]);
    expect((await next.show()).session.limitedUntilMs).toBe(untilMs);
    const isShown = drive === 'live' && stage.has('screen');
    if (isShown) await expectLimitDialog(session);
    else await expectLimitMoved(stage, session, proxy);
    proxy.refusal = null;
    await session.resume();
    await expectAnsweredOnce(stage, session, prompt, 'after the limit');
    const { conversation } = (await session.show()).session;
    // The transcript has it a moment after the answer.
    const times = isShown ? 2 : 3;
    await eventually(() => stage.received(conversation).length >= times, {
      what: `${times} prompts, not ${JSON.stringify(stage.received(conversation))}`,
    });
    const [, ...again] = stage.received(conversation);
    expect(again).toHaveLength(times - 1);
    for (const text of again) expect(text).toContain('continue where you left off');
  };
}

/** The account is at a usage limit. */
export const LIMITS: Stories = {
  'a five-hour limit suspends the session and the account until it resets, and resume continues the prompt (turns)':
    limitStory('turns', 'five-hour'),
  'a weekly limit suspends the session and the account until it resets, and resume continues the prompt (live)':
    limitStory('live', 'weekly'),

  "with --on-limit stop a limit fails the prompt with the agent's message": async (open) => {
    const stage = await open(AT_ONCE);
    const refusal = stage.agent.refusal({ is: 'limited', untilMs: resetMs(3), window: 'five-hour' });
    await using proxy = await openModelProxy(stage, refusal);
    const own = Object.fromEntries(Object.keys(stage.env).map((name) => [name, undefined]));
    const env = { ...own, ...stage.agent.subscribed(proxy.env) };
    const ran = await stage.cli(['run', '--on-limit', 'stop', 'hello'], { env });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([8, '', expect.stringMatching(/limit/)]);
  },
};

function heldStory(kind: 'login' | 'billing' | 'too-long' | 'poisoned', drive: Drive): Play {
  return async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage, stage.agent.refusal({ is: kind }));
    const { env } = proxy;
    const session = drive === 'live' ? await stage.startLive({ env }) : await stage.start({ env });
    const { prompt } = await session.prompt(stage.script({ say: 'fine again' }));
    await waitForPhase(session, 'held');
    expect((await session.show()).session.hold).toEqual({ kind, helps: 'resume' });
    const { requestCount } = proxy;
    proxy.refusal = null;
    expect(proxy.requestCount).toBe(requestCount);
    await session.resume();
    await expectAnsweredOnce(stage, session, prompt, 'fine again');
  };
}

/** The API refuses requests for a reason that only a person can fix. */
export const REFUSALS: Stories = {
  'a refused login holds the session, and resume after the login continues it (turns)': heldStory('login', 'turns'),
  'a refused login holds the session, and resume after the login continues it (live)': heldStory('login', 'live'),
  'missing credit holds the session for billing': heldStory('billing', 'turns'),
  'a conversation that stays too long is compacted once if that can be done, then the session is held': heldStory(
    'too-long',
    'turns',
  ),
  'a tool call without a result continues in a copy once, then the session is held as poisoned': needing(
    ['poisoned'],
    heldStory('poisoned', 'turns'),
  ),

  'an invalid request for another reason fails the prompt, and the session stays usable': async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage, stage.agent.refusal({ is: 'invalid' }));
    const session = await stage.start({ env: proxy.env });
    const failed = await session.converse('hello', { timeoutMs: WAIT_MS });
    expect([failed.met, failed.session.phase]).toEqual(['failed', 'idle']);
    proxy.refusal = null;
    // The unanswered prompt is still in the conversation.
    const { reply } = await session.converse('and now', { timeoutMs: WAIT_MS });
    expect(reply).toMatch(/^You said: (hello\s+)?and now$/);
  },
};

function overloadStory(drive: Drive): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    const session = drive === 'live' ? await stage.startLive() : await stage.start();
    // More often than the agent itself retries.
    const { prompt } = await session.prompt(stage.script({ overloaded: 4 }, { say: 'got through' }));
    await expectAnsweredOnce(stage, session, prompt, 'got through');
    const delayed = await stage.eventNames(session.id, 'prompt.delayed');
    expect(delayed.length).toBeGreaterThan(0);
    expect(await stage.eventNames(session.id, 'run.faulted', 'prompt.failed')).toEqual([]);
  };
}

/** The API is overloaded. */
export const OVERLOADS: Stories = {
  'an overloaded API is retried, and the prompt is answered once (turns)': overloadStory('turns'),
  'an overloaded API is retried, and the prompt is answered once (live)': overloadStory('live'),
};
