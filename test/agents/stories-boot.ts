import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import {
  answeredTurn,
  type ForeignAgent,
  runBoot,
  startForeignAgent,
  turnByHand,
  verdictOf,
  waitForTranscript,
} from './foreign.ts';
import { needing, type Play, type Stage, type Stories } from './stage.ts';
import type { TranscriptMarks, TurnStep } from './under-test/agent.ts';

/** A moment of a turn; asked: its prompt is in the transcript. */
type Moment = 'asked' | keyof TranscriptMarks;

/** Resumes an interrupted conversation: it is answered once, in the same conversation and folder. */
async function expectResumed(stage: Stage, { id }: ForeignAgent, said: string): Promise<string> {
  const model = stage.agent.model.split('/').at(-1) ?? '';
  // The transcript may name the model only from the first answer on.
  const isKnown = stage.transcripts(id).some((path) => readFileSync(path, 'utf8').includes(`"${model}"`));
  const before = stage.received(id).length;
  const { conversations } = await runBoot(stage, { resume: ['all'] });
  const one = conversations.find((each) => each.id === id);
  expect(one).toMatchObject({ verdict: 'interrupted', did: 'resumed', detail: null });
  const session = one?.session ?? '';
  const replied = await stage.world.client.reply({ session, timeoutMs: 40_000 });
  expect([replied.met, replied.reply]).toEqual(['answered', said]);
  expect(replied.session).toMatchObject({ conversation: id, workspace: stage.workspace });
  // Some agents name the provider of a model, too.
  expect(replied.session.model?.split('/').at(-1) ?? null).toBe(isKnown ? model : null);
  await eventually(() => stage.received(id).length > before);
  const received = stage.received(id);
  expect(received.length).toBe(before + 1);
  expect(received.at(-1)).toContain('Outlast');
  // A second boot finds nothing to do.
  const again = await runBoot(stage, { resume: ['all'] });
  expect(again.conversations.map(({ did }) => did)).toEqual(['nothing']);
  expect((await stage.world.client.list()).sessions.length).toBe(1);
  return received.at(-1) ?? '';
}

/** Kills the agent when its transcript has this text: the conversation is interrupted, and is resumed. */
function interruptedStory(
  steps: readonly TurnStep[],
  until: Moment,
  said: string,
  named: readonly string[] = [],
): Play {
  return async (open) => {
    const stage = await open();
    // Otherwise nothing of the first turn is stored yet.
    const begun = until !== 'asked' || stage.has('early prompts') ? undefined : await answeredTurn(stage, 'hello');
    const agent = await startForeignAgent(stage, stage.script(...steps), begun);
    await waitForTranscript(agent, until === 'asked' ? 'SCRIPT' : stage.agent.marks[until]);
    expect(await verdictOf(stage, agent.id)).toMatchObject({ verdict: 'alive' });
    await agent.kill();
    expect(await verdictOf(stage, agent.id)).toMatchObject({ verdict: 'interrupted', did: 'nothing' });
    const continuation = await expectResumed(stage, agent, said);
    for (const word of named) expect(continuation).toContain(word);
  };
}

/** Kills the agent in a state in which there is nothing to resume. */
function notResumedStory(steps: readonly TurnStep[], until: keyof TranscriptMarks, verdict: string): Play {
  return async (open) => {
    const stage = await open();
    const agent = await startForeignAgent(stage, stage.script(...steps));
    await waitForTranscript(agent, stage.agent.marks[until]);
    await eventually(() => agent.child.exitCode !== null, { msMax: 3_000 }).catch(() => {});
    await agent.kill();
    await eventually(async () => (await verdictOf(stage, agent.id))?.verdict === verdict, { msMax: 30_000 });
    const { conversations } = await runBoot(stage, { resume: ['all'] });
    expect(conversations.map(({ did }) => did)).toEqual(['nothing']);
    expect((await stage.world.client.list()).sessions).toEqual([]);
  };
}

async function startupStory(open: Parameters<Play>[0]): Promise<void> {
  const stage = await open();
  const { child } = turnByHand(stage, { is: 'new', id: randomUUID() }, 'hello');
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const { conversations } = await runBoot(stage, { resume: ['all'] });
  expect(conversations).toEqual([]);
}

/** Two parallel calls: the finished one is not repeated, the other is reported as uncertain. */
async function parallelStory(open: Parameters<Play>[0]): Promise<void> {
  const stage = await open();
  const [done, never] = [join(stage.root, 'done'), join(stage.root, 'never')];
  const second = `until [ -e '${never}' ]; do sleep 0.05; done`;
  const prompt = stage.script({ together: [`echo once >> '${done}'`, second] }, { say: 'both' });
  const agent = await startForeignAgent(stage, prompt);
  await eventually(() => existsSync(done), { msMax: 60_000 });
  // What is not in the transcript yet is lost with the process: Outlast cannot know it.
  const { called, returned } = stage.agent.marks;
  const calls = (): number => agent.text().split(called).length - 1;
  await eventually(() => calls() >= 2 && agent.text().includes(returned), { msMax: 20_000 });
  await agent.kill();
  writeFileSync(never, '');
  const continuation = await expectResumed(stage, agent, 'both');
  expect(continuation).toContain('until [');
  expect(readFileSync(done, 'utf8')).toBe('once\n');
}

/** The moments of a turn at which an agent is killed. */
export const BOOT_MOMENTS: Stories = {
  'an agent killed while it starts leaves no conversation': startupStory,
  'an agent killed before the first byte of an answer is resumed': interruptedStory(
    [{ say: 'at last', delayMs: 3_000 }],
    'asked',
    'at last',
  ),
  'an agent killed while an answer streams is resumed': interruptedStory(
    [{ say: 'one two three four five six seven eight', pace: 300 }],
    'asked',
    'one two three four five six seven eight',
  ),
  'an agent killed while a command runs is resumed, and its prompt names the command': needing(
    ['calls on record'],
    interruptedStory([{ run: 'sleep 3' }, { say: 'slept' }], 'called', 'slept', ['sleep 3']),
  ),
  'an agent killed after a text and a tool call is resumed': needing(
    ['ends on record'],
    interruptedStory([{ run: 'sleep 3', before: 'let me see' }, { say: 'seen' }], 'called', 'seen'),
  ),
  'an agent killed after the result of a command is resumed': interruptedStory(
    [{ run: 'echo out-of-it' }, { say: 'after', delayMs: 3_000 }],
    'returned',
    'after',
  ),
  'when an agent is killed with one of two commands done, only the other is reported as uncertain': needing(
    ['results apart'],
    parallelStory,
  ),
  'an agent killed after its answer is not resumed': needing(
    ['ends on record'],
    notResumedStory([{ say: 'finished' }], 'ended', 'complete'),
  ),
  'an agent killed after a failure of the model is not resumed': needing(
    ['failures on record'],
    notResumedStory([{ fail: 400 }], 'failed', 'failed'),
  ),
};
