// Each real agent, driven by Outlast beside the same agent started by hand, against a scripted model on loopback.
import { existsSync, statSync } from 'node:fs';
import type { Session } from '../src/client/index.ts';
import type { SessionId } from '../src/core/session.ts';
import { runFolder } from '../src/terminal/run-folder.ts';
import { openStage, type Stage } from '../test/agents/stage.ts';
import type { AgentUnderTest } from '../test/agents/under-test/agent.ts';
import { AGENTS_UNDER_TEST } from '../test/agents/under-test/all.ts';
import { firstLack } from '../test/agents/under-test/needs.ts';
import { isRunning } from '../test/e2e/live.ts';
import { eventually } from '../test/eventually.ts';
import { ByHand } from './by-hand.ts';
import { ms, percentile, report, share, times } from './measure.ts';

const { CLAUDE_NEWEST, CODEX_0_169, OPENCODE_1_18, QWEN_0_24, COPILOT_1_0, PI_0_87, GEMINI_0_61, GOOSE_1_52 } =
  AGENTS_UNDER_TEST;

/** The newest version of each agent. */
const REAL: readonly AgentUnderTest[] = [
  ...[CLAUDE_NEWEST, CODEX_0_169, QWEN_0_24, COPILOT_1_0, PI_0_87, GEMINI_0_61, GOOSE_1_52, OPENCODE_1_18],
];

const TURNS = 12;
/** A host resumes twenty times in ten minutes before it asks a person: each stage is a host of its own. */
const STAGES = 2;
const KILLS = 10;
const WAIT_MS = 120_000;
const POLICY = { backoff: { msMin: 0, msMax: 0 }, resumes: { max: 1_000, windowMax: 20 } };

/**
 * How long a turn took until its reply was there, which by hand is the end of its process; and until its prompt was
 * accepted, which by hand is until it was reported.
 */
interface Turn {
  readonly tookMs: number;
  readonly promptedMs: number;
  /** Until its process was gone. */
  readonly goneMs: number;
}

/** Turns of the same agent, in turns. */
interface Pairs {
  readonly ours: Turn[];
  readonly byHand: Turn[];
}

/** A turn, the acceptance of its prompt, and the next process after a kill, of every agent that is installed. */
export async function agents(tried: readonly AgentUnderTest[] = REAL): Promise<void> {
  for (const agent of tried.filter((each) => each.isHere())) {
    const { ours, byHand } = await pairsOf(agent);
    reportTurn(agent, ours, byHand);
    reportAccepted(agent, ours, byHand);
    const took: number[] = [];
    for (let i = 0; i < share(STAGES); i += 1) took.push(...(await killed(agent)));
    const [p50, p99] = [percentile(took, 50), percentile(took, 99)];
    const value = `p50 ${ms(p50)}, p99 ${ms(p99)} of ${took.length}`;
    report(`${agent.title}: killed in a turn -> next process runs`, value, 'p99 <= 1 s', p99 <= 1_000);
  }
}

function reportTurn({ title }: AgentUnderTest, ours: readonly Turn[], byHand: readonly Turn[]): void {
  const [mine, hand] = [ours, byHand].map((turns) => median(turns.map(({ tookMs }) => tookMs))) as [number, number];
  const gone = median(ours.map(({ goneMs }) => goneMs));
  const value = `${times(mine / hand)} (${ms(mine)}, process gone: ${ms(gone)} / ${ms(hand)})`;
  report(`${title}: a turn / the same by hand`, value, '<= 1.1x', mine / hand <= 1.1);
}

/** Its own time is that of a typical turn by hand, so that a slow one does not hide ours. */
function reportAccepted({ title }: AgentUnderTest, ours: readonly Turn[], byHand: readonly Turn[]): void {
  const known = byHand.flatMap(({ promptedMs }) => (Number.isNaN(promptedMs) ? [] : [promptedMs]));
  const own = known.length === 0 ? 0 : median(known);
  const p95 =
    percentile(
      ours.map(({ promptedMs }) => promptedMs),
      95,
    ) - own;
  const value = `p95 ${ms(p95)} (its own: ${known.length === 0 ? 'not reported' : ms(own)})`;
  report(`${title}: prompt -> accepted, beyond its own time`, value, 'p95 <= 1 s', p95 <= 1_000);
}

const median = (values: readonly number[]): number => percentile(values, 50);

/** Turns of ours and by hand, one after the other, in one home and with one model. */
async function pairsOf(agent: AgentUnderTest): Promise<Pairs> {
  await using stage = await openStage(agent);
  const hand = new ByHand(stage);
  const [ours, byHand]: [Turn[], Turn[]] = [[], []];
  const session = await startAgent(stage);
  const text = (reply: string): string => stage.script({ say: reply });
  // The first ones run with a cold cache, and open the conversations.
  await hand.turn(text('hand'), 'hand');
  await turnOfOurs(stage, session, text('ours'));
  for (let i = 0; i < share(TURNS); i += 1) {
    byHand.push(await hand.turn(text(`hand ${i}`), `hand ${i}`));
    ours.push(await turnOfOurs(stage, session, text(`ours ${i}`)));
  }
  return { ours, byHand };
}

function hasTurns(agent: AgentUnderTest): boolean {
  return firstLack(agent, ['turns']) === null;
}

function startAgent(stage: Stage, policy = {}): Promise<Session> {
  return stage.startDriven(hasTurns(stage.agent) ? 'turns' : 'live', { policy });
}

/**
 * A turn of a process of its own. An agent that has no such process is started for it, in a
 * session that ends with its reply, as by hand; how soon a prompt is accepted is seen in the session that stays.
 */
async function turnOfOurs(stage: Stage, session: Session, text: string): Promise<Turn> {
  if (hasTurns(stage.agent)) return turnOf(stage, session, text);
  const { name: agent } = stage.agent;
  const beganMs = Date.now();
  await stage.world.client.run(text, { agent, cwd: stage.workspace, env: stage.env });
  const tookMs = Date.now() - beganMs;
  const askedMs = Date.now();
  const { prompt } = await session.converse(text, { timeoutMs: WAIT_MS });
  return { tookMs, goneMs: tookMs, promptedMs: (await acceptedMs(stage, session, prompt ?? '')) - askedMs };
}

async function turnOf(stage: Stage, session: Session, text: string): Promise<Turn> {
  const askedMs = Date.now();
  const { met, prompt } = await session.converse(text, { timeoutMs: WAIT_MS });
  const repliedMs = Date.now();
  if (met !== 'answered') throw new Error(`${stage.agent.title} gave no reply: ${met}`);
  const { run } = (await session.show()).session;
  const { exit } = runFolder(stage.world.state, { session: session.id as SessionId, run: run ?? 0 });
  await eventually(() => existsSync(exit), { what: 'the end of a turn', msMax: WAIT_MS });
  const goneMs = Math.max(repliedMs, statSync(exit).mtimeMs) - askedMs;
  await session.waitFor('idle', { timeoutMs: WAIT_MS });
  const promptedMs = (await acceptedMs(stage, session, prompt ?? '')) - askedMs;
  return { tookMs: repliedMs - askedMs, goneMs, promptedMs };
}

async function acceptedMs(stage: Stage, session: Session, prompt: string): Promise<number> {
  const accepted = await stage.events(session.id, 'prompt.accepted');
  return Date.parse(accepted.find(({ body }) => body.prompt === prompt)?.ts ?? '');
}

/** Kills an agent whenever it has asked its model, and measures until its next process runs. */
async function killed(agent: AgentUnderTest): Promise<number[]> {
  await using stage = await openStage(agent);
  const session = await startAgent(stage, POLICY);
  await session.converse(stage.script({ say: 'begun' }), { timeoutMs: WAIT_MS });
  const { conversation, run: before } = (await session.show()).session;
  let asked = requestsOf(stage);
  await session.prompt(stage.script({ silent: true }));
  const took: number[] = [];
  let last = before ?? 0;
  if (!hasTurns(agent)) last -= 1;
  for (let i = 0; i < share(KILLS); i += 1) {
    const { pid, run } = await processAfter(session, last);
    await eventually(() => requestsOf(stage) > asked, { what: 'a turn that waits for its model', msMax: WAIT_MS });
    asked = requestsOf(stage);
    took.push(await nextProcessMs(stage, session, pid, run));
    last = run;
  }
  const now = (await session.show()).session;
  if (now.conversation !== conversation) throw new Error(`${agent.title} went on in another conversation`);
  return took;
}

function requestsOf({ model }: Stage): number {
  return model?.requests().length ?? 0;
}

function processAfter(session: Session, last: number): Promise<{ pid: number; run: number }> {
  const look = async () => {
    const { run, pid } = (await session.show()).session;
    return run !== null && run > last && pid !== null && { pid, run };
  };
  return eventually(look, { what: 'a process', msMax: WAIT_MS });
}

/** Until the next process has written down who it is, which it does right before it becomes the agent. */
async function nextProcessMs(stage: Stage, session: Session, pid: number, run: number): Promise<number> {
  const { command } = runFolder(stage.world.state, { session: session.id as SessionId, run: run + 1 });
  const killedMs = Date.now();
  process.kill(pid, 'SIGKILL');
  await eventually(() => existsSync(command), { what: 'the next process', msMax: WAIT_MS });
  const tookMs = statSync(command).mtimeMs - killedMs;
  const next = await processAfter(session, run);
  if (!isRunning(next.pid)) throw new Error(`${stage.agent.title}: its next process is gone`);
  return tookMs;
}
