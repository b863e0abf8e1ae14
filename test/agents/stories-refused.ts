import { expect } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { type Gate, openGate, type Refusal } from './gate.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

type Drive = 'turns' | 'live';

const WAIT_MS = 40_000;
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };
const HOUR_MS = 3_600_000;

/** The end of a limit some hours from now, on a full minute: the words of the agent are no more exact. */
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

/** Only who has a subscription meets a limit; a key is told that it asks too often. */
function subscribed(env: Record<string, string>): Record<string, string> {
  const { ANTHROPIC_API_KEY: _, ...rest } = env;
  return { ...rest, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' };
}

const phaseOf = async (session: Session): Promise<string> => (await session.show()).session.phase;

const until = (session: Session, phase: string): Promise<unknown> =>
  eventually(async () => (await phaseOf(session)) === phase, { what: `${session.id} ${phase}`, msMax: WAIT_MS });

async function answersOnce(stage: Stage, session: Session, prompt: string, reply: string): Promise<void> {
  const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
  expect([replied.met, replied.reply]).toEqual(['answered', reply]);
  expect(await stage.names(session.id, 'prompt.answered')).toHaveLength(1);
}

/** At a limit the screen of the agent asks what to do; nobody has to answer it. */
async function asks(session: Session): Promise<void> {
  const words = async (): Promise<string> => (await session.screen()).rows.join('\n');
  await eventually(async () => (await words()).includes('What do you want to do'), {
    what: 'a question',
    msMax: 20_000,
  });
  expect(await phaseOf(session)).toBe('limited');
}

/** Who tries while the limit holds is parked again, until it ends now. */
async function moves(session: Session, gate: Gate): Promise<void> {
  const laterMs = resetMs(5);
  gate.refusal = limit(laterMs, 'five_hour');
  await session.resume();
  const untilMs = async (): Promise<number | null> => (await session.show()).session.limitedUntilMs;
  await eventually(async () => (await untilMs()) === laterMs, { what: 'the limit that moved', msMax: WAIT_MS });
}

function limitStory(drive: Drive, claim: 'five_hour' | 'seven_day'): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    const untilMs = resetMs(claim === 'five_hour' ? 3 : 70);
    await using gate = await openGate(stage, limit(untilMs, claim));
    const env = subscribed(gate.env);
    const session = drive === 'live' ? await stage.live({ env }) : await stage.start({ env });
    const { prompt } = await session.prompt(script({ text: 'after the limit' }));
    await until(session, 'limited');
    expect((await session.show()).session.limitedUntilMs).toBe(untilMs);
    const { asked } = gate;
    const next = await stage.start({ env, prompt: 'hello' });
    await until(next, 'limited');
    expect([gate.asked, await stage.names(next.id, 'run.starting')]).toEqual([asked, []]);
    expect((await next.show()).session.limitedUntilMs).toBe(untilMs);
    if (drive === 'live') await asks(session);
    else await moves(session, gate);
    gate.refusal = null;
    await session.resume();
    await answersOnce(stage, session, prompt, 'after the limit');
    const { conversation } = (await session.show()).session;
    // It is written down a moment after it was answered.
    const times = drive === 'live' ? 2 : 3;
    await eventually(() => stage.heard(conversation).length >= times, { what: 'a continuation' });
    const [, ...again] = stage.heard(conversation);
    expect(again).toHaveLength(times - 1);
    for (const text of again) expect(text).toContain('continue where you left off');
  };
}

/** The account has a limit. */
export const LIMITS: Stories = {
  'a limit of five hours parks the session and the account until it ends, and a resume takes it up (turns)': limitStory(
    'turns',
    'five_hour',
  ),
  'a weekly limit parks the session and the account until it ends, and a resume takes it up (live)': limitStory(
    'live',
    'seven_day',
  ),

  'with --on-limit stop a limit is a failure, in the words of the agent': async (open) => {
    const stage = await open(AT_ONCE);
    await using gate = await openGate(stage, limit(resetMs(3), 'five_hour'));
    const env = { ...subscribed(gate.env), ANTHROPIC_API_KEY: undefined };
    const ran = await stage.cli(['run', '--on-limit', 'stop', 'hello'], { env });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([8, '', expect.stringMatching(/hit your .*limit/)]);
  },
};

function heldStory(kind: string, drive: Drive, refusal: Refusal): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    await using gate = await openGate(stage, refusal);
    const { env } = gate;
    const session = drive === 'live' ? await stage.live({ env }) : await stage.start({ env });
    const { prompt } = await session.prompt(script({ text: 'fine again' }));
    await until(session, 'held');
    expect((await session.show()).session.hold).toEqual({ kind, helps: 'resume' });
    const { asked } = gate;
    gate.refusal = null;
    expect(gate.asked).toBe(asked);
    await session.resume();
    await answersOnce(stage, session, prompt, 'fine again');
  };
}

const bad = (message: string): Refusal => ({ status: 400, type: 'invalid_request_error', message });
const LOGGED_OUT = { status: 401, type: 'authentication_error', message: 'invalid x-api-key' };

/** The API refuses what only a person can change. */
export const REFUSALS: Stories = {
  'a login that is refused is held, and a resume after the login goes on (turns)': heldStory(
    'login',
    'turns',
    LOGGED_OUT,
  ),
  'a login that is refused is held, and a resume after the login goes on (live)': heldStory(
    'login',
    'live',
    LOGGED_OUT,
  ),
  'no credit is held for billing': heldStory(
    'billing',
    'turns',
    bad('Your credit balance is too low to access the Anthropic API.'),
  ),
  'a conversation that stays too long is compacted once, then held': heldStory(
    'too-long',
    'turns',
    bad('prompt is too long: 210000 tokens > 200000 maximum'),
  ),
  'a call without its result goes on as a copy once, then is held as poisoned': heldStory(
    'poisoned',
    'turns',
    bad('messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01'),
  ),

  'a request that is wrong for another reason has failed, and the session is of use afterwards': async (open) => {
    const stage = await open(AT_ONCE);
    await using gate = await openGate(stage, bad('messages: at least one is odd'));
    const session = await stage.start({ env: gate.env });
    const failed = await session.converse('hello', { timeoutMs: WAIT_MS });
    expect([failed.met, failed.session.phase]).toEqual(['failed', 'idle']);
    gate.refusal = null;
    // What had no answer is still in the conversation.
    const { reply } = await session.converse('and now', { timeoutMs: WAIT_MS });
    expect(reply).toMatch(/^You said: (hello\s+)?and now$/);
  },
};

function overloadStory(drive: Drive): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    const session = drive === 'live' ? await stage.live() : await stage.start();
    // More often than the agent itself tries, and then some.
    const { prompt } = await session.prompt(script({ status: 529, times: 4 }, { text: 'got through' }));
    await answersOnce(stage, session, prompt, 'got through');
    const delayed = await stage.names(session.id, 'prompt.delayed');
    expect(delayed.length).toBeGreaterThan(0);
    expect(await stage.names(session.id, 'run.faulted', 'prompt.failed')).toEqual([]);
  };
}

/** The API has too much to do. */
export const OVERLOADS: Stories = {
  'an API that has too much to do is tried again, and answers once (turns)': overloadStory('turns'),
  'an API that has too much to do is tried again, and answers once (live)': overloadStory('live'),
};
