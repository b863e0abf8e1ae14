import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ModelRequest } from '../e2e-real/model-server.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { randomPng } from '../png.ts';
import type { Play, Stage, Stories } from './stage.ts';

const WAIT_MS = 60_000;

interface Picture {
  readonly path: string;
  readonly base64: string;
}

/** Writes a picture outside the workspace, as a caller has it. */
function picture(stage: Stage, name: string): Picture {
  const [path, content] = [join(stage.root, name), randomPng()];
  writeFileSync(path, content);
  return { path, base64: content.toString('base64') };
}

/** The requests that the agent made for turns. Side calls have no tools. */
function requests(stage: Stage): readonly ModelRequest[] {
  return stage.model?.requests().filter(({ tools }) => tools.length > 0) ?? [];
}

/** The pictures in the last request for this prompt. */
function seen(stage: Stage, text: string): readonly string[] {
  return requests(stage).findLast(({ prompt }) => prompt.includes(text))?.pictures ?? [];
}

/** What the model should get: an agent that encodes images again sends others. */
function expected(stage: Stage, ...shots: readonly Picture[]): readonly unknown[] {
  return shots.map(({ base64 }) => (stage.agent.seeing === undefined ? base64 : expect.any(String)));
}

function modelOf({ agent }: Stage): { model?: string } {
  return agent.seeing === undefined ? {} : { model: agent.seeing };
}

/** A prompt with images, and one without, reach the model; both are known in what the agent recorded. */
function sentStory(drive: 'turns' | 'live'): Play {
  return async (open) => {
    const stage = await open();
    const [one, two] = [picture(stage, 'one shot.png'), picture(stage, 'two.png')];
    const session = await stage.startDriven(drive, modelOf(stage));
    const text = 'What is wrong here?';
    const { prompt } = await session.prompt(text, { images: [one.path, two.path] });
    // It was copied before the call returned.
    for (const { path } of [one, two]) rmSync(path);
    expect((await session.reply({ prompt, timeoutMs: WAIT_MS })).met).toBe('answered');
    const [got, all] = [seen(stage, text), expected(stage, one, two)];
    expect(got).toHaveLength(all.length);
    expect(got).toEqual(stage.has('images in order') ? all : expect.arrayContaining([...all]));
    expect((await session.converse('and now?', { timeoutMs: WAIT_MS })).met).toBe('answered');
    const names = await stage.eventNames(session.id, 'prompt.');
    // A prompt may wait for the agent, and Enter is sent once more to one that is slow to take it.
    expect(names.filter((name) => name !== 'prompt.waiting' && name !== 'prompt.entering')).toEqual(
      ['one', 'two'].flatMap(() => ['prompt.queued', 'prompt.sending', 'prompt.accepted', 'prompt.answered']),
    );
    if (!stage.has('record')) return;
    const { turn } = await session.turn({ prompt });
    expect(turn.prompt).toBe(text);
  };
}

/** An agent that is killed in the middle of the turn gets the image again, with what continues the turn. */
function killedStory(drive: 'turns' | 'live'): Play {
  return async (open) => {
    const stage = await open({ config: { policy: { backoff: { msMin: 0 } } } });
    const shot = picture(stage, 'shot.png');
    const go = join(stage.root, 'go');
    const session = await stage.startDriven(drive, modelOf(stage));
    const { prompt } = await session.prompt(stage.untilFile(go, 'seen'), { images: [shot.path] });
    rmSync(shot.path);
    await stage.waitForCall(session.id);
    await untilRecorded(stage);
    const before = requests(stage).length;
    kill((await session.show()).session.pid);
    await stage.waitForEvent(session.id, 'run.opened', 2);
    writeFileSync(go, '');
    expect(await session.reply({ prompt, timeoutMs: WAIT_MS })).toMatchObject({ met: 'answered', reply: 'seen' });
    const after = requests(stage).slice(before);
    for (const { pictures } of after) expect(pictures).toEqual(expect.arrayContaining([...expected(stage, shot)]));
    expect(after.length).toBeGreaterThan(0);
  };
}

/** Some agents write a call down later than they report it: one that is killed in between knows nothing of it. */
async function untilRecorded(stage: Stage): Promise<void> {
  if (!stage.has('transcript files')) return;
  const isIn = (path: string): boolean => readFileSync(path, 'utf8').includes(stage.agent.marks.called);
  await eventually(() => stage.transcripts().some(isIn), { what: 'a recorded call' });
}

/** Prompts with images: what the model gets, by the requests of the agent itself. */
export const IMAGES: Stories = {
  'the model gets the images of a prompt, and the prompt is recognized (turns)': sentStory('turns'),
  'the model gets the images of a prompt, and the prompt is recognized (live)': sentStory('live'),
  'an agent killed in a turn with an image gets the image again (turns)': killedStory('turns'),
  'an agent killed in a turn with an image gets the image again (live)': killedStory('live'),

  'a prompt with an image that waits for its turn is sent with it by the next daemon': async (open) => {
    const stage = await open();
    const shot = picture(stage, 'shot.png');
    const go = join(stage.root, 'go');
    const session = await stage.startDriven(stage.has('turns') ? 'turns' : 'live', modelOf(stage));
    await session.prompt(stage.untilFile(go, 'first'));
    await stage.waitForCall(session.id);
    const { prompt } = await session.prompt('What is this?', { images: [shot.path] });
    rmSync(shot.path);
    await stage.world.kill();
    await stage.world.start();
    writeFileSync(go, '');
    expect((await session.reply({ prompt, timeoutMs: WAIT_MS })).met).toBe('answered');
    expect(seen(stage, 'What is this?')).toEqual(expect.arrayContaining([...expected(stage, shot)]));
  },
};
