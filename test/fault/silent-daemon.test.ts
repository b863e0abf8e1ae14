import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';

const LONG = { msMax: 60_000 };

test('T-START-3: a daemon that is stopped by a signal is reported; calls that wait continue when it does', {
  timeout: 180_000,
}, async () => {
  await using world = await makeWorld();
  const { pid } = await world.client.daemonStatus();
  const go = join(world.state, 'go');
  const line = `while [ ! -e '${go}' ]; do sleep 0.05; done; exit 7`;
  const session = await world.client.start({ argv: ['sh', '-c', line] });
  await eventually(async () => (await session.show()).session.pid, LONG);
  process.kill(pid, 'SIGSTOP');
  try {
    const waiting = world.cli(['wait', session.id, '--for', 'exit']);
    const plain = world.cli(['wait', session.id]);
    const bounded = world.cli(['wait', session.id, '--for', 'exit', '--timeout', '1s']);
    const asked = [['list'], ['daemon', 'status'], ['daemon', 'stop'], ['exec', '--', 'true'], ['doctor']];
    const [list, status, stop, exec, doctor] = await Promise.all(asked.map((words) => world.cli(words)));
    const help = `kill -CONT ${pid}`;
    expect(list).toMatchObject({ status: 5, stderr: expect.stringContaining(help) });
    expect(status).toMatchObject({ status: 1, stdout: expect.stringContaining(help) });
    expect(stop).toMatchObject({ status: 5, stderr: expect.stringContaining(help) });
    expect(exec).toMatchObject({ status: 125, stderr: expect.stringContaining(help) });
    expect(doctor).toMatchObject({ status: 1, stdout: expect.stringContaining(`pid ${pid}`) });
    expect(await bounded).toMatchObject({ status: 5, stderr: expect.stringContaining(help) });
    process.kill(pid, 'SIGCONT');
    writeFileSync(go, '');
    const waited = await waiting;
    expect(waited).toMatchObject({ status: 8, stdout: expect.stringContaining('exit 7') });
    expect(waited.stderr).toContain(`${help}\`; still waiting`);
    expect(await plain).toMatchObject({ status: 8, stdout: expect.stringContaining('exit 7') });
    // No failed call took effect later.
    expect((await world.client.daemonStatus()).pid).toBe(pid);
    expect((await world.client.list()).sessions).toHaveLength(1);
  } finally {
    if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT');
  }
});

test('T-START-4: a daemon whose socket is deleted or replaced creates it again and keeps its connections', async () => {
  await using world = await makeWorld();
  const { pid } = await world.client.daemonStatus();
  const socket = join(world.state, 'daemon.sock');
  const go = join(world.state, 'go');
  const session = await world.client.start({
    argv: ['sh', '-c', `while [ ! -e '${go}' ]; do sleep 0.05; done; exit 7`],
  });
  const waiting = session.wait();
  const answers = async () => {
    // A new connection, because an open one needs no socket.
    using client = connect({ state: world.state, start: false });
    return (await client.daemonStatus()).pid === pid;
  };
  for (const hurt of [() => {}, () => writeFileSync(socket, 'not a socket')]) {
    rmSync(socket);
    hurt();
    await eventually(answers, LONG);
  }
  rmSync(socket);
  // A client that starts daemons waits for this one, and starts no other.
  using client = connect({ state: world.state, env: world.env });
  expect((await client.daemonStatus()).pid).toBe(pid);
  writeFileSync(go, '');
  expect((await waiting).session.exit?.status).toBe(7);
});

test('T-START-5: a daemon without a socket is found by its lock, and stopped', async () => {
  await using world = await makeWorld();
  const { pid } = await world.client.daemonStatus();
  const socket = join(world.state, 'daemon.sock');
  // A folder that is not empty keeps the daemon from creating its socket. It may create it between these two steps.
  await eventually(() => {
    rmSync(socket, { recursive: true, force: true });
    mkdirSync(join(socket, 'something'), { recursive: true });
    return true;
  }, LONG);
  const status = await world.cli(['daemon', 'status']);
  expect(status).toMatchObject({ status: 1, stdout: expect.stringContaining(`pid ${pid}`) });
  const stopped = await world.cli(['daemon', 'stop', '--json']);
  expect(stopped.status).toBe(0);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: true, pid });
  await eventually(() => !existsSync(`/proc/${pid}/exe`), LONG);
  expect(await world.cli(['daemon', 'status'])).toMatchObject({ status: 5 });
  expect(await world.cli(['daemon', 'stop'])).toMatchObject({ status: 0, stdout: 'The daemon is not running.\n' });
});
