import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SessionView } from '../../src/api/shapes.ts';
import { realClock } from '../../src/base/clock.ts';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { type Agent, bash, type RecoveryWorld, recoveryWorld, story, timed } from './recovery-world.ts';

/** The load, and how often the daemon is killed. */
export interface LoadPlan {
  readonly sessions: number;
  readonly kills: number;
  readonly perSecond: number;
}

/** The result. */
export interface Tally {
  readonly operations: number;
  readonly acknowledged: number;
  /** Acknowledged, but without effect. */
  readonly lost: number;
  /** With an effect that happened twice. */
  readonly doubled: number;
  /** From the start of each new daemon until it had adopted all sessions with their processes. */
  readonly adoptedMs: readonly number[];
  /** How long a bare Node took to start right before each of them: how busy the machine was. */
  readonly bareMs: readonly number[];
}

interface LoadSessions {
  readonly place: RecoveryWorld;
  readonly ledger: string;
  /** Commands that record their input. */
  readonly recorders: readonly Session[];
  /** Live agents. */
  readonly live: readonly Agent[];
  /** Agents with one process per turn. */
  readonly turnAgents: readonly Agent[];
}

/** One session in five is a live agent. */
const LIVE_SHARE = 5;
/** The number of agents that get prompts, and how rarely they do: each prompt costs a process. */
const TURN_AGENTS = 4;
const PROMPT_EVERY = 40;

/** Kills the daemon again and again while its sessions run and its callers keep calling. */
export async function killUnderLoad(plan: LoadPlan): Promise<Tally> {
  await using place = await recoveryWorld();
  const sessions = await startSessions(place, plan.sessions);
  const before = await pidsOf(sessions);
  const load = new Load(sessions, plan.perSecond);
  const adoptedMs: number[] = [];
  const bareMs: number[] = [];
  for (let kill = 0; kill < plan.kills; kill += 1) {
    const more = load.acknowledged.length + plan.perSecond;
    await eventually(() => load.acknowledged.length >= more, { msMax: 60_000, what: 'work between two kills' });
    await place.world.kill();
    bareMs.push((await timed(() => promisify(execFile)(process.execPath, ['-e', '0']))).ms);
    const { ms } = await timed(async () => {
      await place.world.start();
      await eventually(async () => (await pidsOf(sessions)) === before, {
        msMax: 60_000,
        what: 'all sessions as before',
      });
    });
    adoptedMs.push(ms);
  }
  await load.stop();
  await settle(sessions, load);
  return { ...load.judge(readLines(sessions.ledger)), operations: load.count, adoptedMs, bareMs };
}

async function startSessions(place: RecoveryWorld, sessions: number): Promise<LoadSessions> {
  const folder = mkdtempSync(join(place.world.state, 'load-'));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const agents = Math.max(1, Math.floor(sessions / LIVE_SHARE));
  const line = `while read -r word; do echo "$word" >> '${ledger}'; done`;
  const recorders = await Promise.all(
    Array.from({ length: sessions - agents }, () =>
      place.world.client.start({ argv: ['sh', '-c', line], stdin: 'open' }),
    ),
  );
  const live: Agent[] = [];
  for (let i = 0; i < agents; i += 1) {
    const agent = await place.agent({ live: true });
    await agent.session.wait({ for: 'idle', timeoutMs: 60_000 });
    live.push(agent);
  }
  const turnAgents = await Promise.all(Array.from({ length: TURN_AGENTS }, () => place.agent({})));
  return { place, ledger, recorders, live, turnAgents };
}

/** The pid of each session; empty while one has none. */
async function pidsOf({ place, recorders, live }: LoadSessions): Promise<string> {
  const { sessions } = await place.world.client.list({ state: 'live', limit: 1_000 });
  const byId = new Map(sessions.map((view) => [view.id, view]));
  const views = [...recorders, ...live.map(({ session }) => session)].map(({ id }) => byId.get(id));
  const isUp = (view: SessionView | undefined): boolean => view?.pid != null && view.run === 1;
  return views.every(isUp) ? views.map((view) => `${view?.id}:${view?.pid}`).join() : '';
}

/** Makes calls at a steady pace, whether or not they are answered. */
class Load {
  readonly acknowledged: string[] = [];
  readonly prompts: { readonly session: Session; readonly prompt: string }[] = [];
  readonly #sessions: LoadSessions;
  readonly #paced: Promise<void>;
  readonly #open = new Set<Promise<void>>();
  #isOn = true;
  count = 0;

  constructor(sessions: LoadSessions, perSecond: number) {
    this.#sessions = sessions;
    this.#paced = this.#pace(1_000 / perSecond);
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    await this.#paced;
    await Promise.all(this.#open);
  }

  /** Compares the acknowledged calls with their effects. */
  judge(lines: readonly string[]): Pick<Tally, 'acknowledged' | 'lost' | 'doubled'> {
    const kept = new Set(lines);
    const lost = this.acknowledged.filter((word) => word !== READ && !kept.has(word)).length;
    return { acknowledged: this.acknowledged.length, lost, doubled: lines.length - kept.size };
  }

  async #pace(everyMs: number): Promise<void> {
    const clock = realClock();
    const beganMs = clock.steadyMs();
    while (this.#isOn) {
      this.#ask(this.count);
      this.count += 1;
      await clock.sleep(Math.max(0, beganMs + this.count * everyMs - clock.steadyMs()));
    }
  }

  #ask(i: number): void {
    const asked = this.#operation(i).then(
      (word) => void this.acknowledged.push(word),
      () => {}, // Refused, or accepted and the answer was lost: the effect may have happened once, never twice.
    );
    this.#open.add(asked);
    void asked.finally(() => this.#open.delete(asked));
  }

  async #operation(i: number): Promise<string> {
    const { place, ledger, recorders, turnAgents } = this.#sessions;
    const word = `word-${i}`;
    if (i % PROMPT_EVERY === 0) return this.#prompt(turnAgents[(i / PROMPT_EVERY) % TURN_AGENTS], word);
    switch (i % 4) {
      case 0:
        await place.world.client.start({ argv: ['sh', '-c', `echo ${word} >> '${ledger}'`], key: word });
        return word;
      case 1:
        await recorders[i % recorders.length]?.write({ base64: Buffer.from(`${word}\n`).toString('base64') });
        return word;
      case 2:
        await place.world.client.list({ state: 'live' });
        return READ;
      default:
        await recorders[i % recorders.length]?.show();
        return READ;
    }
  }

  async #prompt(agent: Agent | undefined, word: string): Promise<string> {
    const text = story(bash(`echo ${word} >> '${this.#sessions.ledger}'`), { text: 'written' });
    const session = agent?.session;
    if (session === undefined) return READ;
    const { prompt } = await session.prompt(text);
    this.prompts.push({ session, prompt });
    return word;
  }
}

/** A call that changes nothing. */
const READ = 'read';

/** Lets everything finish, and checks that adopted sessions accept input. */
async function settle({ place, recorders, live }: LoadSessions, load: Load): Promise<void> {
  for (const { session, prompt } of load.prompts) await session.reply({ prompt, timeoutMs: 120_000 });
  for (const { session } of live) {
    const { reply } = await session.converse(story({ text: 'still here' }), { timeoutMs: 60_000 });
    if (reply !== 'still here') throw new Error(`${session.id} says ${reply}`);
  }
  await Promise.all(
    recorders.map(async (session) => {
      await session.write({ eof: true });
      await session.wait({ timeoutMs: 60_000 });
    }),
  );
  const isQuiet = async (): Promise<boolean> => {
    const { sessions } = await place.world.client.list({ state: 'live', limit: 1_000 });
    return sessions.every(({ agent }) => agent !== 'command');
  };
  await eventually(isQuiet, { msMax: 60_000, what: 'the end of all commands' });
}

function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}
