import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BootView } from '../../src/api/contract-boot.ts';
import type { SessionView } from '../../src/api/shapes.ts';
import { keep } from '../boot-files.ts';
import { eventually } from '../eventually.ts';
import { SystemdBox } from './systemd-box.ts';

// A real systemd as pid 1 of a machine of its own, with the manager of a user who never logs in.

interface Status {
  readonly pid: number;
  readonly away: { readonly kind: string; readonly planned: boolean } | null;
}

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

/** What must succeed, and what it printed. */
function ana(line: string): string {
  const { status, out, err } = box.ana(line);
  if (status !== 0) throw new Error(`${line}: ${status} ${out}${err}`);
  return out.trim();
}

const status = (): Status => JSON.parse(ana('outlast daemon status --json'));
const shown = (unit: string, name: string): string => ana(`systemctl --user show ${unit} -p ${name} --value`);
const mainPid = (): number => Number(shown('outlast.service', 'MainPID'));
const session = (id: string): SessionView => JSON.parse(ana(`outlast show --json ${id}`)).session;
/** A command that goes on until somebody ends it. */
const start = (): string => ana('outlast exec --background -- sleep 100000');

/** What the last look for interrupted conversations found and did. */
const lastBoot = (): BootView | null => JSON.parse(ana('outlast boot --last --json'));

/** Leaves a conversation as an agent that nobody told us of would have left it in the middle of something. */
function interrupted(): string {
  const config = mkdtempSync(join(tmpdir(), 'outlast-kept-'));
  const { id, path } = keep('asked', { config, cwd: '/home/ana' });
  const folder = '~/.outlast-scripted/projects/-home-ana';
  ana(`mkdir -p ${folder} && cat > ${folder}/${id}.jsonl <<'END'\n${readFileSync(path, 'utf8')}END`);
  rmSync(config, { recursive: true });
  return id;
}

/** The daemon that systemd has answers, and it is not this one. */
async function another(pid: number): Promise<void> {
  await eventually(() => box.ana('outlast daemon status --json').status === 0 && mainPid() !== pid, {
    ...SETTLED,
    what: 'another daemon',
  });
  expect(status().pid).toBe(mainPid());
}

/** The processes in the control group of the daemon, by their words. */
const inGroup = (): string[] => {
  const group = shown('outlast.service', 'ControlGroup');
  return box
    .root(`for p in $(cat /sys/fs/cgroup${group}/cgroup.procs); do tr '\\0' ' ' < /proc/$p/cmdline; echo; done`)
    .out.trim()
    .split('\n');
};

describe('a user with lingering', () => {
  test('without it systemd cannot be reached, and that is said', () => {
    expect(box.ana('outlast service install')).toMatchObject({
      status: 4,
      err: expect.stringContaining('systemctl --user says: Failed to connect to bus'),
    });
  });

  test('hands the daemon over to systemd, which knows when it is ready', async () => {
    expect(box.root('loginctl enable-linger ana').status).toBe(0);
    await eventually(() => box.ana('systemctl --user is-system-running').out.trim() === 'running', SETTLED);
    const own = { boot: { agents: ['scripted'], delayMs: 0 } };
    ana(`mkdir -p ~/.config/outlast && echo '${JSON.stringify(own)}' > ~/.config/outlast/config.json`);
    const said = ana('outlast service install --auto --after gateway');
    expect(said).toContain('systemd starts it from now on');
    expect(said).not.toContain('enable-linger');
    expect(shown('outlast.service', 'ActiveState')).toBe('active');
    expect(shown('outlast.service', 'StatusText')).toBe('Serves /home/ana/.local/state/outlast/daemon.sock');
    expect(status().pid).toBe(mainPid());
    expect(ana('outlast service status')).toMatch(/^systemd manages the daemon\./);
  });
});

describe('the daemon', () => {
  test('killed is started again, and a session does not notice', async () => {
    const id = start();
    const pid = await eventually(() => session(id).pid, { what: 'a session that runs' });
    const daemon = mainPid();
    box.root(`kill -KILL ${daemon}`);
    await another(daemon);
    expect(shown('outlast.service', 'NRestarts')).toBe('1');
    expect(session(id)).toMatchObject({ outcome: null, pid });
    ana(`outlast stop ${id}`);
  });

  test('frozen is ended by the watchdog and started again, and a session does not notice', async () => {
    ana(
      `mkdir ${UNITS}/outlast.service.d && cd ${UNITS}/outlast.service.d
      printf '[Service]\\nWatchdogSec=3\\n' > test.conf`,
    );
    ana('systemctl --user daemon-reload && systemctl --user restart outlast.service');
    const id = start();
    const pid = await eventually(() => session(id).pid, { what: 'a session that runs' });
    const daemon = mainPid();
    const restarts = Number(shown('outlast.service', 'NRestarts'));
    box.root(`kill -STOP ${daemon}`);
    await another(daemon);
    expect(Number(shown('outlast.service', 'NRestarts'))).toBe(restarts + 1);
    expect(box.root('journalctl --no-pager _UID=4242').out).toContain('outlast.service: Watchdog timeout');
    expect(session(id)).toMatchObject({ outcome: null, pid });
    ana(`outlast stop ${id}`);
  });

  test('at work is left alone by the watchdog', async () => {
    const daemon = mainPid();
    const beats = (): number => Number(shown('outlast.service', 'WatchdogTimestampMonotonic'));
    const first = beats();
    await eventually(() => beats() > first + 7_000_000, { ...SETTLED, what: 'beats over more than twice its time' });
    expect(mainPid()).toBe(daemon);
    ana(
      `rm -r ${UNITS}/outlast.service.d && systemctl --user daemon-reload && systemctl --user restart outlast.service`,
    );
  });

  test('stopped by systemd leaves its sessions, and the next command has systemd start it', async () => {
    const id = start();
    const pid = await eventually(() => session(id).pid, { what: 'a session that runs' });
    ana('systemctl --user stop outlast.service');
    expect(box.root(`kill -0 ${pid}`).status).toBe(0);
    expect(session(id)).toMatchObject({ outcome: null, pid });
    expect(status().pid).toBe(mainPid());
    expect(inGroup().join('\n')).toContain('daemon.js --wait');
    ana(`outlast stop ${id}`);
  });

  test('started by somebody else is waited for, and taken over when it ends', async () => {
    ana('systemctl --user stop outlast.service');
    const pid = Number(
      ana(`/opt/box/node/bin/node /opt/box/outlast/dist/daemon.js </dev/null >/dev/null 2>&1 & echo $!`),
    );
    await eventually(() => status().pid === pid, SETTLED);
    ana('systemctl --user start --no-block outlast.service');
    await eventually(() => shown('outlast.service', 'StatusText') === 'Another daemon runs', SETTLED);
    expect(shown('outlast.service', 'ActiveState')).toBe('activating');
    box.root(`kill -KILL ${pid}`);
    await another(0);
    expect(shown('outlast.service', 'ActiveState')).toBe('active');
  });

  test('stopped by a person stays so until it is needed', async () => {
    ana('outlast daemon stop');
    await eventually(() => shown('outlast.service', 'ActiveState') === 'inactive', SETTLED);
    expect(shown('outlast.service', 'Result')).toBe('success');
    expect(box.ana('outlast daemon status').status).toBe(5);
    ana('outlast daemon start');
    expect(status().pid).toBe(mainPid());
  });

  test('stopped and started in one breath is there, and is the one of systemd', () => {
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

describe('the world around it', () => {
  test('logind says that the machine woke up: the daemon hears of it', async () => {
    expect(status().away).toBeNull();
    const say = (word: boolean): unknown =>
      box.root(`dbus-send --system --type=signal ${LOGIND.path} ${LOGIND.interface}.PrepareForSleep boolean:${word}`);
    await eventually(() => shown('outlast-wake.service', 'ActiveState') === 'active', SETTLED);
    say(true);
    await eventually(
      () => {
        say(false);
        return status().away?.kind === 'wake';
      },
      { ...SETTLED, what: 'a wake' },
    );
  });

  test('a service that is started, or starts again by itself, has what was interrupted looked for', async () => {
    const unit = '[Service]\\nExecStart=/bin/sleep 1000\\nRestart=always\\nRestartSec=0\\n';
    ana(`printf '${unit}' > ${UNITS}/gateway.service && systemctl --user daemon-reload`);
    const ran = (): number => Number(shown('outlast-boot.service', 'ExecMainStartTimestampMonotonic'));
    expect(ran()).toBe(0);
    ana('systemctl --user start gateway.service');
    const first = await eventually(ran, { ...SETTLED, what: 'a first look' });
    await eventually(() => !/^activ/.test(shown('outlast-boot.service', 'ActiveState')), SETTLED);
    ana('systemctl --user kill -s KILL gateway.service');
    await eventually(() => ran() > first, { ...SETTLED, what: 'a second look' });
    await eventually(() => lastBoot()?.why === 'asked', { ...SETTLED, what: 'what it found' });
  });
});

describe('a user who is logged out for good', () => {
  test('loses every process, and finds it planned when they are back', async () => {
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
  test('restarted in order comes back with its daemon, and knows that it was planned', async () => {
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
    // Nobody has logged in, and no command was given.
    await eventually(() => box.ana('systemctl --user is-active outlast.service').out.trim() === 'active', SETTLED);
    expect(status()).toMatchObject({ pid: mainPid(), away: { kind: 'boot', planned: true } });
    await eventually(() => session(id).outcome !== null, SETTLED);
    expect(session(id).outcome?.why).toContain('lost in a planned restart');
    await eventually(() => session('agent').run === 2 && session('agent').phase === 'working', SETTLED);
    expect(session('agent').resumes).toBe(0);
    ana('outlast stop agent');
  });

  test('whose plug was pulled comes back with its daemon, and knows that nobody planned it', async () => {
    const id = start();
    const conversation = interrupted();
    await box.cut();
    await box.boot();
    await eventually(() => box.ana('systemctl --user is-active outlast.service').out.trim() === 'active', SETTLED);
    expect(status()).toMatchObject({ pid: mainPid(), away: { kind: 'boot', planned: false } });
    await eventually(() => session(id).outcome !== null, SETTLED);
    expect(session(id).outcome?.why).toContain('lost in a restart of the machine');
    // It was installed with --auto: what nobody told us of goes on, too, with nobody there.
    await eventually(() => lastBoot()?.why === 'boot', { ...SETTLED, what: 'a look after the boot' });
    const found = lastBoot()?.conversations.find((one) => one.id === conversation);
    expect(found).toMatchObject({ verdict: 'interrupted', did: 'resumed' });
    expect(session(found?.session ?? '')).toMatchObject({ conversation, workspace: '/home/ana' });
  });
});

test('uninstall takes all of it away, and leaves a session alone', async () => {
  const id = start();
  const pid = await eventually(() => session(id).pid, { what: 'a session that runs' });
  const said = ana('outlast service uninstall');
  expect(said.split('\n').filter((line) => line.startsWith('removed '))).toHaveLength(7);
  expect(ana(`ls -A ${UNITS}`)).toBe('gateway.service');
  expect(box.ana('systemctl --user cat outlast.service').status).toBe(1);
  expect(box.root(`kill -0 ${pid}`).status).toBe(0);
  expect(session(id)).toMatchObject({ outcome: null, pid });
  ana(`outlast stop ${id}; outlast daemon stop`);
});
