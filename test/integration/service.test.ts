import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Facts } from '../../src/cli/service/plan.ts';
import { planOf } from '../../src/cli/service/plan-of.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'bin/outlast.cjs');
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'outlast-service-'));
  mkdirSync(join(home, 'bin'));
});

afterEach(async () => {
  // Also one that only waits for the end of another: it would start in a folder that is gone.
  const isLeft = (): boolean => {
    const pids = processes();
    for (const pid of pids) quietly(() => process.kill(pid, 'SIGKILL'));
    return pids.length > 0;
  };
  await eventually(() => !isLeft(), { what: 'the end of every daemon of this test' });
  rmSync(home, { recursive: true, force: true });
});

/** Processes with the home of this test. */
function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => quietly(() => readFileSync(`/proc/${name}/environ`, 'utf8'))?.includes(`HOME=${home}\0`))
    .map(Number);
}

function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const stateOf = (): string => join(home, '.local/state/outlast');
const units = (): string => join(home, '.config/systemd/user');
const config = (): string => join(home, '.config/outlast/config.json');

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** A systemctl that prints what the test wants, records its arguments, and starts what it is asked to start. */
function stubSystemctl(word = 'running'): void {
  const daemon = `"${process.execPath}" "${join(ROOT, 'dist/daemon.js')}" --wait </dev/null >/dev/null 2>&1`;
  put(
    join(home, 'bin/systemctl'),
    `#!/bin/sh
echo "$*" >> ${home}/asked
pid=$(cat ${home}/pid 2>/dev/null)
is_up() { [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; }
start() { is_up || { ${daemon} & echo $! > ${home}/pid; }; }
case "$*" in
  *is-system-running) echo ${word}; [ ${word} = running ] ;;
  *" restart "*) is_up && kill "$pid"; while is_up; do :; done; start ;;
  *" start "*) start ;;
esac
`,
    0o755,
  );
}

function stubCrontab(): void {
  const table = `${home}/table`;
  const script = `#!/bin/sh\nif [ "$1" = - ]; then cat > ${table}; else cat ${table} 2>/dev/null; fi\n`;
  put(join(home, 'bin/crontab'), script, 0o755);
}

const asked = (): string[] =>
  existsSync(`${home}/asked`) ? readFileSync(`${home}/asked`, 'utf8').trim().split('\n') : [];

function outlast(...words: string[]) {
  // Only what a shell needs of the system: the real systemctl and crontab must not be used.
  const env = { PATH: `${home}/bin:${home}/system`, HOME: home, USER: 'ana' };
  if (!existsSync(`${home}/system`))
    spawnSync('sh', ['-c', `mkdir ${home}/system && ln -s /bin/sh /bin/cat ${home}/system`]);
  const ran = spawnSync(process.execPath, [CLI, ...words], { encoding: 'utf8', env, timeout: 60_000 });
  return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

/** Every file below the home, and the targets of links; not the daemon's own files. */
function tree(folder = home): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const is = relative(home, path);
      if (/^(\.local|\.cache|asked|pid|bin|system)$/.test(is)) return [];
      return lstatSync(path).isDirectory() ? tree(path) : [is];
    });
}

describe('service install', () => {
  test('--print shows files and commands, and writes nothing', () => {
    stubSystemctl();
    const before = tree();
    const ran = outlast('service', 'install', '--print', '--after', 'openclaw-gateway.service');
    expect(ran.err).toBe('');
    for (const text of [
      'Type=notify',
      'KillMode=process',
      'openclaw-gateway.service.d/outlast.conf',
      'enable-linger',
    ]) {
      expect(ran.out).toContain(text);
    }
    expect(tree()).toEqual(before);
    expect(asked()).toEqual(['--user is-system-running']);
    expect(existsSync(stateOf())).toBe(false);
  });

  test('writes units, hands the daemon over, and uninstall removes exactly that', async () => {
    stubSystemctl();
    put(join(units(), 'mine.service'), '[Service]\nExecStart=/bin/true\n');
    put(join(units(), 'openclaw-gateway.service.d/other.conf'), '[Service]\nNice=1\n');
    put(join(units(), 'x.service.d/outlast.conf'), '[Service]\nNice=2\n');
    const before = tree();
    const words = ['service', 'install', '--after', 'openclaw-gateway', '--after', 'y.service'];
    const ran = outlast(...words);
    expect(ran).toMatchObject({ status: 0, err: '' });
    expect(ran.out).toMatch(/The daemon runs with pid \d+; systemd starts it from now on/);
    expect(asked()).toContain('--user daemon-reload');
    expect(asked().filter((line) => / restart /.test(line))).toHaveLength(1);
    const made = tree();
    expect(made).toContain('.config/systemd/user/default.target.wants/outlast.service');
    expect(made).toContain('.config/systemd/user/y.service.d/outlast.conf');
    expect(outlast('service', 'status')).toMatchObject({ status: 0, out: expect.stringMatching(/^systemd manages/) });
    // A second time changes nothing, and loses nothing.
    expect(outlast('service', 'install').status).toBe(0);
    expect(tree()).toEqual(made);
    const removed = outlast('service', 'uninstall');
    expect(removed.out).toContain('y.service.d/outlast.conf');
    expect(tree()).toEqual(before);
    expect(existsSync(join(stateOf(), 'service.json'))).toBe(false);
    expect(outlast('service', 'uninstall').out).toBe('Nothing is installed.\n');
    expect(outlast('service', 'status')).toMatchObject({
      status: 5,
      out: expect.stringMatching(/^Not installed/),
    });
  });

  test('refuses to overwrite a foreign file, and writes nothing at all', () => {
    stubSystemctl();
    put(join(units(), 'outlast-boot.service'), '[Service]\nExecStart=/bin/true\n');
    const before = tree();
    const ran = outlast('service', 'install');
    expect(ran).toMatchObject({
      status: 4,
      err: expect.stringContaining('outlast-boot.service was not written by outlast'),
    });
    expect(tree()).toEqual(before);
    outlast('service', 'uninstall');
    expect(tree()).toEqual(before);
  });

  test('reports a unit for programs that moved', () => {
    stubSystemctl();
    outlast('service', 'install');
    const file = join(units(), 'outlast.service');
    writeFileSync(file, readFileSync(file, 'utf8').replace('daemon.js', 'older.js'));
    expect(outlast('service', 'status').out).toMatch(
      /stale +\S+outlast.service\n[\s\S]*run `outlast service install` again/,
    );
  });

  test('uses cron where systemd does not answer, and restores the crontab as it was', () => {
    stubSystemctl('offline');
    stubCrontab();
    const table = '0 4 * * * backup\n';
    writeFileSync(join(home, 'table'), table);
    const ran = outlast('service', 'install');
    expect(ran).toMatchObject({ status: 0, err: '' });
    expect(ran.out).toContain('There is no systemd for this user: systemctl --user says: offline');
    const lines = readFileSync(join(home, 'table'), 'utf8').split('\n');
    expect(lines[0]).toBe('0 4 * * * backup');
    expect(lines[2]).toMatch(/^@reboot env .* daemon start >\/dev\/null 2>&1$/);
    expect(outlast('service', 'status')).toMatchObject({ status: 0, out: expect.stringMatching(/^cron manages/) });
    expect(outlast('service', 'uninstall').out).toBe('removed crontab\n');
    expect(readFileSync(join(home, 'table'), 'utf8')).toBe(table);
  });

  test('the crontab line starts the daemon with the environment it names', () => {
    stubSystemctl('offline');
    stubCrontab();
    outlast('service', 'install');
    outlast('daemon', 'stop');
    const line = readFileSync(join(home, 'table'), 'utf8').split('\n')[1] ?? '';
    // As cron does: sh, almost no environment, and \% is a percent sign.
    spawnSync('/bin/sh', ['-c', line.replace('@reboot ', '').replaceAll('\\%', '%')], {
      env: { PATH: '/usr/bin:/bin' },
    });
    expect(outlast('daemon', 'status').status).toBe(0);
  });

  test('with cron the running daemon continues, and the crontab line starts no second one', async () => {
    stubSystemctl('offline');
    stubCrontab();
    expect(outlast('exec', '-b', '--name', 'sleeper', '--', '/bin/sleep', '1000').status).toBe(0);
    const serving = (): number => JSON.parse(outlast('daemon', 'status', '--json').out).pid;
    const daemons = (): number[] =>
      processes().filter((pid) => quietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.includes('daemon.js'));
    const pid = serving();
    const ran = outlast('service', 'install');
    expect([ran.status, ran.err]).toEqual([0, '']);
    expect(ran.out).toContain(`The daemon still runs with pid ${pid}; cron starts it from now on.`);
    const line = readFileSync(join(home, 'table'), 'utf8').split('\n')[1] ?? '';
    const cron = spawnSync('/bin/sh', ['-c', line.replace('@reboot ', '').replaceAll('\\%', '%')], {
      env: { PATH: '/usr/bin:/bin' },
    });
    expect([cron.status, serving(), daemons()]).toEqual([0, pid, [pid]]);
    expect(outlast('list').out).toMatch(/sleeper/);
    outlast('stop', 'sleeper');
  });

  test('without any service manager it says what was looked for', () => {
    expect(outlast('service', 'install')).toMatchObject({
      status: 4,
      err: expect.stringContaining('systemctl is not installed; there is no crontab either'),
    });
  });
});

describe('conversations that outlast did not start', () => {
  const foreign = (): unknown => JSON.parse(readFileSync(config(), 'utf8')).boot?.foreign;

  test('--auto is written into the config, and all else in it stays', () => {
    stubSystemctl();
    put(config(), '{"runsMax": 7}');
    expect(outlast('service', 'install', '--auto').status).toBe(0);
    expect(JSON.parse(readFileSync(config(), 'utf8'))).toEqual({ runsMax: 7, boot: { foreign: 'auto' } });
  });

  test('without a terminal no question is asked, and a config that cannot be read is left alone', () => {
    stubSystemctl();
    expect(outlast('service', 'install').status).toBe(0);
    expect(existsSync(config())).toBe(false);
    put(config(), '{broken');
    expect(outlast('service', 'install', '--auto')).toMatchObject({
      status: 2,
      err: expect.stringContaining('is not JSON'),
    });
    expect(readFileSync(config(), 'utf8')).toBe('{broken');
    expect(outlast('service', 'install', '--foreign', 'maybe')).toMatchObject({ status: 2 });
  });

  test('a person is asked once', () => {
    stubSystemctl();
    const env = { PATH: `${home}/bin:${process.env.PATH}`, HOME: home, TERM: 'xterm' };
    const line = `'${process.execPath}' '${CLI}' service install`;
    const ask = (): string =>
      spawnSync('script', ['-qefc', line, '/dev/null'], { encoding: 'utf8', env, input: 'auto\n', timeout: 60_000 })
        .stdout;
    expect(ask()).toContain('Which? [ask]');
    expect(foreign()).toBe('auto');
    expect(ask()).not.toContain('Which?');
  });
});

describe('who starts the daemon', () => {
  test('is the service manager where one manages it, and the command where that fails', async () => {
    stubSystemctl();
    outlast('service', 'install');
    outlast('daemon', 'stop');
    const bringing = (): number => asked().filter((line) => line.includes('start --no-block outlast.service')).length;
    const before = bringing();
    expect(outlast('daemon', 'start').status).toBe(0);
    expect(bringing()).toBeGreaterThan(before);
    outlast('daemon', 'stop');
    put(join(home, 'bin/systemctl'), '#!/bin/sh\nexit 1\n', 0o755);
    expect(outlast('daemon', 'start')).toMatchObject({ status: 0, err: '' });
  });

  test('a daemon that waits takes over when the other one dies', async () => {
    await using world = new World();
    await world.start();
    const { pid: first } = await world.client.daemonStatus();
    const waiting = new World({ state: world.state, wrap: ['sh', '-c', 'exec "$@" --wait', 'sh'] });
    expect(await waiting.start()).toBe(first);
    await eventually(() => /waiting for it to end/.test(world.log()), { what: 'a second daemon that waits' });
    await world.kill();
    const status = await eventually(() => waiting.client.daemonStatus(), { what: 'the second daemon' });
    expect(status.pid).not.toBe(first);
    await waiting[Symbol.asyncDispose]();
  });
});

describe('systemd itself', () => {
  const facts = (more: Partial<Facts> = {}): Facts => ({
    platform: 'linux',
    user: 'ana',
    uid: 1000,
    home,
    configHome: join(home, 'c'),
    state: stateOf(),
    suffix: '',
    node: process.execPath,
    daemon: join(ROOT, 'dist/daemon.js'),
    cli: CLI,
    env: { HOME: home, OUTLAST_SHELL: `/bin/100%"$\\'<sh>&` },
    systemd: true,
    lingers: true,
    busMonitor: 'dbus-monitor',
    crontab: false,
    ipv6: true,
    webPort: 7717,
    ...more,
  });

  function verify(more: Partial<Facts>): { status: number | null; said: string } {
    const { files } = planOf(facts(more), { starter: 'systemd', after: ['outlast-gateway'], web: ['desk.example'] });
    for (const { path, text } of files) put(path, text);
    put(join(home, 'c/systemd/user/outlast-gateway.service'), '[Service]\nExecStart=/bin/true\n');
    const paths = files.filter(({ path }) => /\.(?:service|socket)$/.test(path)).map(({ path }) => path);
    const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, 'c'), XDG_RUNTIME_DIR: home };
    const ran = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', ...paths], { encoding: 'utf8', env });
    return { status: ran.status, said: `${ran.stdout}${ran.stderr}` };
  }

  test.each([
    ['dbus-monitor', {}],
    ['gdbus', { busMonitor: 'gdbus' }],
    ['another state folder', { suffix: '-0a1b2c3d' }],
  ] as const)('accepts the units (%s)', (_, more) => {
    expect(verify(more)).toEqual({ status: 0, said: '' });
  });

  test('accepts units of programs in folders with strange names', () => {
    const node = join(home, `it's 100% $HOME "node" \\n`);
    put(node, '#!/bin/sh\n', 0o755);
    expect(verify({ node })).toEqual({ status: 0, said: '' });
  });

  test('reports an error for a wrong unit', () => {
    expect(verify({ node: '/nonexistent/node' }).said).toContain('/nonexistent/node is not executable');
  });
});

test.each(['dbus-monitor', 'gdbus'] as const)(
  'the line that listens with %s notifies the daemon of each wake-up',
  (name) => {
    const said = {
      'dbus-monitor': (word: string) => `signal sender=:1.2 member=PrepareForSleep\n   boolean ${word}\n`,
      gdbus: (word: string) => `/org/freedesktop/login1: org.freedesktop.login1.Manager.PrepareForSleep (${word},)\n`,
    };
    const noise = 'signal sender=org.freedesktop.DBus member=NameAcquired\n   string ":1.9"\n';
    put(join(home, 'said'), `${noise}${['true', 'false', 'true', 'false'].map(said[name]).join('')}`);
    put(join(home, 'bin', name), `#!/bin/sh\ncat ${home}/said\n`, 0o755);
    put(join(home, 'bin/node'), `#!/bin/sh\necho "$*" >> ${home}/told\n`, 0o755);
    const plan = planOf(
      { ...JSON.parse(JSON.stringify(FACTS)), node: join(home, 'bin/node'), busMonitor: name },
      { starter: 'systemd', after: [] },
    );
    const unit = plan.files.find(({ path }) => path.endsWith('-wake.service'))?.text ?? '';
    const line = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
    // The quotes of systemd are those of a shell here; a dollar sign is doubled for systemd alone.
    const ran = spawnSync('sh', ['-c', line.replaceAll('$$', '$')], {
      env: { PATH: `${home}/bin:/usr/bin:/bin` },
      encoding: 'utf8',
    });
    expect(ran.stderr).toBe('');
    expect(readFileSync(join(home, 'told'), 'utf8')).toBe('/cli.cjs daemon wake\n/cli.cjs daemon wake\n');
  },
);

const FACTS: Facts = {
  platform: 'linux',
  user: 'ana',
  uid: 1000,
  home: '/home/ana',
  configHome: '/home/ana/.config',
  state: '/home/ana/.local/state/outlast',
  suffix: '',
  node: '/node',
  daemon: '/daemon.js',
  cli: '/cli.cjs',
  env: {},
  systemd: true,
  lingers: true,
  busMonitor: null,
  crontab: false,
  ipv6: true,
  webPort: 7717,
};
