import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { everyMs, serviceNotices } from '../../src/daemon/machine/notify.ts';
import { eventually } from '../eventually.ts';
import { notifySocket } from '../notify-socket.ts';
import { makeWorld } from '../world.ts';

const count = (lines: readonly string[], word: string): number => lines.filter((line) => line === word).length;

test('systemd is notified that the daemon is ready, then by the watchdog ping, then that it stops', async () => {
  await using manager = await notifySocket();
  await using world = await makeWorld({
    wrap: ['env', `NOTIFY_SOCKET=${manager.path}`, 'WATCHDOG_USEC=600000'],
  });
  await eventually(() => count(manager.lines(), 'WATCHDOG=1') >= 3, { what: 'three beats' });
  expect(manager.lines().slice(0, 2)).toEqual(['READY=1', `STATUS=Serves ${world.state}/daemon.sock`]);
  await world.kill('SIGTERM');
  expect(count(manager.lines(), 'STOPPING=1')).toBe(1);
  expect(count(manager.lines(), 'READY=1')).toBe(1);
});

test('a run does not inherit the socket of the service manager', async () => {
  await using manager = await notifySocket();
  await using world = await makeWorld({
    wrap: ['env', `NOTIFY_SOCKET=${manager.path}`, 'WATCHDOG_USEC=60000000', 'WATCHDOG_PID=1'],
  });
  const look = 'env | grep -E "NOTIFY_SOCKET|WATCHDOG" || echo none';
  for (const terminal of [[], ['--pty'], ['--tmux']]) {
    const ran = await world.cli(['exec', ...terminal, '--', 'sh', '-c', look]);
    expect(ran.stdout.trim()).toBe('none');
  }
});

async function listening(server: Server, socket: string): Promise<void> {
  await new Promise<void>((resolve) => server.listen(socket, resolve));
}

test('the watchdog gets no ping while our own socket does not answer, and gets them again when it does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-mute-'));
  const socket = join(folder, 'sock');
  let isMute = true;
  const server = createServer((_, response) => {
    response.writeHead(isMute ? 503 : 200).end('{}');
  });
  await listening(server, socket);
  await using manager = await notifySocket();
  const logged: string[] = [];
  const env = { PATH: process.env.PATH, NOTIFY_SOCKET: manager.path, WATCHDOG_USEC: '60000' };
  const service = serviceNotices({ env, clock: realClock(), log: (line) => logged.push(line), socket });
  try {
    await service.ready();
    await eventually(() => logged.length >= 3, { what: 'three beats that were not told' });
    expect(count(manager.lines(), 'WATCHDOG=1')).toBe(0);
    isMute = false;
    await eventually(() => count(manager.lines(), 'WATCHDOG=1') >= 1, { what: 'a beat' });
  } finally {
    await service.stop();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('without a service manager that asked nothing is sent, and a missing program stops nothing', async () => {
  const logged: string[] = [];
  const parts = { clock: realClock(), log: (line: string) => logged.push(line), socket: '/nonexistent' };
  const alone = serviceNotices({ ...parts, env: {} });
  await alone.ready();
  await alone.stop();
  expect(logged).toEqual([]);
  const poor = serviceNotices({ ...parts, env: { NOTIFY_SOCKET: '/nonexistent/s', PATH: '/nonexistent' } });
  await poor.ready();
  await poor.stop();
  expect(logged).toEqual(['the service manager could not be notified']);
});

test('the watchdog is pinged three times in its interval, unless it watches another process', () => {
  expect(everyMs({ WATCHDOG_USEC: '30000000' })).toBe(10_000);
  expect(everyMs({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '7' }, 7)).toBe(10_000);
  expect(everyMs({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '7' }, 8)).toBeNull();
  for (const WATCHDOG_USEC of ['', '0', '-1', 'soon']) expect(everyMs({ WATCHDOG_USEC })).toBeNull();
  expect(everyMs({})).toBeNull();
});
