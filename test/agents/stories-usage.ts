import { expect } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import type { Stage, Stories } from './stage.ts';

const WAIT_MS = 40_000;

/** The messages of all transcripts and the sum of their tokens. */
function written(stage: Stage): { messages: number; tokens: number } {
  const all = stage.transcripts().flatMap((path) => stage.agent.messages(path));
  const tokens = new Map(all.map((message) => [message.id, message.tokens]));
  return { messages: tokens.size, tokens: [...tokens.values()].reduce((sum, each) => sum + each, 0) };
}

/** Waits until this number of turns is counted, and returns the price of one message. */
async function counted(stage: Stage, session: Session, turns: number): Promise<number> {
  const { tokens, usd } = await eventually(
    async () => {
      const { usage } = (await session.show()).session;
      return usage.turns === turns && usage;
    },
    { what: `a count of ${turns} turns`, msMax: WAIT_MS },
  );
  const { messages, tokens: all } = written(stage);
  expect(tokens).toBe(all);
  return (usd ?? 0) / messages;
}

/** Usage. Every message of these stories has the same size, so each costs the same. */
export const COUNTED: Stories = {
  'the usage of a killed process is counted, and nothing of the conversation is counted twice': async (open) => {
    const stage = await open({ config: { policy: { backoff: { msMin: 0 } } } });
    // An agent that takes a model may have another default each month.
    const session = await stage.start(stage.has('models') ? { model: stage.agent.model } : {});
    await session.prompt(stage.script({ run: 'echo a' }, { run: 'sleep 3' }, { run: 'echo c' }, { say: 'done' }));
    await eventually(() => written(stage).messages === 2, { what: 'the second call', msMax: WAIT_MS });
    const { pid } = (await session.show()).session;
    kill(pid);
    expect(await session.reply({ timeoutMs: WAIT_MS })).toMatchObject({ met: 'answered' });
    const price = await counted(stage, session, 1);
    if (stage.has('prices')) expect(price).toBeGreaterThan(0);
    for (const turns of [2, 3]) {
      await session.converse('say hello', { timeoutMs: WAIT_MS });
      expect(await counted(stage, session, turns)).toBeCloseTo(price, 8);
    }
    const { total, models } = await stage.world.client.usage({ days: 2 });
    expect([total.turns, total.tokens]).toEqual([3, written(stage).tokens]);
    expect(models.map(({ model }) => model)).toEqual([stage.agent.model]);
    // Each agent records them in its own way; each token has one kind.
    const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = total.byKind ?? {};
    expect([input > 0, output > 0, input + output + cacheRead + cacheWrite]).toEqual([true, true, total.tokens]);
  },
};
