import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { type Agent, bash, mark, recoveryWorld, story } from './recovery-world.ts';

// The usage of an agent is counted once, even if its process was killed.

/** The usage in the transcript, with each message counted once. */
async function written(agent: Agent): Promise<{ messages: number; tokens: number }> {
  const path = (await agent.view()).transcript ?? '';
  const tokens = new Map<string, number>();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { type, message } = JSON.parse(line);
    if (type !== 'assistant') continue;
    tokens.set(message.id, message.usage.input_tokens + message.usage.output_tokens);
  }
  const nonEmpty = [...tokens.values()].filter((each) => each > 0);
  return { messages: nonEmpty.length, tokens: nonEmpty.reduce((sum, each) => sum + each, 0) };
}

test.each([
  ['turns', false],
  ['live', true],
])('in %s, the tokens of an agent that was killed are counted, each message once', async (_drive, live) => {
  await using place = await recoveryWorld();
  const steps = [mark('a'), bash('echo b >> ledger; sleep 2'), mark('c'), { text: 'all done' }];
  const agent = await place.agent({ live, steps, manners: { flushMs: 0 } });
  await eventually(() => agent.ledger().includes('b'), { msMax: 30_000 });
  process.kill(await agent.pid(), 'SIGKILL');
  expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all done' });
  await agent.session.converse(story({ text: 'and more' }));
  const counted = await eventually(
    async () => {
      const { usage, run } = await agent.view();
      return usage.turns === 2 && { usage, run };
    },
    { what: 'the usage of both turns' },
  );
  const { messages, tokens } = await written(agent);
  expect(messages).toBeGreaterThanOrEqual(5);
  expect(counted.usage.tokens).toBe(tokens);
});

test('the usage of a sub-agent is counted with its agent', async () => {
  await using place = await recoveryWorld();
  const input = { description: 'looks', prompt: story({ text: 'seen' }), subagent_type: 'general-purpose' };
  const agent = await place.agent({ steps: [{ tool: 'Agent', input }, { text: 'done' }], manners: { flushMs: 0 } });
  await agent.reply();
  const { usage } = await eventually(async () => {
    const view = await agent.view();
    return view.usage.turns === 1 && view;
  });
  const { tokens, messages } = await written(agent);
  expect(usage.tokens).toBe(tokens + tokens / messages);
});

test('the usage of a turn that never ended is counted at the end, and kept when the session is removed', async () => {
  await using place = await recoveryWorld();
  const policy = { resumes: { max: 0 } };
  const agent = await place.agent({ steps: [mark('a'), bash('sleep 60')], manners: { flushMs: 0 }, policy });
  await agent.untilEvent('tool.called', 2);
  await eventually(async () => (await written(agent)).messages === 2);
  process.kill(await agent.pid(), 'SIGKILL');
  await agent.session.wait({ timeoutMs: 30_000 });
  const { usage } = await agent.view();
  expect(usage).toMatchObject({ turns: 0, tokens: (await written(agent)).tokens });
  const { client } = place.world;
  await client.remove({ session: agent.session.id });
  await place.world.restart();
  const totals = await client.usage({ days: 2 });
  expect(totals.total).toMatchObject({ turns: 0, tokens: usage.tokens });
  expect(totals.models.map(({ model }) => model)).toEqual([expect.stringContaining('claude')]);
  expect(totals.sessions).toEqual([expect.objectContaining({ session: agent.session.id, tokens: usage.tokens })]);
  const shown = await place.world.cli(['usage']);
  expect(shown.stdout).toMatch(/^DAY +TURNS +TOKENS +INPUT +OUTPUT .*COST\n\d{4}-\d\d-\d\d +0 +\d+/);
  expect(shown.stdout).toContain(agent.session.id);
  expect(JSON.parse((await place.world.cli(['usage', '--days', '1', '--json'])).stdout).total).toEqual(totals.total);
  expect(await place.world.cli(['usage', '--days', '0'])).toMatchObject({ status: 2, stdout: '' });
});
