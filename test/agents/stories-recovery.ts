import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Session, StartInput } from '../../src/client/index.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { openModelProxy } from './model-proxy.ts';
import type { Stage, Stories, Story } from './stage.ts';
import type { TurnStep } from './under-test/agent.ts';

type Drive = 'turns' | 'live';

const WAIT_MS = 100_000;
/** No delay before a resume. */
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };

const startDriven = (stage: Stage, drive: Drive, input: StartInput = {}): Promise<Session> =>
  drive === 'live' ? stage.startLive(input) : stage.start(input);

/** A command that writes its pid, and appends to the log only if nothing did before. */
function appends(stage: Stage, more: string): TurnStep {
  // Short: a continuation quotes only the beginning of the prompt.
  const command = `d='${stage.root}'; echo $$ > $d/pid; grep -qs did $d/log || echo did >> $d/log; ${more}`;
  return { run: command };
}

function filesOf(stage: Stage): Record<'log' | 'pid' | 'go', string> {
  return { log: join(stage.root, 'log'), pid: join(stage.root, 'pid'), go: join(stage.root, 'go') };
}

async function childOf(stage: Stage): Promise<number> {
  const { log, pid } = filesOf(stage);
  await eventually(() => existsSync(log) && existsSync(pid), { what: 'the command', msMax: 20_000 });
  return Number(readFileSync(pid, 'utf8'));
}

function killStory(drive: Drive): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage);
    const { log, go } = filesOf(stage);
    const text = stage.script(appends(stage, 'until [ -e $d/go ]; do sleep 0.05; done'), appends(stage, 'true'), {
      say: 'once and for all',
    });
    const session = await startDriven(stage, drive, { env: proxy.env });
    const { prompt } = await session.prompt(text);
    const child = await childOf(stage);
    // A killed agent forgets what is not in its transcript yet.
    await eventually(() =>
      stage.transcripts().some((path) => readFileSync(path, 'utf8').includes(stage.agent.marks.called)),
    );
    const { conversation, pid } = (await session.show()).session;
    expect(isRunning(child)).toBe(true);
    const orphans: boolean[] = [];
    proxy.onRequest = () => orphans.push(isRunning(child));
    kill(pid);
    await stage.waitForEvent(session.id, 'run.starting', 2, WAIT_MS);
    writeFileSync(go, '');
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    expect([replied.met, replied.reply]).toEqual(['answered', expect.stringMatching(/^(once and for all|done)$/)]);
    expect(orphans.length).toBeGreaterThan(0);
    expect(orphans).not.toContain(true);
    const { session: now } = await session.show();
    expect([now.conversation, now.run, now.resumes]).toEqual([conversation, 2, 1]);
    await eventually(() => stage.received(conversation).length >= 2, { what: 'the continuation' });
    const [first, second, ...more] = stage.received(conversation);
    expect([first, more]).toEqual([text, []]);
    for (const words of ['continue where you left off', 'did >>', 'once and for all']) expect(second).toContain(words);
    expect(readFileSync(log, 'utf8')).toBe('did\n');
    expect(await stage.eventNames(session.id, 'prompt.answered')).toHaveLength(1);
  };
}

/** The agent is killed while its command runs. */
export const KILLED_IN_BASH: Stories = {
  'an agent killed while a command runs is resumed after its orphan is gone, and nothing is done twice (turns)':
    killStory('turns'),
  'an agent killed while a command runs is resumed after its orphan is gone, and nothing is done twice (live)':
    killStory('live'),
};

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
    const ran = await stage.cli(['run', '--name', 'silent', '--hang-after', '6s', text]);
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
