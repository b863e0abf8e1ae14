import { expect } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { type ModelProxy, openModelProxy, type Refusal } from './model-proxy.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

type Drive = 'turns' | 'live';

const WAIT_MS = 40_000;
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };
const HOUR_MS = 3_600_000;

/** A reset time some hours from now, on a full minute: the agent's message is no more exact. */
const resetMs = (hours: number): number => Math.ceil((Date.now() + hours * HOUR_MS) / 60_000) * 60_000;

function limit(untilMs: number, claim: 'five_hour' | 'seven_day'): Refusal {
  const name = 'anthropic-ratelimit-unified';
  const headers = {
    [`${name}-status`]: 'rejected',
    [`${name}-reset`]: String(untilMs / 1000),
    [`${name}-representative-claim`]: claim,
    [`${name}-overage-status`]: 'rejected',
  };
  return { status: 429, type: 'rate_limit_error', message: 'too many tokens', headers };
}

/** Only a subscription has usage limits; with an API key the same error means a rate limit. */
function subscribed(env: Record<string, string>): Record<string, string> {
  const { ANTHROPIC_API_KEY: _, ...rest } = env;
  return { ...rest, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' };
}

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
async function expectLimitMoved(session: Session, proxy: ModelProxy): Promise<void> {
  const laterMs = resetMs(5);
  proxy.refusal = limit(laterMs, 'five_hour');
  await session.resume();
  const untilMs = async (): Promise<number | null> => (await session.show()).session.limitedUntilMs;
  await eventually(async () => (await untilMs()) === laterMs, { what: 'the limit that moved', msMax: WAIT_MS });
}

function limitStory(drive: Drive, claim: 'five_hour' | 'seven_day'): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    const untilMs = resetMs(claim === 'five_hour' ? 3 : 70);
    await using proxy = await openModelProxy(stage, limit(untilMs, claim));
    const env = subscribed(proxy.env);
    const session = drive === 'live' ? await stage.startLive({ env }) : await stage.start({ env });
    const { prompt } = await session.prompt(script({ text: 'after the limit' }));
    await waitForPhase(session, 'limited');
    expect((await session.show()).session.limitedUntilMs).toBe(untilMs);
    const { requestCount } = proxy;
    const next = await stage.start({ env, prompt: 'hello' });
    await waitForPhase(next, 'limited');
    expect([proxy.requestCount, await stage.eventNames(next.id, 'run.starting')]).toEqual([requestCount, []]);
    expect((await next.show()).session.limitedUntilMs).toBe(untilMs);
    if (drive === 'live') await expectLimitDialog(session);
    else await expectLimitMoved(session, proxy);
    proxy.refusal = null;
    await session.resume();
    await expectAnsweredOnce(stage, session, prompt, 'after the limit');
    const { conversation } = (await session.show()).session;
    // The transcript has it a moment after the answer.
    const times = drive === 'live' ? 2 : 3;
    await eventually(() => stage.received(conversation).length >= times, { what: 'a continuation' });
    const [, ...again] = stage.received(conversation);
    expect(again).toHaveLength(times - 1);
    for (const text of again) expect(text).toContain('continue where you left off');
  };
}

/** The account is at a usage limit. */
export const LIMITS: Stories = {
  'a five-hour limit suspends the session and the account until it resets, and resume continues the prompt (turns)':
    limitStory('turns', 'five_hour'),
  'a weekly limit suspends the session and the account until it resets, and resume continues the prompt (live)':
    limitStory('live', 'seven_day'),

  "with --on-limit stop a limit fails the prompt with the agent's message": async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage, limit(resetMs(3), 'five_hour'));
    const env = { ...subscribed(proxy.env), ANTHROPIC_API_KEY: undefined };
    const ran = await stage.cli(['run', '--on-limit', 'stop', 'hello'], { env });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([8, '', expect.stringMatching(/hit your .*limit/)]);
  },
};

function heldStory(kind: string, drive: Drive, refusal: Refusal): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage, refusal);
    const { env } = proxy;
    const session = drive === 'live' ? await stage.startLive({ env }) : await stage.start({ env });
    const { prompt } = await session.prompt(script({ text: 'fine again' }));
    await waitForPhase(session, 'held');
    expect((await session.show()).session.hold).toEqual({ kind, helps: 'resume' });
    const { requestCount } = proxy;
    proxy.refusal = null;
    expect(proxy.requestCount).toBe(requestCount);
    await session.resume();
    await expectAnsweredOnce(stage, session, prompt, 'fine again');
  };
}

const bad = (message: string): Refusal => ({ status: 400, type: 'invalid_request_error', message });
const LOGGED_OUT = { status: 401, type: 'authentication_error', message: 'invalid x-api-key' };

/** The API refuses requests for a reason that only a person can fix. */
export const REFUSALS: Stories = {
  'a refused login holds the session, and resume after the login continues it (turns)': heldStory(
    'login',
    'turns',
    LOGGED_OUT,
  ),
  'a refused login holds the session, and resume after the login continues it (live)': heldStory(
    'login',
    'live',
    LOGGED_OUT,
  ),
  'missing credit holds the session for billing': heldStory(
    'billing',
    'turns',
    bad('Your credit balance is too low to access the Anthropic API.'),
  ),
  'a conversation that stays too long is compacted once, then the session is held': heldStory(
    'too-long',
    'turns',
    bad('prompt is too long: 210000 tokens > 200000 maximum'),
  ),
  'a tool call without a result continues in a copy once, then the session is held as poisoned': heldStory(
    'poisoned',
    'turns',
    bad('messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01'),
  ),

  'an invalid request for another reason fails the prompt, and the session stays usable': async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage, bad('messages: at least one is odd'));
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
    const { prompt } = await session.prompt(script({ status: 529, times: 4 }, { text: 'got through' }));
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
