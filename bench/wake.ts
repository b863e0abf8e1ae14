// From the end of a session to the turn that it starts in its owner, or to the tool call that delivers it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpawnWorld, shell } from '../test/e2e/spawning.ts';
import { eventually } from '../test/eventually.ts';
import { ms, percentile, report } from './measure.ts';

const TIMES = 100;
const TOOLS = 30;

/** From the end of a background command in the journal to the update being sent to its idle owner. */
export async function wake(): Promise<void> {
  await using world = new SpawnWorld({ config: { spawn: { chainMax: 10_000 } } });
  await world.start();
  const owner = await world.startAgent([shell('outlast exec -b --wake --name first -- sh -c "sleep 0.5; echo over"')]);
  const took: number[] = [];
  for (let i = 1; i <= TIMES; i += 1) {
    await world.settled(owner, i + 1);
    took.push(await lastWakeMs(world, owner));
    if (i === TIMES) break;
    // As if the owner had started it: the daemon checks the calling process, which has the marker of its run.
    const env = { OUTLAST_RUN: `${owner}.1` };
    await world.person(['exec', '-b', '--wake', '-c', 'sleep 0.2; echo over'], env);
  }
  const p99 = percentile(took, 99);
  const figure = `p50 ${ms(percentile(took, 50))}, p99 ${ms(p99)}`;
  report('end of a command -> idle owner is sent the update', figure, 'p99 <= 250 ms', p99 <= 250);
  await world.client.stop({ session: owner });
  await atWork(world);
}

/** For an owner in a turn of many tools: from the end of a command to the update being staged for the next tool. */
async function atWork(world: SpawnWorld): Promise<void> {
  const tools = Array.from({ length: TOOLS }, (_, i) => shell(`until [ -e on-${i} ]; do sleep 0.01; done`));
  const owner = await world.startAgent(tools);
  const took: number[] = [];
  for (let i = 0; i < TOOLS; i += 1) {
    await world.person(['exec', '-b', '-c', 'sleep 0.1; echo over'], { OUTLAST_RUN: `${owner}.1` });
    took.push(await lastMs(world, owner, (event, n) => event === 'update.staged' && n === i + 1));
    writeFileSync(join(world.workspace, `on-${i}`), '');
    await lastMs(world, owner, (event, n) => event === 'update.delivered' && n === i + 1);
  }
  const [p50, p99] = [percentile(took, 50), percentile(took, 99)];
  const figure = `p50 ${ms(p50)}, p99 ${ms(p99)}`;
  report('end of a command -> staged for an owner at work', figure, 'p99 <= 250 ms', p99 <= 250);
  await world.client.stop({ session: owner });
}

/** From the last end of a command to the given event of its owner, counted from the first. */
async function lastMs(world: SpawnWorld, owner: string, is: (event: string, n: number) => boolean): Promise<number> {
  return eventually(
    async () => {
      const counts = new Map<string, number>();
      let [endedMs, atMs] = [0, 0];
      for await (const { event, ts } of world.client.events({ session: owner })) {
        counts.set(event, (counts.get(event) ?? 0) + 1);
        if (is(event, counts.get(event) ?? 0)) atMs = Date.parse(ts);
      }
      for await (const { event, ts, session } of world.client.events({ last: 50 }))
        if (event === 'session.ended' && session !== owner) endedMs = Date.parse(ts);
      return atMs > 0 && endedMs > 0 && atMs - endedMs;
    },
    { what: 'updates in a turn', msMax: 20_000 },
  );
}

async function lastWakeMs(world: SpawnWorld, owner: string): Promise<number> {
  const [from, to] = await eventually(async () => {
    let endedMs = 0;
    let sentMs = 0;
    for await (const { event, ts, session, body } of world.client.events({ last: 200 })) {
      if (event === 'session.ended' && session !== owner) endedMs = Date.parse(ts);
      if (event === 'prompt.sending' && String(body.prompt).startsWith('wake-')) sentMs = Date.parse(ts);
    }
    return sentMs >= endedMs && endedMs > 0 ? [endedMs, sentMs] : null;
  });
  return (to ?? 0) - (from ?? 0);
}
