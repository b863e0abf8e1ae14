import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { openGate, type Refusal } from './gate.ts';
import { Person } from './person.ts';
import type { Stage, StageOptions, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

const WAIT_MS = 40_000;
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };
const MESSAGE = 'Your credit balance is too low to access the Anthropic API.';
const NO_CREDIT: Refusal = { status: 400, type: 'invalid_request_error', message: MESSAGE };

/** An Enter that comes before the agent is ready is lost. */
async function says(stage: Stage, person: Person, text: string): Promise<void> {
  const isHeard = async (): Promise<boolean> => (await stage.names('api', 'turn.started')).length > 0;
  person.type(text);
  await person.sees(text);
  await eventually(() => {
    person.type('\r');
    return eventually(isHeard, { msMax: 1_000 }).catch(() => false);
  });
  await stage.happens('api', 'turn.ended');
}

function visitStory(isSolved: boolean): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    await using gate = await openGate(stage, NO_CREDIT);
    // The scripted agent asks no API: its story refuses the first time.
    const refused = stage.has('model') ? [] : [{ status: 400, body: MESSAGE, times: 1 }];
    const session = await stage.start({ name: 'api', env: stage.has('model') ? gate.env : stage.env });
    const { prompt } = await session.prompt(script(...refused, { text: 'paid' }));
    await stage.happens('api', 'session.held', 1, WAIT_MS);
    gate.refusal = null;
    await using person = new Person(stage, 'attach', 'api');
    await stage.happens('api', 'control.taken', 1, WAIT_MS);
    const { session: now } = await session.show();
    expect([now.phase, now.control?.how]).toEqual(['visited', 'attach']);
    if (isSolved) await says(stage, person, 'by hand');
    person.type('\x02d');
    expect(await person.leaves()).toBe(0);
    await stage.happens('api', 'run.ended', 2, WAIT_MS);
    if (!isSolved) {
      expect((await session.show()).session.hold).toEqual({ kind: 'billing', helps: 'resume' });
      expect(await stage.names('api', 'session.released', 'session.held')).toEqual(['session.held']);
      await session.resume();
    }
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    // What was said meanwhile counts as a step of the story.
    expect([replied.met, replied.reply]).toEqual(['answered', isSolved ? 'done' : 'paid']);
    expect(await stage.names('api', 'run.starting')).toHaveLength(3);
  };
}

/** Its limit ends far from now, and is met once. */
async function limitedStory(open: (options?: StageOptions) => Promise<Stage>): Promise<void> {
  const stage = await open(AT_ONCE);
  const name = 'anthropic-ratelimit-unified';
  const headers = { [`${name}-status`]: 'rejected', [`${name}-reset`]: String(Math.floor(Date.now() / 1000) + 7_200) };
  const session = await stage.start({ name: 'api' });
  const { prompt } = await session.prompt(script({ status: 429, times: 1, headers }, { text: 'after it' }));
  await stage.happens('api', 'session.limited', 1, WAIT_MS);
  const { limitedUntilMs } = (await session.show()).session;
  await using person = new Person(stage, 'attach', 'api');
  await stage.happens('api', 'control.taken', 1, WAIT_MS);
  person.type('\x02d');
  expect(await person.leaves()).toBe(0);
  await stage.happens('api', 'run.ended', 2, WAIT_MS);
  const { session: now } = await session.show();
  expect([now.phase, now.limitedUntilMs]).toEqual(['limited', limitedUntilMs]);
  await session.resume();
  expect((await session.reply({ prompt, timeoutMs: WAIT_MS })).reply).toBe('after it');
}

/** The same for a limit, as the scripted agent meets it. */
export const LIMITED_VISITS: Stories = {
  'a session of turns that is limited can be visited, and is limited until the same time afterwards': limitedStory,
};

/** A person comes to see a session of turns that is parked. */
export const VISITS: Stories = {
  'a session of turns that is held can be visited, and is held again afterwards': visitStory(false),
  'a session of turns that is held goes on after a visit in which the person got an answer': visitStory(true),
};
