import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { mark, processesOf, recoveryWorld } from './recovery-world.ts';

// The machine sleeps, restarts and shuts down: test files are mounted over those from which the daemon reads the uptime
// and the boot id, and a test program replaces systemctl.

const HOUR_MS = 3_600_000;

async function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-machine-'));
  const [uptime, boot, bin] = ['uptime', 'boot', 'bin'].map((name) => join(folder, name)) as [string, string, string];
  let boots = 0;
  const newBoot = (): void => {
    boots += 1;
    writeFileSync(boot, `00000000-0000-4000-8000-${String(boots).padStart(12, '0')}\n`);
  };
  const setSystemState = (word: string): void => {
    writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho ${word}\n`, { mode: 0o755 });
  };
  mkdirSync(bin);
  writeFileSync(uptime, readFileSync('/proc/uptime'));
  newBoot();
  setSystemState('running');
  const place = [
    `mount --bind ${uptime} /proc/uptime`,
    `mount --bind ${boot} /proc/sys/kernel/random/boot_id`,
    `PATH=${bin}:$PATH exec "$@"`,
  ];
  const wrap = ['unshare', '-m', 'sh', '-c', place.join(' && '), 'sh'];
  const made = await recoveryWorld({ wrap });
  const away = async () => (await made.world.client.daemonStatus()).away;
  return {
    ...made,
    away,
    setSystemState,
    sleep(ms: number): void {
      const [seconds, idle] = readFileSync(uptime, 'utf8').trim().split(' ');
      writeFileSync(uptime, `${(Number(seconds) + ms / 1_000).toFixed(2)} ${idle}\n`);
    },
    /** Kills everything, and restarts the machine. */
    async restart(...sessions: string[]): Promise<void> {
      await made.world.kill();
      signalAll(sessions, 'SIGKILL');
      newBoot();
      await made.world.start();
    },
    [Symbol.asyncDispose]: async () => {
      await made[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function signalAll(sessions: readonly string[], signal: NodeJS.Signals): void {
  for (const id of sessions) {
    for (const { pid } of processesOf(id)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended together with another process.
      }
    }
  }
}

/** Runs until the test ends it. */
const LONG = { steps: [mark('begun'), { delayMs: HOUR_MS, text: 'done' }] };

test('a machine that slept is detected within seconds, and reported once', async () => {
  await using place = await machine();
  expect(await place.away()).toBeNull();
  const beforeMs = Date.now();
  place.sleep(HOUR_MS);
  const away = await eventually(place.away, { what: 'a detected wake', msMax: 30_000 });
  expect(away).toMatchObject({ kind: 'wake', planned: false });
  expect(away.fromMs).toBeGreaterThan(beforeMs - 15_000);
  expect(away.toMs).toBeLessThan(beforeMs + 30_000);
  const woken = await place.world.cli(['daemon', 'wake']);
  expect(woken).toMatchObject({ status: 0, stdout: 'The daemon already knows.\n' });
  expect((await place.world.cli(['daemon', 'status'])).stdout).toContain('The machine slept: detected at ');
  expect(place.world.log().match(/the machine was away/g)).toHaveLength(1);
});

test('a reported wake is believed, once', async () => {
  await using place = await machine();
  const first = await place.world.client.wake();
  expect(first).toMatchObject({ kind: 'wake', new: true });
  expect(await place.world.client.wake()).toEqual({ ...first, new: false });
});

test('a new boot is detected, with the last sign of life before it', async () => {
  await using place = await machine();
  await place.world.restart();
  expect(await place.away()).toBeNull(); // Only the daemon was restarted.
  const goneMs = Date.now();
  await place.restart();
  const away = await place.away();
  expect(away).toMatchObject({ kind: 'boot', planned: false, boot: expect.stringMatching(/^[\w-]+2\//) });
  expect(away?.fromMs).toBeGreaterThan(goneMs - 15_000);
  expect(away?.fromMs).toBeLessThanOrEqual(away?.toMs ?? 0);
  await place.world.restart();
  expect(await place.away()).toEqual(away);
  expect(place.world.log().match(/the machine was away/g)).toHaveLength(1);
});

test.each([
  ['turns', false, 'SIGTERM'],
  ['turns', false, 'SIGKILL'],
  ['live', true, 'SIGTERM'],
] as const)(
  'an agent (%s, live: %s) that ends by %s after a planned stop is resumed, and the resume does not count',
  async (_, live, signal) => {
    await using place = await machine();
    const agent = await place.agent({ ...LONG, live });
    await eventually(() => agent.ledger().length === 1, { what: 'an agent at work' });
    const stopped = await place.world.cli(['daemon', 'stop', '--planned']);
    expect(stopped.stdout).toBe('The daemon is stopped. 1 session keeps running.\n');
    signalAll([agent.session.id], signal);
    await eventually(() => processesOf(agent.session.id).length === 0, { what: 'the end of the agent' });
    await place.world.start();
    const fault = await agent.untilEvent('run.faulted');
    expect(fault.body.fault).toEqual({ kind: 'lost', reboot: false, planned: true });
    await agent.untilEvent('run.opened', 2);
    expect(await agent.view()).toMatchObject({ run: 2, resumes: 0 });
    // The mark of the planned stop is used up: the next fault counts as a crash.
    await eventually(() => processesOf(agent.session.id).length > 0, { what: 'the next run of the agent' });
    signalAll([agent.session.id], 'SIGKILL');
    const next = await agent.untilEvent('run.faulted', 2);
    expect(next.body.fault).not.toHaveProperty('planned');
  },
);

test.each([
  ['stopping', true],
  ['running', false],
] as const)('the daemon gets SIGTERM while systemd says %s: the next boot is planned: %s', async (word, planned) => {
  await using place = await machine();
  const agent = await place.agent(LONG);
  await eventually(() => agent.ledger().length === 1, { what: 'an agent at work' });
  place.setSystemState(word);
  await place.world.kill('SIGTERM');
  await place.restart(agent.session.id);
  expect(await place.away()).toMatchObject({ kind: 'boot', planned });
  const fault = await agent.untilEvent('run.faulted');
  expect(fault.body.fault).toEqual({ kind: 'lost', reboot: true, ...(planned && { planned }) });
  expect(await agent.view()).toMatchObject({ resumes: 0 });
});

test('agents that a shutdown ends together with the daemon do not count as crashed', async () => {
  await using place = await machine();
  const agents = await Promise.all([place.agent(LONG), place.agent({ ...LONG, live: true })]);
  for (const agent of agents) await eventually(() => agent.ledger().length === 1, { what: 'an agent at work' });
  place.setSystemState('stopping');
  const gone = place.world.kill('SIGTERM');
  const ids = agents.map(({ session }) => session.id);
  signalAll(ids, 'SIGTERM');
  await gone;
  await place.restart(...ids);
  for (const agent of agents) {
    const fault = await agent.untilEvent('run.faulted');
    expect(fault.body.fault).toEqual({ kind: 'lost', reboot: true, planned: true });
    expect(await agent.view()).toMatchObject({ resumes: 0 });
  }
});

test('T-SUSP-3: the daemon handles its own stop before it judges runs that ended at the same moment', async () => {
  await using place = await machine();
  const agents = await Promise.all([place.agent(LONG), place.agent({ ...LONG, live: true })]);
  for (const agent of agents) await eventually(() => agent.ledger().length === 1, { what: 'an agent at work' });
  place.setSystemState('stopping');
  const { pid } = JSON.parse((await place.world.cli(['daemon', 'status', '--json'])).stdout);
  // While the daemon is stopped, it gets SIGTERM and its agents end: it sees both when it continues.
  process.kill(pid, 'SIGSTOP');
  const gone = place.world.kill('SIGTERM');
  const ids = agents.map(({ session }) => session.id);
  signalAll(ids, 'SIGTERM');
  await eventually(() => ids.every((id) => processesOf(id).length === 0), { what: 'the end of the agents' });
  process.kill(pid, 'SIGCONT');
  await gone;
  await place.restart(...ids);
  for (const agent of agents) {
    const fault = await agent.untilEvent('run.faulted');
    expect(fault.body.fault).toEqual({ kind: 'lost', reboot: true, planned: true });
  }
});

test('a planned stop while no daemon runs is recorded, too', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent(LONG);
  await eventually(() => agent.ledger().length === 1, { what: 'an agent at work' });
  await place.world.kill();
  const daemon = { OUTLAST_DAEMON: join(import.meta.dirname, '../../dist/daemon.js') };
  expect(await place.world.cli(['daemon', 'stop', '--planned'], { env: daemon })).toMatchObject({ status: 0 });
  signalAll([agent.session.id], 'SIGKILL');
  await place.world.start();
  const fault = await agent.untilEvent('run.faulted');
  expect(fault.body.fault).toMatchObject({ kind: 'lost', planned: true });
});
