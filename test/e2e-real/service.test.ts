import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BootView } from '../../src/api/contract-boot.ts';
import type { SessionView } from '../../src/api/shapes.ts';
import { keep } from '../boot-files.ts';
import { eventually } from '../eventually.ts';
import { shellBlock } from '../pages/page.ts';
import { SystemdBox } from './systemd-box.ts';

// A real systemd as pid 1 of a separate machine, with the manager of a user who never logs in.

interface Status {
  readonly pid: number;
  readonly away: { readonly kind: string; readonly planned: boolean } | null;
}

/** The commands of the guide. */
const [PRINT = '', INSTALL = '', STATUS = '', UNINSTALL = ''] = shellBlock(
  'docs/guides/service.md',
  'outlast service install',
)
  .trimEnd()
  .split('\n')
  .map((line) => line.replace(/ +#.*/, ''));
const UNITS = '/home/ana/.config/systemd/user';
const LOGIND = { path: '/org/freedesktop/login1', interface: 'org.freedesktop.login1.Manager' };
const SETTLED = { msMax: 60_000 };
let box: SystemdBox;

beforeAll(async () => {
  box = new SystemdBox();
  await box.boot();
});

afterAll(async () => {
  await box[Symbol.asyncDispose]();
});

/** Runs a command that must succeed, and returns its output. */
function ana(line: string): string {
  const { status, out, err } = box.ana(line);
  if (status !== 0) throw new Error(`${line}: ${status} ${out}${err}`);
  return out.trim();
}

const status = (): Status => JSON.parse(ana('outlast daemon status --json'));
const shown = (unit: string, name: string): string => ana(`systemctl --user show ${unit} -p ${name} --value`);
const mainPid = (): number => Number(shown('outlast.service', 'MainPID'));
const session = (id: string): SessionView => JSON.parse(ana(`outlast show --json ${id}`)).session;
/** Starts a command that runs until it is stopped. */
const start = (): string => ana('outlast exec --background -- sleep 100000');

/** The result of the last search for interrupted conversations. */
const lastBoot = (): BootView | null => JSON.parse(ana('outlast boot --last --json'));

/** Writes an interrupted conversation of an agent that Outlast did not start. */
function interrupted(): string {
  const config = mkdtempSync(join(tmpdir(), 'outlast-kept-'));
  const { id, path } = keep('asked', { config, cwd: '/home/ana' });
  const folder = '~/.outlast-scripted/projects/-home-ana';
  ana(`mkdir -p ${folder} && cat > ${folder}/${id}.jsonl <<'END'\n${readFileSync(path, 'utf8')}END`);
  rmSync(config, { recursive: true });
  return id;
}

/** Waits until the daemon of systemd answers, and is another than this one. */
async function anotherDaemon(pid: number): Promise<void> {
  await eventually(() => box.ana('outlast daemon status --json').status === 0 && mainPid() !== pid, {
    ...SETTLED,
    what: 'another daemon',
  });
  expect(status().pid).toBe(mainPid());
}

/** The command lines of the processes in the control group of the daemon. */
const inGroup = (): string[] => {
  const group = shown('outlast.service', 'ControlGroup');
  return box
    .root(`for p in $(cat /sys/fs/cgroup${group}/cgroup.procs); do tr '\\0' ' ' < /proc/$p/cmdline; echo; done`)
    .out.trim()
    .split('\n');
};

describe('a user with lingering', () => {
  test('without lingering systemd cannot be reached, and the command says so', () => {
    expect(box.ana(INSTALL)).toMatchObject({
      status: 4,
      err: expect.stringContaining('systemctl --user says: Failed to connect to bus'),
    });
  });

  test('gets its daemon started by systemd, which knows when it is ready', async () => {
    const linger = shellBlock('docs/guides/service.md', 'loginctl enable-linger').trim();
    expect(box.root(`${linger} ana`).status).toBe(0);
    await eventually(() => box.ana('systemctl --user is-system-running').out.trim() === 'running', SETTLED);
    const own = { boot: { agents: ['scripted'], delayMs: 0 } };
    ana(`mkdir -p ~/.config/outlast && echo '${JSON.stringify(own)}' > ~/.config/outlast/config.json`);
    expect(ana(PRINT)).toContain('outlast.service');
    const output = ana(`${INSTALL} --auto --after gateway`);
    expect(output).toContain('systemd starts it from now on');
    expect(output).not.toContain('enable-linger');
    expect(shown('outlast.service', 'ActiveState')).toBe('active');
    expect(shown('outlast.service', 'StatusText')).toBe('Serves /home/ana/.local/state/outlast/daemon.sock');
    expect(status().pid).toBe(mainPid());
    expect(ana(STATUS)).toMatch(/^systemd manages the daemon\./);
  });
});

describe('the daemon', () => {
  test('is started again when it is killed, and a session is not affected', async () => {
    const id = start();
    const pid = await eventually(() => session(id).pid, { what: 'a running session' });
    const daemon = mainPid();
    box.root(`kill -KILL ${daemon}`);
    await anotherDaemon(daemon);
    expect(shown('outlast.service', 'NRestarts')).toBe('1');
    expect(session(id)).toMatchObject({ outcome: null, pid });
    ana(`outlast stop ${id}`);
  });

  test('is killed by the watchdog and started again when it is frozen, and a session is not affected', async () => {
    ana(
      `mkdir ${UNITS}/outlast.service.d && cd ${UNITS}/outlast.service.d
      printf '[Service]\\nWatchdogSec=3\\n' > test.conf`,
    );
    ana('systemctl --user daemon-reload && systemctl --user restart outlast.service');
    const id = start();
    const pid = await eventually(() => session(id).pid, { what: 'a running session' });
    const daemon = mainPid();
    const restarts = Number(shown('outlast.service', 'NRestarts'));
    box.root(`kill -STOP ${daemon}`);
    await anotherDaemon(daemon);
    expect(Number(shown('outlast.service', 'NRestarts'))).toBe(restarts + 1);
    expect(box.root('journalctl --no-pager _UID=4242').out).toContain('outlast.service: Watchdog timeout');
    expect(session(id)).toMatchObject({ outcome: null, pid });
    ana(`outlast stop ${id}`);
  });

  test('is not killed by the watchdog while it works', async () => {
    const daemon = mainPid();
    const watchdogUs = (): number => Number(shown('outlast.service', 'WatchdogTimestampMonotonic'));
    const first = watchdogUs();
    await eventually(() => watchdogUs() > first + 7_000_000, {
      ...SETTLED,
      what: 'watchdog signals for more than twice its timeout',
    });
    expect(mainPid()).toBe(daemon);
    ana(
      `rm -r ${UNITS}/outlast.service.d && systemctl --user daemon-reload && systemctl --user restart outlast.service`,
    );
  });

  test('leaves its sessions running when systemd stops it, and systemd starts it on the next command', async () => {
    const id = start();
    const pid = await eventually(() => session(id).pid, { what: 'a running session' });
    ana('systemctl --user stop outlast.service');
    expect(box.root(`kill -0 ${pid}`).status).toBe(0);
    expect(session(id)).toMatchObject({ outcome: null, pid });
    expect(status().pid).toBe(mainPid());
    expect(inGroup().join('\n')).toContain('daemon.js --wait');
    ana(`outlast stop ${id}`);
  });

  test('of systemd waits while another daemon runs, and takes over when that one ends', async () => {
    ana('systemctl --user stop outlast.service');
    const pid = Number(
      ana(`/opt/box/node/bin/node /opt/box/outlast/dist/daemon.js </dev/null >/dev/null 2>&1 & echo $!`),
    );
    await eventually(() => status().pid === pid, SETTLED);
    ana('systemctl --user start --no-block outlast.service');
    await eventually(() => shown('outlast.service', 'StatusText') === 'Another daemon is running', SETTLED);
    expect(shown('outlast.service', 'ActiveState')).toBe('activating');
    box.root(`kill -KILL ${pid}`);
    await anotherDaemon(0);
    expect(shown('outlast.service', 'ActiveState')).toBe('active');
  });

  test('stays stopped after `daemon stop` until it is needed', async () => {
    ana('outlast daemon stop');
    await eventually(() => shown('outlast.service', 'ActiveState') === 'inactive', SETTLED);
    expect(shown('outlast.service', 'Result')).toBe('success');
    expect(box.ana('outlast daemon status').status).toBe(5);
    ana('outlast daemon start');
    expect(status().pid).toBe(mainPid());
  });

  test('is the one of systemd after a stop and a start right after each other', () => {
    for (let i = 0; i < 5; i += 1) {
      ana('outlast daemon stop && outlast daemon start');
      expect(status().pid).toBe(mainPid());
    }
  });

  test('survives an agent that runs out of memory in its control group', () => {
    expect(shown('outlast.service', 'OOMPolicy')).toBe('continue');
    expect(shown('outlast.service', 'KillMode')).toBe('process');
  });
});

describe('the daemon and other services', () => {
  test('the daemon learns from logind that the machine woke up', async () => {
    expect(status().away).toBeNull();
    const signalSleep = (isSleeping: boolean): unknown =>
      box.root(
        `dbus-send --system --type=signal ${LOGIND.path} ${LOGIND.interface}.PrepareForSleep boolean:${isSleeping}`,
      );
    await eventually(() => shown('outlast-wake.service', 'ActiveState') === 'active', SETTLED);
    signalSleep(true);
    await eventually(
      () => {
        signalSleep(false);
        return status().away?.kind === 'wake';
      },
      { ...SETTLED, what: 'a wake' },
    );
  });

  test('a start or restart of the gateway service starts a search for interrupted conversations', async () => {
    const unit = '[Service]\\nExecStart=/bin/sleep 1000\\nRestart=always\\nRestartSec=0\\n';
    ana(`printf '${unit}' > ${UNITS}/gateway.service && systemctl --user daemon-reload`);
    const ran = (): number => Number(shown('outlast-boot.service', 'ExecMainStartTimestampMonotonic'));
    expect(ran()).toBe(0);
    ana('systemctl --user start gateway.service');
    const first = await eventually(ran, { ...SETTLED, what: 'a first search' });
    await eventually(() => !/^activ/.test(shown('outlast-boot.service', 'ActiveState')), SETTLED);
    ana('systemctl --user kill -s KILL gateway.service');
    await eventually(() => ran() > first, { ...SETTLED, what: 'a second search' });
    await eventually(() => lastBoot()?.why === 'asked', { ...SETTLED, what: 'the result of the search' });
  });
});

describe('a user whose lingering ends', () => {
  test('loses every process, and the loss is reported as a planned restart', async () => {
    const id = start();
    box.root('loginctl disable-linger ana');
    await eventually(() => box.root('systemctl is-active user@4242.service').out.trim() === 'inactive', SETTLED);
    box.root('loginctl enable-linger ana');
    await eventually(() => box.ana('systemctl --user is-active outlast.service').out.trim() === 'active', SETTLED);
    await eventually(() => session(id).outcome !== null, SETTLED);
    expect(session(id).outcome?.why).toContain('lost in a planned restart');
  });
});

describe('the machine', () => {
  test('comes back with its daemon after an orderly restart, which is reported as planned', async () => {
    const id = start();
    const story = JSON.stringify({ steps: [{ delayMs: 3_600_000, text: 'done' }] });
    ana(
      `cat > story <<'END'\nGo. SCRIPT${story}SCRIPT\nEND
      outlast start --agent scripted --name agent --prompt-file story`,
    );
    await eventually(() => session('agent').phase === 'working', SETTLED);
    box.root('systemctl reboot');
    await box.off();
    await box.boot();
    // Without a login or a command.
    await eventually(() => box.ana('systemctl --user is-active outlast.service').out.trim() === 'active', SETTLED);
    expect(status()).toMatchObject({ pid: mainPid(), away: { kind: 'boot', planned: true } });
    await eventually(() => session(id).outcome !== null, SETTLED);
    expect(session(id).outcome?.why).toContain('lost in a planned restart');
    await eventually(() => session('agent').run === 2 && session('agent').phase === 'working', SETTLED);
    expect(session('agent').resumes).toBe(0);
    ana('outlast stop agent');
  });

  test('comes back with its daemon after a power failure, which is reported as not planned', async () => {
    const id = start();
    const conversation = interrupted();
    await box.cut();
    await box.boot();
    await eventually(() => box.ana('systemctl --user is-active outlast.service').out.trim() === 'active', SETTLED);
    expect(status()).toMatchObject({ pid: mainPid(), away: { kind: 'boot', planned: false } });
    await eventually(() => session(id).outcome !== null, SETTLED);
    expect(session(id).outcome?.why).toContain('lost in a restart of the machine');
    // Installed with --auto: conversations that Outlast did not start are resumed too.
    await eventually(() => lastBoot()?.why === 'boot', { ...SETTLED, what: 'a search after the boot' });
    const found = lastBoot()?.conversations.find((one) => one.id === conversation);
    expect(found).toMatchObject({ verdict: 'interrupted', did: 'resumed' });
    expect(session(found?.session ?? '')).toMatchObject({ conversation, workspace: '/home/ana' });
  });
});

describe('the web page', () => {
  const page = (): string => box.ana('curl -s -o /dev/null -w %{http_code} http://127.0.0.1:7717/').out.trim();

  test('is served after `service install --web`, and systemd has its port also while no server runs', async () => {
    ana(`${INSTALL} --web --after gateway`);
    await eventually(() => page() === '200', { ...SETTLED, what: 'the page' });
    expect(ana('outlast web link')).toContain('http://127.0.0.1:7717/#code=');
    expect(box.root('journalctl --no-pager _UID=4242').out).not.toContain('#code=');
    const server = Number(shown('outlast-web.service', 'MainPID'));
    box.root(`kill -STOP ${server}`);
    // Another program cannot take the port, whether the server answers or not.
    const taking = "require('net').createServer().on('error', (e) => console.log(e.code)).listen(7717, '127.0.0.1')";
    expect(ana(`node -e "${taking}"`)).toBe('EADDRINUSE');
    box.root(`kill -KILL ${server}`);
    expect(ana(`node -e "${taking}"`)).toBe('EADDRINUSE');
    await eventually(() => page() === '200', { ...SETTLED, what: 'the page of another server' });
    expect(Number(shown('outlast-web.service', 'MainPID'))).not.toBe(server);
    // The daemon is not in the control group of the server.
    expect(mainPid()).toBe(status().pid);
  });
});

test('an agent of another user cannot read what is here', () => {
  const block = shellBlock('docs/guides/security.md', 'sudo useradd');
  const outlast = '/opt/box/node/bin/node /opt/box/outlast/bin/outlast.cjs';
  box.root(`mkdir -p /usr/local/bin && printf '#!/bin/sh\\nexec ${outlast} "$@"\\n' > /usr/local/bin/outlast`);
  box.root('chmod 755 /usr/local/bin/outlast && mkdir -m 777 /srv/work');
  // There is no sudo in the box. The agent that comes with Outlast repeats what it is asked.
  const sudo = `sudo() {
    [ "$1" = -u ] || { "$@"; return; }
    user=$2; shift 3; runuser -u "$user" -- env HOME="/home/$user" OUTLAST_AGENT=echo PATH=/usr/local/bin:$PATH "$@"
  }`;
  const ran = box.root(`set -e; ${sudo}\n${block}`);
  expect(ran).toMatchObject({ status: 0, out: 'fix the failing tests\n' });
  const seen = box.root('runuser -u agent -- cat /home/ana/.local/state/outlast/outlast.db');
  expect([seen.status, seen.err]).toEqual([1, expect.stringContaining('Permission denied')]);
  box.root('runuser -u agent -- env HOME=/home/agent PATH=/usr/local/bin:$PATH outlast daemon stop');
});

test('uninstall removes everything, and does not touch a session', async () => {
  const id = start();
  const pid = await eventually(() => session(id).pid, { what: 'a running session' });
  const output = ana(UNINSTALL);
  expect(output.split('\n').filter((line) => line.startsWith('removed '))).toHaveLength(11);
  expect(ana(`ls -A ${UNITS}`)).toBe('gateway.service');
  expect(box.ana('systemctl --user cat outlast.service').status).toBe(1);
  expect(box.root(`kill -0 ${pid}`).status).toBe(0);
  expect(session(id)).toMatchObject({ outcome: null, pid });
  ana(`outlast stop ${id}; outlast daemon stop`);
});
