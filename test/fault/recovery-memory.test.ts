import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { processMemory, psBytes } from '../../src/terminal/process-memory.ts';
import { figures, times } from '../campaign.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import type { World } from '../world.ts';
import { bash, mark, processesOf, recoveryWorld } from './recovery-world.ts';

const MB = 1024 ** 2;
/** Allocates this many megabytes, prints its pid, and keeps them. */
const eater = (megabytes: number): string =>
  `exec '${process.execPath}' -e 'const b = Buffer.alloc(${megabytes} * 1048576, 1);` +
  ` require("fs").appendFileSync("eater", process.pid + "\\n"); setInterval(() => b.length, 60000)'`;

/** Without the kernel's limit. */
const WATCHED = { config: { memoryCap: 'watch' } };

test('T-OOM-1: an agent whose tool exceeds the memory limit is ended and resumed; other sessions are not affected', {
  timeout: 600_000,
}, async () => {
  const rounds = times(1, 6);
  for (let round = 0; round < rounds; round += 1) {
    await using place = await recoveryWorld(WATCHED);
    const policy = { memoryBytesMax: 400 * MB };
    const steps = [mark('a'), bash(`echo b >> ledger; ${eater(500)}`), mark('c'), { text: 'done' }];
    const [agent, other] = await Promise.all([
      place.agent({ live: round % 2 === 1, steps, policy, manners: { flushMs: 0 } }),
      place.agent({ steps: [bash('sleep 9'), { text: 'unhurt' }], policy }),
    ]);
    const faulted = await agent.untilEvent('run.faulted');
    expect(faulted.body).toMatchObject({ fault: { kind: 'memory' } });
    expect((faulted.body.fault as { bytes: number }).bytes).toBeGreaterThan(500 * MB);
    expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'done' });
    expect(agent.ledger()).toEqual(['a', 'b', 'c']);
    expect(await agent.view()).toMatchObject({ run: 2, resumes: 1 });
    expect(await other.reply()).toMatchObject({ met: 'answered', reply: 'unhurt' });
    expect(await other.view()).toMatchObject({ run: 1, resumes: 0 });
  }
  figures('T-OOM-1', { n: rounds, hurt: 0 });
});

test('T-OOM-1: a command that exceeds the memory limit is abandoned with that reason', async () => {
  await using place = await recoveryWorld(WATCHED);
  const policy = { memoryBytesMax: 200 * MB };
  const session = await place.world.client.start({ argv: ['sh', '-c', eater(300)], cwd: place.world.state, policy });
  const { session: ended } = await session.wait({ timeoutMs: 30_000 });
  expect(ended.outcome).toMatchObject({ kind: 'abandoned' });
  expect(ended.outcome?.why).toMatch(/memory/);
});

test('memory is summed over processes, exited ones count nothing, and ps reports about the same', async () => {
  using sleeper = child(['sleep', '1000'], {});
  const both = processMemory([process.pid, sleeper.pid], Number.POSITIVE_INFINITY);
  expect(both).toBeGreaterThan(processMemory([process.pid], Number.POSITIVE_INFINITY) * 0.9);
  expect(processMemory([2 ** 30], 0)).toBe(0);
  expect(processMemory([], 0)).toBe(0);
  expect(psBytes([2 ** 30])).toBe(0);
  const byPs = psBytes([process.pid]);
  const byProc = processMemory([process.pid], Number.POSITIVE_INFINITY);
  expect(Math.abs(byPs - byProc)).toBeLessThan(byProc / 2);
  // Beyond the limit, shared memory is counted once, which is never more.
  expect(processMemory([process.pid], 0)).toBeLessThanOrEqual(byProc * 1.1);
});

/** A process with a chosen environment. Disposing ends it. */
function child(argv: readonly [string, ...string[]], env: Record<string, string>) {
  const started: ChildProcess = spawn(argv[0], argv.slice(1), {
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env.PATH, ...env },
  });
  const pid = started.pid ?? 0;
  return { pid, [Symbol.dispose]: () => void started.kill('SIGKILL') };
}

const STUBBORN = ['sh', '-c', 'trap "" TERM HUP; exec sleep 1000'] as const;

test('T-ORPH-5: a process that an agent started in its own process session ends with the agent', async () => {
  await using place = await recoveryWorld();
  const leave = "setsid sh -c 'echo $$ > child; exec sleep 1000' > /dev/null 2>&1 & sleep 0.3";
  const ends = await Promise.all(
    [false, true].map((live) =>
      place.agent({ live, keepOpen: false, steps: [bash(leave), { text: 'left it' }], manners: { leaveChild: true } }),
    ),
  );
  for (const agent of ends) {
    const { session } = await agent.session.wait({ timeoutMs: 30_000 });
    expect(session.outcome?.kind).toBe('done');
    expect(processesOf(agent.session.id)).toEqual([]);
  }
});

test('T-ORPH-6: stray processes of an ended agent are ended; no others are', async () => {
  await using place = await recoveryWorld();
  const { world } = place;
  const ended = await place.agent({ keepOpen: false, text: 'hello' });
  await ended.session.wait({ timeoutMs: 30_000 });
  const live = await place.agent({ text: 'hello' });
  await live.reply();
  const command = await world.client.start({ argv: ['true'] });
  await command.wait();
  const run = (id: string): Record<string, string> => ({ OUTLAST_RUN: `${id}.1` });
  using meek = child(['sleep', '1000'], run(ended.session.id));
  using hard = child([...STUBBORN], run(ended.session.id));
  using still = child(['sleep', '1000'], run(ended.session.id));
  process.kill(still.pid, 'SIGSTOP');
  const spared = [run(live.session.id), run(command.id), run('01jd3v9k2mabcdefghjk'), {}].map((env) =>
    child(['sleep', '1000'], env),
  );
  try {
    expect(await orphans(world)).toMatch(/^0 processes/);
    await world.restart();
    await eventually(() => [meek, hard, still].every(({ pid }) => !isRunning(pid)), { what: 'the end of the orphans' });
    expect(await orphans(world)).toBe('3 processes of ended sessions were found and ended since the daemon started');
    expect(spared.map(({ pid }) => isRunning(pid))).toEqual([true, true, true, true]);
  } finally {
    for (const each of spared) each[Symbol.dispose]();
  }
});

async function orphans(world: World): Promise<string | undefined> {
  const { checks } = await world.client.doctor();
  return checks.find(({ name }) => name === 'orphans')?.detail;
}
