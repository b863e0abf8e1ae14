// A hundred viewers of one session: how late they are, and what that costs the server of the page.
import { FROM_SERVER, OUTPUT_CHANNEL } from '../src/api/live-frames.ts';
import { LiveClient } from '../test/web/live-client.ts';
import { makeWebWorld, type WebDevice, type WebWorld } from '../test/web/web-world.ts';
import { cpuMs, mb, ms, percentile, report, share } from './measure.ts';
import { rssOf } from './web-watch.ts';

const VIEWERS = 100;
/** A device has at most this many connections. */
const PER_DEVICE = 8;
const MEASURE_MS = 20_000;

/** Writes 10 kB twenty times a second, each with the time. */
const PROGRAM = `const line = 'x'.repeat(10_000 - 16);
setInterval(() => process.stdout.write('@' + Date.now() + '\\n' + line + '\\n'), 50);`;

/** One session that is watched by many. */
export async function viewers(): Promise<void> {
  await using world = await makeWebWorld();
  const session = await world.client.start({ argv: [process.execPath, '-e', PROGRAM], cwd: '/' });
  const count = share(VIEWERS);
  const delays: number[] = [];
  const clients: LiveClient[] = [];
  let device: WebDevice | null = null;
  for (let i = 0; i < count; i += 1) {
    if (device === null || i % PER_DEVICE === 0) device = await world.device('read');
    clients.push(await watching(world, device, session.id, delays));
  }
  const server = world.serverPid;
  delays.length = 0;
  const [fromMs, fromCpuMs] = [performance.now(), cpuMs(server)];
  await new Promise((resolve) => setTimeout(resolve, share(MEASURE_MS)));
  const cores = (cpuMs(server) - fromCpuMs) / (performance.now() - fromMs);
  const [late, memory] = [percentile(delays, 95), rssOf(server)];
  for (const client of clients) client.close();
  await session.stop({ graceMs: 0 });
  report(`${count} viewers at 200 kB/s: until it is there`, `p95 ${ms(late)}`, '<= 250 ms', late <= 250);
  report('cores of the server meanwhile', cores.toFixed(2), '< 1', cores < 1);
  report('memory of the server meanwhile', mb(memory), '< 200 MB', memory < 200 * 1024 ** 2);
}

/** Reads the output from now on, and notes how late each time in it is. */
async function watching(world: WebWorld, device: WebDevice, session: string, delays: number[]): Promise<LiveClient> {
  const client = await LiveClient.of(world, device);
  const channel = client.open(OUTPUT_CHANNEL, { session, from: 0, skipBytes: 64 * 1024 });
  client.reads(channel);
  client.socket.on('message', () => {
    for (const { type, payload } of client.frames) {
      if (type !== FROM_SERVER.bytes) continue;
      const sentMs = /@(\d{13})\n/.exec(Buffer.from(payload).toString('latin1'))?.[1];
      if (sentMs !== undefined) delays.push(Date.now() - Number(sentMs));
    }
    // What was read is not kept.
    client.frames.length = 0;
  });
  return client;
}
