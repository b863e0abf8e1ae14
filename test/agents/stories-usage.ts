import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import type { Stage, Stories } from './stage.ts';
import { script } from './story-text.ts';

const WAIT_MS = 40_000;
const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });

/** The messages of all transcripts and the sum of their tokens. */
function written(stage: Stage): { messages: number; tokens: number } {
  const tokens = new Map<string, number>();
  for (const line of stage.transcripts().flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, -1))) {
    const { type, message } = JSON.parse(line);
    if (type !== 'assistant') continue;
    tokens.set(message.id, message.usage.input_tokens + message.usage.output_tokens);
  }
  const all = [...tokens.values()].filter((each) => each > 0);
  return { messages: all.length, tokens: all.reduce((sum, each) => sum + each, 0) };
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
    const session = await stage.start();
    await session.prompt(script(bash('echo a'), bash('sleep 3'), bash('echo c'), { text: 'done' }));
    await eventually(() => written(stage).messages === 2, { what: 'the second call', msMax: WAIT_MS });
    const { pid } = (await session.show()).session;
    kill(pid);
    expect(await session.reply({ timeoutMs: WAIT_MS })).toMatchObject({ met: 'answered' });
    const price = await counted(stage, session, 1);
    expect(price).toBeGreaterThan(0);
    for (const turns of [2, 3]) {
      await session.converse('say hello', { timeoutMs: WAIT_MS });
      expect(await counted(stage, session, turns)).toBeCloseTo(price, 8);
    }
    const { total, models } = await stage.world.client.usage({ days: 2 });
    expect([total.turns, total.tokens]).toEqual([3, written(stage).tokens]);
    expect(models.map(({ model }) => model)).toEqual([expect.stringContaining('claude')]);
  },
};
