// How long recovery takes: of agents that are killed or hang, and of a daemon killed under load.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../src/client/index.ts';
import { CLAUDE_NEWEST, NEWEST_CLAUDE } from '../test/agents/under-test/claude.ts';
import { environment, installAgent } from '../test/agents/under-test/claude-home.ts';
import { startModelServer } from '../test/e2e-real/model-server.ts';
import { eventually } from '../test/eventually.ts';
import { mark, recoveryWorld } from '../test/fault/recovery-world.ts';
import { killUnderLoad } from '../test/fault/under-load.ts';
import { makeWorld } from '../test/world.ts';
import { ms, percentile, report, timeMs } from './measure.ts';

/** A host resumes twenty times in ten minutes before it asks a person: each world is a host of its own. */
const WORLDS = 6;
const KILLS = 9;
const REAL_KILLS = 5;
const HANGS = 5;
const THINK_MS = 2_000;
const POLICY = { backoff: { msMin: 0, msMax: 0 }, resumes: { max: 1_000, windowMax: 20 } };

/** Killed agents, hung agents, and a killed daemon. */
export async function recovery(): Promise<void> {
  await scripted();
  if (CLAUDE_NEWEST.isHere()) await real();
  await hangs();
  await load();
}

async function scripted(): Promise<void> {
  const took = { live: [] as number[], turns: [] as number[] };
  const bare: number[] = [];
  for (let i = 0; i < WORLDS; i += 1) {
    await using place = await recoveryWorld();
    const steps = [{ delayMs: 600_000, text: 'never' }];
    const live = await place.agent({ live: true, policy: POLICY });
    const turns = await place.agent({ steps, policy: POLICY, manners: { flushMs: 0 } });
    bare.push(await timeMs(() => spawnSync(process.execPath, ['-e', '0'])));
    took.live.push(...(await killed(live.session, 'idle', KILLS)));
    took.turns.push(...(await killed(turns.session, 'working', KILLS)));
  }
  // Shows whether the machine is busy with something else.
  report('a bare node -e 0, for comparison', `p50 ${ms(percentile(bare, 50))}`, '', null);
  for (const [drive, times] of Object.entries(took)) resumed(`agent killed (${drive}) -> resumed process runs`, times);
}

async function real(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'outlast-bench-'));
  const server = await startModelServer();
  try {
    await using world = await makeWorld();
    for (const name of ['bin', 'home', 'config', 'workspace']) mkdirSync(join(root, name));
    installAgent(root, NEWEST_CLAUDE, false);
    const [env, cwd] = [environment(root, server.url), join(root, 'workspace')];
    const wish = { agent: 'claude', drive: 'live', cwd, env, trust: true, policy: POLICY } as const;
    const session = await world.client.start(wish);
    await session.wait({ for: 'idle', timeoutMs: 60_000 });
    await session.converse('say hello');
    resumed(`the same with ${CLAUDE_NEWEST.title} (live)`, await killed(session, 'idle', REAL_KILLS));
    await session.stop();
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function resumed(name: string, took: readonly number[]): void {
  const [p50, p99] = [percentile(took, 50), percentile(took, 99)];
  report(name, `p50 ${ms(p50)}, p99 ${ms(p99)} of ${took.length}`, 'p99 <= 1 s', p99 <= 1_000);
}

/** Kills an agent whenever it reaches the phase, and measures until it has its next process. */
async function killed(session: Session, phase: string, kills: number): Promise<number[]> {
  const took: number[] = [];
  for (let i = 0; i < kills; i += 1) {
    const { pid, run } = await eventually(
      async () => {
        const { session: view } = await session.show();
        return view.phase === phase && view.pid !== null && { pid: view.pid, run: view.run };
      },
      { msMax: 60_000, what: `an agent that is ${phase}` },
    );
    const isBack = async (): Promise<boolean> => {
      const { session: view } = await session.show();
      return (view.run ?? 0) > (run ?? 0) && view.pid !== null;
    };
    took.push(
      await timeMs(() => {
        process.kill(pid, 'SIGKILL');
        return eventually(isBack, { msMax: 60_000, what: 'the next process' });
      }),
    );
  }
  return took;
}

async function hangs(): Promise<void> {
  const late: number[] = [];
  for (let i = 0; i < HANGS; i += 1) {
    await using place = await recoveryWorld();
    const steps = [mark('a'), { hang: 'pings', times: 1 }, { text: 'finished' }];
    const agent = await place.agent({ steps, policy: { hang: { thinkMsMax: THINK_MS } } });
    const faulted = await agent.untilEvent('run.faulted');
    const began = await agent.untilEvent('tool.ended');
    late.push(Date.parse(faulted.ts) - Date.parse(began.ts) - THINK_MS);
  }
  const worst = Math.max(...late);
  report('a hang is found, beyond the policy', `slowest of ${HANGS}: ${ms(worst)}`, '<= 10 s', worst <= 10_000);
}

async function load(): Promise<void> {
  const plan = { sessions: 50, kills: 10, perSecond: 20 };
  const { adoptedMs, lost, doubled, acknowledged, operations } = await killUnderLoad(plan);
  const name = `daemon killed ${plan.kills} times under ${plan.sessions} sessions, ${plan.perSecond} operations/s`;
  const said = `${lost} lost, ${doubled} doubled of ${acknowledged}/${operations}`;
  report(name, said, '0 lost, 0 doubled', lost + doubled === 0);
  const slowest = Math.max(...adoptedMs);
  const times = `p50 ${ms(percentile(adoptedMs, 50))}, slowest ${ms(slowest)}`;
  report('all of them adopted with the same pids', times, '<= 2 s', slowest <= 2_000);
}
