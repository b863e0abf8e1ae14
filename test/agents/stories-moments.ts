import { expect } from 'vitest';
import { isCampaign } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import type { Stage, Stories, Story } from './stage.ts';

const COMMON = ['prompt.queued', 'prompt.sending', 'prompt.accepted', 'tool.called', 'prompt.answered'];
const EVERY = {
  turns: [...COMMON, 'run.starting', 'run.opened', 'conversation.opened', 'run.ended'],
  live: [...COMMON, 'prompt.entering'],
} as const;
const SOME = {
  turns: ['prompt.sending', 'run.opened', 'prompt.answered'],
  live: ['prompt.sending', 'prompt.entering', 'prompt.accepted'],
} as const;
const MOMENTS = isCampaign ? EVERY : SOME;

/** Kills the daemon as soon as this event is in the journal. */
async function killAt(stage: Stage, session: string, after: number, moment: string): Promise<void> {
  const enough = new AbortController();
  for await (const { event } of stage.world.client.events({ session, after, follow: true }, enough.signal))
    if (event === moment) break;
  enough.abort();
  await stage.world.kill();
}

/** Sends one prompt per event, and kills the daemon at that event. */
function momentsStory(drive: 'turns' | 'live'): Story {
  return async (open) => {
    const stage = await open({ faults: { ...RUDE, startMs: 50, readyMs: 50, leaveChild: false } });
    const session = await stage.startDriven(drive);
    // Enter is pressed again only if it was lost, which needs faults on command.
    const moments = MOMENTS[drive].filter((each) => each !== 'prompt.entering' || stage.has('faults on command'));
    const [sent, expected]: [string[], string[]] = [[], []];
    for (const moment of moments) {
      const text = stage.script({ run: ': x' }, { say: moment });
      sent.push(text);
      const { position } = await stage.world.client.daemonStatus();
      const killed = killAt(stage, session.id, position, moment);
      const { prompt } = await session.prompt(text);
      await killed;
      await stage.world.start();
      const { met, reply } = await session.reply({ prompt, timeoutMs: 40_000 });
      expect([moment, met === 'unsure' || reply === moment, reply]).toEqual([moment, true, reply]);
      if (met === 'unsure') await session.drop(prompt);
      else expected.push(text);
      expect((await session.waitFor('idle', { timeoutMs: 30_000 })).met).toBe('idle');
    }
    await eventually(() => expected.every((text) => stage.received().includes(text)));
    const prompts = stage.received().filter((text) => sent.includes(text));
    expect(prompts).toEqual([...new Set(prompts)]);
    const answered = (await stage.events(session.id, 'prompt.answered')).map(({ body }) => String(body.prompt));
    expect(answered).toEqual([...new Set(answered)]);
    expect(answered.length).toBe(expected.length);
  };
}

/** The daemon is killed at every event of a prompt. */
export const MOMENT_STORIES: Stories = {
  'a daemon killed at any step of a prompt neither loses nor repeats it (turns)': momentsStory('turns'),
  'a daemon killed at any step of a prompt neither loses nor repeats it (live)': momentsStory('live'),
};
