// From the end of a session to the turn of its owner that it begins.
import { SpawnWorld, shell } from '../test/e2e/spawning.ts';
import { eventually } from '../test/eventually.ts';
import { ms, percentile, report } from './measure.ts';

const TIMES = 100;

/** The end of a background command in the journal, and its idle owner being sent the news. */
export async function wake(): Promise<void> {
  await using world = new SpawnWorld({ config: { spawn: { chainMax: 10_000 } } });
  await world.start();
  const owner = await world.begin([shell('outlast exec -b --wake --name first -- sh -c "sleep 0.5; echo over"')]);
  const took: number[] = [];
  for (let i = 1; i <= TIMES; i += 1) {
    await world.settled(owner, i + 1);
    took.push(await lastWakeMs(world, owner));
    if (i === TIMES) break;
    // As if the owner had started it: its own process is asked for, and that is the marker of its run.
    const env = { OUTLAST_RUN: `${owner}.1` };
    await world.person(['exec', '-b', '--wake', '-c', 'sleep 0.2; echo over'], env);
  }
  const p99 = percentile(took, 99);
  const told = `p50 ${ms(percentile(took, 50))}, p99 ${ms(p99)}`;
  report('end of a command -> idle owner is sent the news', told, 'p99 <= 250 ms', p99 <= 250);
  await world.client.stop({ session: owner });
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
