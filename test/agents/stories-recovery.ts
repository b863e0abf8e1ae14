import { expect } from 'vitest';
import type { Stories, Story } from './stage.ts';
import type { TurnStep } from './under-test/agent.ts';

const WAIT_MS = 100_000;
/** No delay before a resume. */
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };

function pingStory(...before: readonly TurnStep[]): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    const session = await stage.startLive({ policy: { hang: { thinkMsMax: 3_000 } } });
    const text = stage.script(...before, { pings: 1 }, { say: 'awake again' });
    const { prompt } = await session.prompt(text);
    await stage.waitForEvent(session.id, 'turn.interrupting', 1, WAIT_MS);
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    expect([replied.met, replied.reply]).toEqual(['answered', 'awake again']);
    expect(await stage.eventNames(session.id, 'prompt.answered')).toHaveLength(1);
    expect((await session.show()).session.run).toBe(1);
  };
}

/** The model or a tool is silent. */
export const HANGS: Stories = {
  'a stream that only pings is a hang: reported with its signs, resumed and answered (turns)': async (open) => {
    const stage = await open(AT_ONCE);
    const text = stage.script({ pings: 1 }, { say: 'awake again' });
    // Longer than a real agent on a busy machine needs from its start to its first sign, the hook of its prompt.
    const bound = stage.has('fast starts') ? '6s' : '20s';
    const ran = await stage.cli(['run', '--name', 'silent', '--hang-after', bound, text]);
    expect([ran.status, ran.stdout], ran.stderr).toEqual([0, 'awake again\n']);
    const faults = (await stage.events('silent', 'run.faulted')).map(({ body }) => body.fault);
    expect(faults).toEqual([
      { kind: 'stalled', silentMs: expect.any(Number), signs: expect.arrayContaining(['no tool at work']) },
    ]);
    expect(await stage.eventNames('silent', 'prompt.answered')).toHaveLength(1);
  },

  'a stream that only pings is interrupted, and the turn is continued (live)': pingStory({ run: 'echo before' }),
  // A turn interrupted before any output removes its prompt from the conversation.
  'a stream that only pings from the start is interrupted, and the turn is continued (live)': pingStory(),

  'a command that is silent for longer than the model may be is not a hang, and the usage of the turn is counted':
    async (open) => {
      const stage = await open(AT_ONCE);
      // Longer than the detection of a hang takes: the bound, one line of the stream in between, two measurements. And
      // the bound is longer than a real agent on a busy machine needs until its first sign.
      const quiet = { run: 'echo quiet; sleep 24' };
      const bounds = ['--hang-after', '9s', '--tool-hang-after', '60s'];
      const ran = await stage.cli(['run', '--name', 'quiet', ...bounds, stage.script(quiet, { say: 'slept well' })]);
      expect([ran.status, ran.stdout], ran.stderr).toEqual([0, 'slept well\n']);
      expect(await stage.eventNames('quiet', 'run.faulted', 'turn.interrupting')).toEqual([]);
      const { run, usage } = (await stage.world.client.show('quiet')).session;
      expect([run, usage.turns, usage.tokens > 0]).toEqual([1, 1, true]);
      expect((usage.usd ?? 0) > 0).toBe(stage.has('prices'));
    },
};
