// The cost of a prompt after ten turns, a thousand and ten thousand, and the daemon's memory after two thousand
// prompts.
import type { Session } from '../src/client/index.ts';
import { recoveryWorld } from '../test/fault/recovery-world.ts';
import { INSPECTED, inspectorOf } from './inspector.ts';
import { cpuMs, mb, ms, percentile, report, share, timeMs, times } from './measure.ts';
import { addPast } from './past.ts';

const PASTS = [10, 1_000, 10_000];
const ROUNDS = share(10);
const PROMPTS_A_ROUND = 5;
const MANY_PROMPTS = share(2_000);

/** Long conversations. */
export async function long(): Promise<void> {
  await prompts();
  await memoryOfMany();
}

type Taken = { readonly wallMs: number[]; cpuMs: number };

/** In one daemon, a few of each in turn: a disturbance affects all of them. */
async function prompts(): Promise<void> {
  await using place = await recoveryWorld();
  const agents = [];
  for (const past of PASTS) agents.push({ past, agent: await place.agent({ live: true }) });
  for (const { agent } of agents) for (let i = 0; i < 3; i += 1) await say(agent.session, `warm up ${i}`);
  const pasts = [];
  for (const { past, agent } of agents) {
    const { transcript } = await agent.view();
    pasts.push({ past, session: agent.session.id, transcript: transcript ?? '' });
  }
  await place.world.kill();
  for (const { past, ...where } of pasts) addPast({ state: place.world.state, ...where }, past);
  const daemon = await place.world.start(120_000);
  for (const { agent } of agents) for (let i = 0; i < 5; i += 1) await say(agent.session, `again ${i}`);
  const taken = new Map<number, Taken>(PASTS.map((past) => [past, { wallMs: [], cpuMs: 0 }]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { past, agent } of agents) {
      const own = taken.get(past);
      if (own === undefined) continue;
      const before = cpuMs(daemon);
      for (let i = 0; i < PROMPTS_A_ROUND; i += 1)
        own.wallMs.push(await timeMs(() => say(agent.session, `say ${round} ${i}`)));
      own.cpuMs += cpuMs(daemon) - before;
    }
  }
  tell(taken);
}

function tell(taken: ReadonlyMap<number, Taken>): void {
  const [first, ...more] = [...taken.values()];
  const wall = (one: Taken | undefined): number => percentile(one?.wallMs ?? [], 50);
  const cpu = (one: Taken | undefined): number => (one?.cpuMs ?? 0) / (ROUNDS * PROMPTS_A_ROUND);
  report('a prompt after 10 turns', `p50 ${ms(wall(first))}, daemon CPU ${ms(cpu(first))}`, '', null);
  for (const [i, one] of more.entries()) {
    const [name, ratio] = [PASTS[i + 1]?.toLocaleString('en'), wall(one) / wall(first)];
    const value = `${times(ratio)} (p50 ${ms(wall(one))}, daemon CPU ${ms(cpu(one))})`;
    report(`a prompt after ${name} turns / after 10`, value, '<= 1.1x', ratio <= 1.1);
  }
}

/** After a collection: garbage that is not collected yet does not count. */
async function memoryOfMany(): Promise<void> {
  await using place = await recoveryWorld({ wrap: INSPECTED });
  using inspector = await inspectorOf(place.world.state);
  const { session } = await place.agent({ live: true });
  const memory = async (): Promise<{ heap: number; rss: number }> => {
    const { rssBytes } = await place.world.client.daemonStatus();
    await inspector.ask('HeapProfiler.collectGarbage');
    const { usedSize } = await inspector.ask('Runtime.getHeapUsage');
    return { heap: Number(usedSize), rss: rssBytes };
  };
  const half = Math.ceil(MANY_PROMPTS / 2);
  for (let i = 0; i < half; i += 1) await say(session, `say ${i}`);
  const before = await memory();
  for (let i = half; i < MANY_PROMPTS; i += 1) await say(session, `say ${i}`);
  const after = await memory();
  const ratio = after.heap / before.heap;
  const name = `daemon after ${MANY_PROMPTS.toLocaleString('en')} prompts / after half of them`;
  report(`${name}, heap`, `${times(ratio)} (${mb(after.heap)} / ${mb(before.heap)})`, '<= 1.1x', ratio <= 1.1);
  report(`${name}, all memory`, `${times(after.rss / before.rss)} (${mb(after.rss)} / ${mb(before.rss)})`, '', null);
}

async function say(session: Session, text: string): Promise<void> {
  const { met } = await session.converse(text);
  if (met !== 'answered') throw new Error(`the prompt "${text}" was ${met}`);
}
