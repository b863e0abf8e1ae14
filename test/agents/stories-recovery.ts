import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Session, StartInput } from '../../src/client/index.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { openGate } from './gate.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

type Drive = 'turns' | 'live';

const WAIT_MS = 40_000;
/** Nothing here has to wait for a pause. */
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };

const begun = (stage: Stage, drive: Drive, input: StartInput = {}): Promise<Session> =>
  drive === 'live' ? stage.live(input) : stage.start(input);

/** A command that does its work only if it is not done, and tells which process it is. */
function appends(stage: Stage, more: string): object {
  const { log, pid } = filesOf(stage);
  const command = `echo $$ > '${pid}'; grep -qs did '${log}' || echo did >> '${log}'; ${more}`;
  return { tool: 'Bash', input: { command, description: 'appends' } };
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
    await using gate = await openGate(stage);
    const { log, go } = filesOf(stage);
    const text = script(appends(stage, `until [ -e '${go}' ]; do sleep 0.05; done`), appends(stage, 'true'), {
      text: 'once and for all',
    });
    const session = await begun(stage, drive, { env: gate.env });
    const { prompt } = await session.prompt(text);
    const child = await childOf(stage);
    // What the agent has not written down yet it forgets when it is killed.
    await eventually(() => stage.transcripts().some((path) => readFileSync(path, 'utf8').includes('"tool_use"')));
    const { conversation, pid } = (await session.show()).session;
    expect(isRunning(child)).toBe(true);
    const orphans: boolean[] = [];
    gate.onAsked = () => orphans.push(isRunning(child));
    kill(pid);
    await stage.happens(session.id, 'run.starting', 2, WAIT_MS);
    writeFileSync(go, '');
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    expect([replied.met, replied.reply]).toEqual(['answered', expect.stringMatching(/^(once and for all|done)$/)]);
    expect(orphans.length).toBeGreaterThan(0);
    expect(orphans).not.toContain(true);
    const { session: now } = await session.show();
    expect([now.conversation, now.run, now.resumes]).toEqual([conversation, 2, 1]);
    await eventually(() => stage.heard(conversation).length >= 2, { what: 'the continuation' });
    const [first, second, ...more] = stage.heard(conversation);
    expect([first, more]).toEqual([text, []]);
    for (const words of ['continue where you left off', 'Bash', 'did >>', 'once and for all'])
      expect(second).toContain(words);
    expect(readFileSync(log, 'utf8')).toBe('did\n');
    expect(await stage.names(session.id, 'prompt.answered')).toHaveLength(1);
  };
}

/** The agent is killed while a command of it runs. */
export const KILLED_IN_BASH: Stories = {
  'killed while a command runs: its orphan is gone first, the conversation goes on, nothing is done twice (turns)':
    killStory('turns'),
  'killed while a command runs: its orphan is gone first, the conversation goes on, nothing is done twice (live)':
    killStory('live'),
};

function pingStory(...before: readonly object[]): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    const session = await stage.live({ policy: { hang: { thinkMsMax: 3_000 } } });
    const text = script(...before, { hang: 'pings', times: 1 }, { text: 'awake again' });
    const { prompt } = await session.prompt(text);
    await stage.happens(session.id, 'turn.interrupting', 1, WAIT_MS);
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    expect([replied.met, replied.reply]).toEqual(['answered', 'awake again']);
    expect(await stage.names(session.id, 'prompt.answered')).toHaveLength(1);
    expect((await session.show()).session.run).toBe(1);
  };
}

/** The model falls silent, or a tool does. */
export const HANGS: Stories = {
  'a stream that only pings is a hang: told with its signs, resumed and answered (turns)': async (open) => {
    const stage = await open(AT_ONCE);
    const text = script({ hang: 'pings', times: 1 }, { text: 'awake again' });
    // More than a real agent needs on a busy machine from its start to the hook of its prompt, its first sign.
    const ran = await stage.cli(['run', '--name', 'silent', '--hang-after', '6s', text]);
    expect([ran.status, ran.stdout], ran.stderr).toEqual([0, 'awake again\n']);
    const faults = (await stage.events('silent', 'run.faulted')).map(({ body }) => body.fault);
    expect(faults).toEqual([
      { kind: 'stalled', silentMs: expect.any(Number), signs: expect.arrayContaining(['no tool at work']) },
    ]);
    expect(await stage.names('silent', 'prompt.answered')).toHaveLength(1);
  },

  'a stream that only pings is interrupted and taken up again (live)': pingStory({
    tool: 'Bash',
    input: { command: 'echo before', description: 'says so' },
  }),
  // A turn that is interrupted before any output takes its prompt out of the conversation.
  'a stream that only pings from the first word on is interrupted and taken up again (live)': pingStory(),

  'a command that is quiet for longer than a thought may be is no hang, and what the turn used is counted': async (
    open,
  ) => {
    const stage = await open(AT_ONCE);
    // Longer than it takes to be sure of a hang: the bound, one line of the stream in between, two measurements. And
    // the bound is more than a real agent needs on a busy machine until its first sign.
    const quiet = { tool: 'Bash', input: { command: 'echo quiet; sleep 24', description: 'sleeps' } };
    const bounds = ['--hang-after', '9s', '--tool-hang-after', '60s'];
    const ran = await stage.cli(['run', '--name', 'quiet', ...bounds, script(quiet, { text: 'slept well' })]);
    expect([ran.status, ran.stdout], ran.stderr).toEqual([0, 'slept well\n']);
    expect(await stage.names('quiet', 'run.faulted', 'turn.interrupting')).toEqual([]);
    const { run, usage } = (await stage.world.client.show('quiet')).session;
    expect([run, usage.turns, usage.tokens > 0, (usage.usd ?? 0) > 0]).toEqual([1, 1, true, true]);
  },
};
