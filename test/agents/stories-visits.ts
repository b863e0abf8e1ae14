import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { openModelProxy, type Refusal } from './model-proxy.ts';
import { Person } from './person.ts';
import type { Stage, StageOptions, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';
import { bad } from './under-test/claude-refusals.ts';

const WAIT_MS = 40_000;
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };
const MESSAGE = 'Your credit balance is too low to access the Anthropic API.';
const NO_CREDIT: Refusal = bad(MESSAGE);

/** Types a prompt. Presses Enter until the turn starts: an Enter before the agent is ready is lost. */
async function submitByHand(stage: Stage, person: Person, text: string): Promise<void> {
  const hasStarted = async (): Promise<boolean> => (await stage.eventNames('api', 'turn.started')).length > 0;
  person.type(text);
  await person.waitForText(text);
  await eventually(() => {
    person.type('\r');
    return eventually(hasStarted, { msMax: 1_000 }).catch(() => false);
  });
  await stage.waitForEvent('api', 'turn.ended');
}

function visitStory(isSolved: boolean): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage, NO_CREDIT);
    // The scripted agent has no API: its script refuses the first request.
    const refused = stage.has('model') ? [] : [{ status: 400, body: MESSAGE, times: 1 }];
    const session = await stage.start({ name: 'api', env: stage.has('model') ? proxy.env : stage.env });
    const { prompt } = await session.prompt(script(...refused, { text: 'paid' }));
    await stage.waitForEvent('api', 'session.held', 1, WAIT_MS);
    proxy.refusal = null;
    await using person = new Person(stage, 'attach', 'api');
    await stage.waitForEvent('api', 'control.taken', 1, WAIT_MS);
    const { session: now } = await session.show();
    expect([now.phase, now.control?.how]).toEqual(['visited', 'attach']);
    if (isSolved) await submitByHand(stage, person, 'by hand');
    person.type('\x02d');
    expect(await person.waitForExit()).toBe(0);
    await stage.waitForEvent('api', 'run.ended', 2, WAIT_MS);
    if (!isSolved) {
      expect((await session.show()).session.hold).toEqual({ kind: 'billing', helps: 'resume' });
      expect(await stage.eventNames('api', 'session.released', 'session.held')).toEqual(['session.held']);
      await session.resume();
    }
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    // The prompt of the visit consumed a step of the script.
    expect([replied.met, replied.reply]).toEqual(['answered', isSolved ? 'done' : 'paid']);
    expect(await stage.eventNames('api', 'run.starting')).toHaveLength(3);
  };
}

/** A limit that resets in two hours. */
async function limitedStory(open: (options?: StageOptions) => Promise<Stage>): Promise<void> {
  const stage = await open(AT_ONCE);
  const name = 'anthropic-ratelimit-unified';
  const headers = { [`${name}-status`]: 'rejected', [`${name}-reset`]: String(Math.floor(Date.now() / 1000) + 7_200) };
  const session = await stage.start({ name: 'api' });
  const { prompt } = await session.prompt(script({ status: 429, times: 1, headers }, { text: 'after it' }));
  await stage.waitForEvent('api', 'session.limited', 1, WAIT_MS);
  const { limitedUntilMs } = (await session.show()).session;
  await using person = new Person(stage, 'attach', 'api');
  await stage.waitForEvent('api', 'control.taken', 1, WAIT_MS);
  person.type('\x02d');
  expect(await person.waitForExit()).toBe(0);
  await stage.waitForEvent('api', 'run.ended', 2, WAIT_MS);
  const { session: now } = await session.show();
  expect([now.phase, now.limitedUntilMs]).toEqual(['limited', limitedUntilMs]);
  await session.resume();
  expect((await session.reply({ prompt, timeoutMs: WAIT_MS })).reply).toBe('after it');
}

/** Visits to a limited session, with the limit of the scripted agent. */
export const LIMITED_VISITS: Stories = {
  'a limited turns session can be visited, and is limited until the same time afterwards': limitedStory,
};

/** Visits to a held session. */
export const VISITS: Stories = {
  'a held turns session can be visited, and is held again afterwards': visitStory(false),
  'a held turns session continues after a visit in which the person got an answer': visitStory(true),
};
