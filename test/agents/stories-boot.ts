import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { type Foreign, foreignAgent, look, verdictOf, writes } from './foreign.ts';
import type { Play, Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

const BASH = (command: string) => ({ tool: 'Bash', input: { command, description: 'x' } });

/** Resumes what was interrupted, and sees that it is answered once, in the same conversation and folder. */
async function goesOn(stage: Stage, { id }: Foreign, said: string): Promise<string> {
  // Before its first answer an agent may not have written it down.
  const isKnown = stage.transcripts(id).some((path) => readFileSync(path, 'utf8').includes('"claude-sonnet-4-6"'));
  const model = isKnown ? 'claude-sonnet-4-6' : null;
  const { conversations } = await look(stage, { resume: ['all'] });
  const one = conversations.find((each) => each.id === id);
  expect(one).toMatchObject({ verdict: 'interrupted', did: 'resumed' });
  const session = one?.session ?? '';
  const replied = await stage.world.client.reply({ session, timeoutMs: 40_000 });
  expect([replied.met, replied.reply]).toEqual(['answered', said]);
  expect(replied.session).toMatchObject({ conversation: id, workspace: stage.workspace });
  expect(replied.session.model).toBe(model);
  await eventually(() => stage.heard(id).length >= 2);
  const heard = stage.heard(id);
  expect(heard.length).toBe(2);
  expect(heard[1]).toContain('Outlast');
  // A second look has nothing left to do.
  const again = await look(stage, { resume: ['all'] });
  expect(again.conversations.map(({ did }) => did)).toEqual(['nothing']);
  expect((await stage.world.client.list()).sessions.length).toBe(1);
  return heard[1] ?? '';
}

/** Killed when its transcript says this; then it is interrupted, and goes on. */
function cutStory(prompt: string, until: string, said: string, named: readonly string[] = []): Story {
  return async (open) => {
    const stage = await open();
    const agent = foreignAgent(stage, prompt);
    await writes(agent, until);
    expect(await verdictOf(stage, agent.id)).toMatchObject({ verdict: 'alive' });
    await agent.kill();
    expect(await verdictOf(stage, agent.id)).toMatchObject({ verdict: 'interrupted', did: 'nothing' });
    const told = await goesOn(stage, agent, said);
    for (const word of named) expect(told).toContain(word);
  };
}

/** Killed in a state in which there is nothing to go on with. */
function leftStory(prompt: string, until: string, verdict: string): Story {
  return async (open) => {
    const stage = await open();
    const agent = foreignAgent(stage, prompt);
    await writes(agent, until);
    await eventually(() => agent.child.exitCode !== null, { msMax: 3_000 }).catch(() => {});
    await agent.kill();
    await eventually(async () => (await verdictOf(stage, agent.id))?.verdict === verdict, { msMax: 30_000 });
    const { conversations } = await look(stage, { resume: ['all'] });
    expect(conversations.map(({ did }) => did)).toEqual(['nothing']);
    expect((await stage.world.client.list()).sessions).toEqual([]);
  };
}

async function startupStory(open: Parameters<Play>[0]): Promise<void> {
  const stage = await open();
  const agent = foreignAgent(stage, 'hello');
  await agent.kill();
  const { conversations } = await look(stage, { resume: ['all'] });
  expect(conversations).toEqual([]);
}

/** Two calls at once: the one that was over is not done again, the other is named as uncertain. */
async function parallelStory(open: Parameters<Play>[0]): Promise<void> {
  const stage = await open();
  const [done, never] = [join(stage.root, 'done'), join(stage.root, 'never')];
  const second = `until [ -e '${never}' ]; do sleep 0.05; done`;
  const prompt = script({ tools: [BASH(`echo once >> '${done}'`), BASH(second)] }, { text: 'both' });
  const agent = foreignAgent(stage, prompt);
  await eventually(() => existsSync(done), { msMax: 20_000 });
  // What is not written down yet is lost with the process: that is the agent's own limit.
  const calls = (): number => agent.text().split('"type":"tool_use"').length - 1;
  await eventually(() => calls() >= 2 && agent.text().includes('"tool_result"'), { msMax: 20_000 });
  await agent.kill();
  writeFileSync(never, '');
  const told = await goesOn(stage, agent, 'both');
  expect(told).toContain('until [');
  expect(readFileSync(done, 'utf8')).toBe('once\n');
}

/** The nine moments, and what stays as it is. */
export const BOOT_MOMENTS: Stories = {
  'killed while it starts: there is no conversation': startupStory,
  'killed before the first byte of an answer: it goes on': cutStory(
    script({ delayMs: 3_000, text: 'at last' }),
    'SCRIPT',
    'at last',
  ),
  'killed while an answer streams: it goes on': cutStory(
    script({ pace: 300, text: 'one two three four five six seven eight' }),
    'SCRIPT',
    'one two three four five six seven eight',
  ),
  'killed while a command runs: it goes on, and is told of the command': cutStory(
    script(BASH('sleep 3'), { text: 'slept' }),
    '"tool_use"',
    'slept',
    ['sleep 3'],
  ),
  'killed behind a text and a call: it goes on': cutStory(
    script({ ...BASH('sleep 3'), say: 'let me see' }, { text: 'seen' }),
    '"tool_use"',
    'seen',
  ),
  'killed after the result of a command: it goes on': cutStory(
    script(BASH('echo out-of-it'), { delayMs: 3_000, text: 'after' }),
    '"tool_result"',
    'after',
  ),
  'killed with one of two commands done: only the other is uncertain': parallelStory,
  'killed when it had answered: it stays finished': leftStory(script({ text: 'finished' }), '"end_turn"', 'complete'),
  'killed after a failure of the model: it is left alone': leftStory(
    script({ status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: 'no' } } }),
    'API Error',
    'failed',
  ),
};
