import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Session, StartInput } from '../../src/client/index.ts';
import { script as steps } from '../agents/story-text.ts';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { newHome } from './homes.ts';

// Conversations that the API refuses, visits of held sessions, and accounts that answer again: a real daemon and the
// scripted agent.

const world = await makeWorld({ config: { policy: { backoff: { msMin: 0 } } } });
afterAll(() => world[Symbol.asyncDispose]());

const WAIT_MS = 30_000;

/** Each has its own home, and so its own account. */
class TestPerson {
  readonly home: string;

  constructor(faults: object = {}) {
    this.home = newHome(world, faults);
  }

  start(input: StartInput = {}): Promise<Session> {
    const env = { ...(process.env as Record<string, string>), HOME: this.home };
    return world.client.start({ agent: 'scripted', cwd: this.home, env, ...input });
  }

  /** The transcript of a conversation. */
  lines(conversation: string | null): { type?: string; subtype?: string }[] {
    const projects = join(this.home, '.outlast-scripted/projects');
    const [path] = readdirSync(projects)
      .flatMap((folder) => readdirSync(join(projects, folder)).map((name) => join(projects, folder, name)))
      .filter((file) => file.endsWith(`/${conversation}.jsonl`));
    return readFileSync(path ?? '', 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }
}

const TOO_LONG = { status: 400, body: 'prompt is too long: 210000 tokens > 200000 maximum' };
const POISONED = { status: 400, body: 'messages.1: tool_use ids were found without tool_result blocks' };

const show = async (session: Session) => (await session.show()).session;
const waitForPhase = (session: Session, phase: string): Promise<unknown> =>
  eventually(async () => (await show(session)).phase === phase, { what: `${session.id} ${phase}`, msMax: WAIT_MS });
const report = async (session: Session): Promise<string> =>
  (await world.cli(['report', session.id])).stdout.replaceAll(/\s+/g, ' ');

async function eventNames(session: Session, ...types: string[]): Promise<string[]> {
  return (await world.events(session.id)).filter((type) => types.includes(type));
}

async function expectAnsweredOnce(session: Session, prompt: string, reply: string): Promise<void> {
  const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
  expect([replied.met, replied.reply]).toEqual(['answered', reply]);
  expect(await eventNames(session, 'prompt.answered')).toHaveLength(1);
}

// The real agent plays these in turns.
describe.each(some(['live', 'turns'] as const, 2))('a conversation that cannot be sent (%s)', (drive) => {
  test('too long: it is compacted once, and the prompt is continued', async () => {
    const ana = new TestPerson();
    const session = await ana.start({ drive });
    const { prompt } = await session.prompt(steps({ ...TOO_LONG, until: 'compact' }, { text: 'short again' }));
    await expectAnsweredOnce(session, prompt, 'short again');
    expect(await eventNames(session, 'remedy.begun', 'remedy.ended', 'session.held')).toEqual([
      ...['remedy.begun', 'remedy.ended'],
    ]);
    const { conversation, run } = await show(session);
    expect(ana.lines(conversation).filter(({ subtype }) => subtype === 'compact_boundary')).toHaveLength(1);
    expect(run).toBe(drive === 'live' ? 1 : 3);
    expect(await report(session)).toContain('the conversation is compacted: API Error: 400 prompt is too long');
  });

  test('still too long: it is held, and a resume continues', async () => {
    const session = await new TestPerson().start({ drive });
    const { prompt } = await session.prompt(steps({ ...TOO_LONG, times: 2 }, { text: 'fine again' }));
    await waitForPhase(session, 'held');
    const { hold, held } = await show(session);
    expect([hold, held]).toEqual([{ kind: 'too-long', helps: 'resume' }, expect.stringContaining('did not help')]);
    expect(await eventNames(session, 'remedy.begun')).toHaveLength(1);
    await session.resume();
    await expectAnsweredOnce(session, prompt, 'fine again');
  });

  test('poisoned: it continues as a copy, and the session follows it', async () => {
    const ana = new TestPerson();
    const session = await ana.start({ drive });
    const before = await session.converse('hello', { timeoutMs: WAIT_MS });
    expect(before.reply).toBe('You said: hello');
    const { conversation: old } = await show(session);
    const { prompt } = await session.prompt(steps({ ...POISONED, until: 'fork' }, { text: 'clean again' }));
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    expect([replied.met, replied.reply]).toEqual(['answered', 'clean again']);
    expect(await eventNames(session, 'remedy.begun', 'session.held')).toEqual(['remedy.begun']);
    const { conversation } = await show(session);
    expect(conversation).not.toBe(old);
    const { length } = ana.lines(old);
    const next = await session.converse('more', { timeoutMs: WAIT_MS });
    expect([next.reply, (await show(session)).conversation]).toEqual(['You said: more', conversation]);
    expect(ana.lines(old)).toHaveLength(length);
    expect(await report(session)).toContain('the conversation continues as a copy: API Error: 400 messages.1');
  });

  test('poisoned, and its copy too: it is held, and a resume continues', async () => {
    const session = await new TestPerson().start({ drive });
    // Each conversation counts its own failures.
    const { prompt } = await session.prompt(steps({ ...POISONED, times: 1 }, { text: 'fine again' }));
    await waitForPhase(session, 'held');
    expect((await show(session)).hold).toEqual({ kind: 'poisoned', helps: 'resume' });
    expect(await eventNames(session, 'remedy.begun')).toHaveLength(1);
    await session.resume();
    await expectAnsweredOnce(session, prompt, 'fine again');
  });
});

/** A usage limit that resets in this many seconds. */
function limit(seconds: number, more: object = {}): object {
  const name = 'anthropic-ratelimit-unified';
  const reset = Math.floor(Date.now() / 1000) + seconds;
  return { status: 429, headers: { [`${name}-status`]: 'rejected', [`${name}-reset`]: String(reset) }, ...more };
}

test('an answer to one session wakes those of its account that wait for a limit', async () => {
  const ana = new TestPerson();
  const first = await ana.start();
  const { prompt } = await first.prompt(steps(limit(7_200, { times: 1 }), { text: 'after the limit' }));
  await waitForPhase(first, 'limited');
  const second = await ana.start({ prompt: 'hello' });
  await waitForPhase(second, 'limited');
  const other = await new TestPerson().start({ prompt: steps(limit(7_200)) });
  await waitForPhase(other, 'limited');
  // A session with --on-limit stop tries anyway, and ends with its answer.
  const third = await ana.start({ prompt: 'hi', keepOpen: false, policy: { onLimit: 'stop' } });
  expect((await third.reply({ timeoutMs: WAIT_MS })).reply).toBe('You said: hi');
  for (const session of [first, second])
    await eventually(async () => (await eventNames(session, 'prompt.answered')).length === 1, { msMax: WAIT_MS });
  await expectAnsweredOnce(first, prompt, 'after the limit');
  expect((await second.reply({ timeoutMs: WAIT_MS })).reply).toBe('You said: hello');
  expect(await report(second)).toContain('the usage limit is over: an answer to its account');
  expect((await show(other)).phase).toBe('limited');
});
