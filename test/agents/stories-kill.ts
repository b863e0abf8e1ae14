import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { tried } from '../campaign.ts';
import { isRunning } from '../e2e/live.ts';
import type { ModelRequest } from '../e2e-real/model-server.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { openModelProxy } from './model-proxy.ts';
import type { Stage, Stories, Story } from './stage.ts';
import type { TurnStep } from './under-test/agent.ts';

type Drive = 'turns' | 'live';

const SAID = 'one two three four five six seven eight nine ten';
// Gemini CLI waits for the next minute before it loads a conversation again.
const WAIT_MS = 120_000;

/** A moment of a turn. */
interface Moment {
  readonly steps: readonly TurnStep[];
  /** The calls that the turn makes. */
  readonly calls: readonly string[];
  readonly isInCall?: true;
  /** Evidence that it has come. `asked`: the requests of the turn to the model. */
  hasCome(stage: Stage, asked: readonly ModelRequest[]): boolean;
}

/** A call appends one line to the ledger. Short: a continuation quotes only the beginning of the prompt. */
const append = (word: string, more = '') => ({ run: `echo $$>../pid; echo ${word}>>../ledger${more}` });

const MOMENTS: Readonly<Record<string, Moment>> = {
  'before the first byte of its answer': {
    steps: [{ say: SAID, held: 'whole' }],
    calls: [],
    hasCome: (_, asked) => asked.length > 0,
  },
  'in the middle of its answer': {
    steps: [{ say: SAID, pace: 0, held: 'half' }],
    calls: [],
    hasCome: (_, asked) => asked.some(({ sent }) => sent === 'half'),
  },
  'in a call': {
    steps: [append('one', '; until [ -e ../go ]; do sleep 0.1; done'), { say: SAID }],
    calls: ['one'],
    isInCall: true,
    hasCome: (stage) => ledgerOf(stage).length === 1,
  },
  'between two calls': {
    steps: [append('one'), { ...append('two'), held: 'whole' }, { say: SAID }],
    calls: ['one', 'two'],
    hasCome: (_, asked) => asked.some(({ step }) => step === 1),
  },
  'right after a call': {
    steps: [append('one'), { say: SAID, delayMs: 500 }],
    calls: ['one'],
    hasCome: (stage) => ledgerOf(stage).length === 1 && !isCallRunning(stage),
  },
  'right after its reply': {
    steps: [append('one'), { say: SAID }],
    calls: ['one'],
    hasCome: (_, asked) => asked.some(({ step, sent }) => step === 1 && sent === 'whole'),
  },
};

/** Who is killed, and how. */
interface Death {
  readonly signal: NodeJS.Signals;
  readonly withDaemon: boolean;
}

const DEATHS: Readonly<Record<string, Death>> = {
  'an agent killed': { signal: 'SIGKILL', withDaemon: false },
  'an agent terminated': { signal: 'SIGTERM', withDaemon: false },
  'a daemon and an agent killed together': { signal: 'SIGKILL', withDaemon: true },
};

async function die(stage: Stage, agent: number, { signal, withDaemon }: Death): Promise<void> {
  const gone = withDaemon ? stage.world.kill() : null;
  // It may have ended by itself.
  if (isRunning(agent)) {
    kill(agent, signal);
    tried('kills of real agents', 1);
  }
  await gone;
  if (withDaemon) await stage.world.start();
  // Some agents finish their turn before they give in to a signal.
  await eventually(() => !isRunning(agent), { msMax: 5_000 }).catch(() => {
    stage.model?.goOn();
    writeFileSync(join(stage.root, 'go'), '');
  });
}

function killStory(moment: Moment, death: Death, drive: Drive): Story {
  return async (open) => {
    // No delay before a resume.
    const stage = await open({ config: { policy: { backoff: { msMin: 0 } } } });
    await using proxy = await openModelProxy(stage);
    const session = await stage.startDriven(drive, { env: proxy.env });
    const text = stage.script(...moment.steps);
    const { prompt } = await session.prompt(text);
    const asked = (): ModelRequest[] => (stage.model?.requests() ?? []).filter(({ step }) => step !== null);
    await eventually(() => moment.hasCome(stage, asked()), { what: 'the moment', msMax: WAIT_MS });
    const { pid } = (await session.show()).session;
    const orphans: boolean[] = [];
    proxy.onRequest = () => orphans.push(isCallRunning(stage));
    if (pid !== null) await die(stage, pid, death);
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    // The model says `done` to an agent that has heard the whole reply.
    expect([replied.met, replied.reply]).toEqual(['answered', expect.stringMatching(`^(${SAID}|done)$`)]);
    expect(ledgerOf(stage)).toEqual(moment.calls);
    expect(orphans).not.toContain(true);
    await expectSentOnce(stage, session.id);
    // An agent may answer before it has written its prompt down.
    if (moment.isInCall === true && death.signal === 'SIGKILL')
      await eventually(() => NAMES_CALL.test(stage.received().at(-1) ?? ''), { what: 'the calls in the continuation' });
    await expectHeardOnce(stage, (await session.show()).session.conversation, text);
    await session.stop();
    await eventually(() => stage.processes().length === 0, { what: 'the end of every process' });
  };
}

const NAMES_CALL = /not known what became of these tool calls.*\n- .*echo one[\s\S]*You had been asked:/;

/** No process got the prompt or its continuation twice, and there is one reply. */
async function expectSentOnce(stage: Stage, session: string): Promise<void> {
  const events = await stage.events(session, 'prompt.sending', 'prompt.answered', 'prompt.unsure');
  const runs = events.flatMap(({ event, body }) => (event === 'prompt.sending' ? [body.run] : []));
  expect(runs).toEqual([...new Set(runs)]);
  expect(events.slice(runs.length).map(({ event }) => event)).toEqual(['prompt.answered']);
}

/** No other conversation has the prompt; in this one a continuation follows it or has its place. */
async function expectHeardOnce(stage: Stage, conversation: string | null, text: string): Promise<void> {
  const all = await eventually(() => stage.received().length > 0 && stage.received(), { what: 'a record' });
  expect(stage.received(conversation)).toEqual(all);
  const [first = '', ...more] = all.map((each) => (each.includes('continue where you left off') ? 'continue' : each));
  expect([[first === 'continue' ? text : first], more]).toEqual([[text], more.length === 0 ? [] : ['continue']]);
}

function ledgerOf({ root }: Stage): string[] {
  const path = join(root, 'ledger');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

function isCallRunning({ root }: Stage): boolean {
  const path = join(root, 'pid');
  return existsSync(path) && isRunning(Number(readFileSync(path, 'utf8')));
}

const DRIVES: readonly Drive[] = ['turns', 'live'];

/** A real agent is killed at each moment of a turn, in each way. */
export const KILLS: Stories = Object.fromEntries(
  Object.entries(MOMENTS).flatMap(([when, moment]) =>
    Object.entries(DEATHS).flatMap(([who, death]) =>
      DRIVES.map((drive) => [
        `${who} ${when}: one conversation, one reply, and nothing is done twice (${drive})`,
        killStory(moment, death, drive),
      ]),
    ),
  ),
);
