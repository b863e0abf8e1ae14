// The cost of a gate: how long an allowed call waits, how fast an answer takes effect, and how many hooks a daemon
// handles.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStage } from '../test/agents/stage.ts';
import { CLAUDE_NEWEST } from '../test/agents/under-test/claude.ts';
import { eventually } from '../test/eventually.ts';
import {
  type GateHooks,
  type GateWorld,
  gateWorld,
  hooksOf,
  payloadOf,
  runHook,
  writesWord,
} from '../test/fault/gate-world.ts';
import { story } from '../test/fault/recovery-world.ts';
import { ms, percentile, report, timeMs } from './measure.ts';

const CALLS = 300;
const ANSWERS = 200;
const SESSIONS = 5;
const HOOKS = 5_000;
const REAL_CALLS = 50;

/** The cost of a gate. */
export async function gate(): Promise<void> {
  await byRule();
  await byPerson();
  await sustained();
  if (CLAUDE_NEWEST.isHere()) await real();
}

/** Hooks are run as an agent runs them: by the shell, one after the other. */
async function byRule(): Promise<void> {
  await using place = await gateWorld();
  const hooks = await hooksOf(await idler(place, ['Bash']));
  const waited: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i < CALLS; i += 1) {
    bare.push(await timeMs(() => runHook('cat', {}).then(() => runHook('cat', {}))));
    waited.push(await timeMs(() => runHook(hooks.asks, payloadOf(`echo ${i}`, `toolu_${i}`)).then(() => go(hooks, i))));
  }
  const p99 = percentile(waited, 99);
  report('two hooks that only read, for comparison', both(bare), '', null);
  report(`allowed by a rule: the call waits, both questions, of ${CALLS}`, both(waited), 'p99 <= 25 ms', p99 <= 25);
}

/** From the moment a person approves until the agent makes its call. */
async function byPerson(): Promise<void> {
  await using place = await gateWorld();
  const hooks = await hooksOf(await idler(place, []));
  const took: number[] = [];
  for (let i = 0; i < ANSWERS; i += 1) {
    const asked = runHook(hooks.asks, payloadOf(`echo ${i}`, `toolu_${i}`));
    const [question] = await eventually(async () => {
      const open = await place.world.client.approvals.list({});
      return open.length === 1 && open;
    });
    took.push(
      await timeMs(async () => {
        const decided = place.world.client.approvals.decide(question?.id ?? '', true, { by: 'bench' });
        await asked;
        await go(hooks, i);
        await decided;
      }),
    );
  }
  const p99 = percentile(took, 99);
  report(`answer given -> agent continues, of ${ANSWERS}`, both(took), 'p99 <= 100 ms', p99 <= 100);
}

/** The second question, after which the call is made. */
async function go({ confirms }: GateHooks, i: number): Promise<void> {
  const said = await runHook(confirms, payloadOf(`echo ${i}`, null));
  if (!said.includes('"allow"')) throw new Error(`call ${i} was not let through: ${said}`);
}

/** Claude Code itself records how long its hooks took, but not for the second question. */
async function real(): Promise<void> {
  await using stage = await openStage(CLAUDE_NEWEST);
  const steps = Array.from({ length: REAL_CALLS }, (_, i) => writesWord(`w${i}`));
  const session = await stage.start({
    gate: { mode: 'gate', allow: ['Bash'] },
    prompt: story(...steps, { text: 'bye' }),
  });
  await stage.waitForEvent(session.id, 'prompt.answered', 1, 120_000);
  const took = stage.transcripts().flatMap((path) => readFileSync(path, 'utf8').split('\n').flatMap(hookMs));
  const name = `allowed by a rule: the first question, as ${CLAUDE_NEWEST.title} has it, of ${took.length}`;
  report(name, both(took), '', null);
}

function hookMs(line: string): number[] {
  if (!line.includes('"hook_success"')) return [];
  const { attachment } = JSON.parse(line);
  return attachment?.hookEvent === 'PreToolUse' ? [Number(attachment.durationMs)] : [];
}

/** Everything that hooks would report, ready in the spools of working agents. */
async function sustained(): Promise<void> {
  await using place = await gateWorld();
  const { state } = place.world;
  const agents = await Promise.all(Array.from({ length: SESSIONS }, () => idler(place, [])));
  const spools = agents.map(({ session }) => join(state, 'sessions', session.id, 'runs/1/spool'));
  const isEmpty = (): boolean => spools.every((spool) => readdirSync(spool).length === 0);
  await eventually(isEmpty);
  for (const spool of spools) fill(`${spool}.ready`, HOOKS / SESSIONS);
  const took = await timeMs(async () => {
    for (const spool of spools) renameSync(`${spool}.ready`, spool);
    for (const { session } of agents) writeFileSync(join(state, 'news', `${session.id}.1`), '');
    await eventually(isEmpty, { msMax: 120_000, what: 'empty spools' });
  });
  const rate = (HOOKS / took) * 1_000;
  const said = `${Math.round(rate)}/s (${HOOKS} in ${ms(took)})`;
  report(`hooks ingested into the journal, ${SESSIONS} sessions`, said, '>= 1,000/s', rate >= 1_000);
  for (const { events, session } of agents) {
    const ingested = (await events('subagent.started', 'subagent.ended')).length;
    if (ingested !== HOOKS / SESSIONS) throw new Error(`${session.id} took ${ingested} hooks`);
  }
}

function fill(spool: string, count: number): void {
  mkdirSync(spool, { recursive: true });
  for (let i = 0; i < count; i += 1) {
    const hook_event_name = i % 2 === 0 ? 'SubagentStart' : 'SubagentStop';
    const about = { agent_id: `a${i >> 1}`, agent_type: 'general-purpose', transcript_path: '/t', session_id: 'c1' };
    writeFileSync(join(spool, `${1_000_000 + i}.0.tmp`), JSON.stringify({ hook_event_name, ...about }));
    writeFileSync(join(spool, `${1_000_000 + i}.0`), '');
  }
}

/** An agent that thinks, while we run its hooks in its place. */
async function idler(place: GateWorld, allow: readonly string[]) {
  const agent = await place.agent({ steps: [{ delayMs: 600_000, text: 'never' }], allow });
  await eventually(async () => (await agent.session.show()).session.phase === 'working', { msMax: 30_000 });
  return agent;
}

function both(values: readonly number[]): string {
  return `p50 ${ms(percentile(values, 50))}, p99 ${ms(percentile(values, 99))}`;
}
