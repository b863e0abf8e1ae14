import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { times, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { DAEMON, World } from '../world.ts';
import { bash, story } from './recovery-world.ts';

const LONG = { msMax: 60_000 };

/** Kills one daemon after the other. Clients that wait start the next. Returns the lock owners that were killed. */
async function killDaemons(world: World, count: number, isSpaced: boolean): Promise<Set<string>> {
  using client = connect({ state: world.state, env: { ...world.env, OUTLAST_DAEMON: DAEMON } });
  const killed = new Set<string>();
  for (let n = 0; n < count; n += 1) {
    // Spaced: once the daemon has answered. In a burst: as soon as a process has the lock, even while it starts.
    if (isSpaced) await client.daemonStatus();
    const owner = await eventually(() => lockOwner(world.state, killed), LONG);
    killed.add(owner);
    process.kill(Number.parseInt(owner, 10), 'SIGKILL');
    await eventually(() => !isRunning(owner), LONG);
  }
  return killed;
}

/** The owner in the lock file, with its start time, since a pid alone may be reused. */
function lockOwner(state: string, killed: ReadonlySet<string>): string | null {
  const file = join(state, 'daemon.pid');
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return owner.endsWith('\n') && !killed.has(owner) && isRunning(owner) ? owner : null;
}

function isRunning(owner: string): boolean {
  const [pid, start] = owner.split(' ');
  try {
    const words = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return words[19] === start && !/^[ZX]/.test(words[0] ?? '');
  } catch {
    return false;
  }
}

test('T-CRASH-2: calls that wait survive every kill of the daemon, spaced or in a burst', {
  timeout: 600_000,
}, async () => {
  await using world = new World();
  const go = join(world.state, 'go');
  using client = connect({ state: world.state, env: { ...world.env, OUTLAST_DAEMON: DAEMON } });
  const until = `while [ ! -e '${go}' ]; do sleep 0.05; done; echo over; exit 7`;
  const session = await client.start({ argv: ['sh', '-c', until], name: 'waited' });
  await eventually(async () => (await session.show()).session.pid, LONG);
  const other = await client.start({ argv: ['sleep', '1000'], name: 'other' });
  const patient = story(bash(`while [ ! -e '${go}' ]; do sleep 0.05; done`), { text: 'it is there' });
  const talk = await client.start({ agent: 'scripted', prompt: patient, keepOpen: false, cwd: world.state });
  const idle = await client.start({ agent: 'scripted', prompt: 'hello', cwd: world.state });
  const waiting = {
    wait: world.cli(['wait', 'waited']),
    any: world.cli(['wait', 'waited', 'other', '--any']),
    exec: world.cli(['exec', '--', 'sh', '-c', until]),
    output: world.cli(['output', 'waited', '--follow']),
    reply: world.cli(['wait', talk.id, '--for', 'reply']),
    converse: world.cli(['converse', idle.id, patient]),
    run: world.cli(['run', '--agent', 'scripted', patient]),
    events: world.cli(['events', 'waited', '--follow', '--type', 'session.ended', '--limit', '1']),
    sdk: session.wait(),
    sdkReply: talk.reply(),
    sdkFollow: (async () => {
      let text = '';
      for await (const line of session.follow()) text += line.text ?? '';
      return text;
    })(),
  };
  const killed = await killDaemons(world, times(4, 20), true);
  for (const owner of await killDaemons(world, times(2, 20), false)) killed.add(owner);
  // A start while daemons die returns an id, and makes one session.
  const starting = [1, 2].map((n) => world.cli(['exec', '-b', '--name', `new-${n}`, '--', 'true']));
  for (const owner of await killDaemons(world, times(2, 10), false)) killed.add(owner);
  const started = await Promise.all(starting);
  expect(started.map(({ status, stdout }) => [status, /^[0-9a-z]{20}\n$/.test(stdout)])).toEqual([
    [0, true],
    [0, true],
  ]);
  writeFileSync(go, '');
  const { wait, any, exec, output, reply, converse, run, events, sdk, sdkReply, sdkFollow } = waiting;
  // A call that waits for long without a daemon reports that, and nothing else.
  expect(await wait).toMatchObject({ status: 8, stdout: 'waited: exit 7\n' });
  expect((await wait).stderr).toMatch(/^(.*; (retrying|waiting for it)\n)*$/);
  expect(await any).toMatchObject({ status: 8, stdout: 'waited: exit 7\n' });
  expect(await exec).toMatchObject({ status: 7, stdout: 'over\n' });
  expect(await output).toMatchObject({ status: 0, stdout: 'over\n' });
  for (const talked of [reply, converse, run])
    expect(await talked).toMatchObject({ status: 0, stdout: 'it is there\n' });
  expect((await events).stdout).toContain('session.ended');
  expect((await sdk).session.exit?.status).toBe(7);
  expect((await sdkReply).met).toBe('answered');
  expect(await sdkFollow).toBe('over\n');
  tried('daemons killed', killed.size);
  expect(killed.size).toBeGreaterThanOrEqual(times(8, 50));
  await other.stop({ graceMs: 0 });
});
