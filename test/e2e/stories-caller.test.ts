import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld, World } from '../world.ts';
import { isRunning, Live, liveScript, pathWithOutlast } from './live.ts';

const script = `exec 7>&1 8</dev/null
  line='until [ -e "$0" ]; do sleep 0.02; done; echo hi; exit 5'
  id=$(outlast exec --background --name made -- sh -c "$line" "$OUTLAST_STATE/go")
  echo "id=$id"`;

test.each([
  ['with a daemon', true],
  ['when no daemon runs yet', false],
])(
  '$(outlast exec --background …) returns at once %s, holds nothing of the script, and the id works',
  async (_, started) => {
    await using world = new World();
    if (started) await world.start();
    await using live = liveScript(world, script, { detached: true });
    // The end is seen only when no process has the script's stdout any more, fd 7 included.
    expect(await live.status()).toBe(0);
    expect(live.stderr).toBe('');
    const [, id = ''] = /^id=([0-9a-z]{20})\n$/.exec(live.stdout) ?? [];
    const { session } = await world.client.session(id).show();
    expect(session).toMatchObject({ name: 'made', background: true, outcome: null });
    writeFileSync(join(world.state, 'go'), '');
    const waited = await world.cli(['wait', id, '--json']);
    expect([waited.status, JSON.parse(waited.stdout).session.exit.status]).toEqual([8, 5]);
    expect((await world.cli(['output', id])).stdout).toBe('hi\n');
  },
);

test('a daemon that a caller started inherits nothing of that caller', async () => {
  await using world = new World();
  const script = 'cd "$OUTLAST_STATE"; readlink /proc/$$/fd/1 >&2; MINE=1 outlast exec -b -- sleep 1000';
  await using live = liveScript(world, script, { detached: true });
  expect(await live.status()).toBe(0);
  const { pid } = await world.client.daemonStatus();
  const run = (await eventually(async () => (await world.client.list()).sessions[0]?.pid)) as number;
  const environ = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  expect(environ.filter((each) => /^(MINE|OUTLAST_RUN|NODE_OPTIONS)=|^PWD=.*outlast/.test(each))).toEqual([]);
  expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
  for (const each of [pid, run]) {
    expect(sessionOf(each)).not.toBe(live.pid);
    const open = readdirSync(`/proc/${each}/fd`).map((fd) => readlinkSync(`/proc/${each}/fd/${fd}`));
    expect(live.stderr).toMatch(/:\[\d+\]\n$/);
    expect(open).not.toContain(live.stderr.trim());
  }
});

test('a lock that a script holds on a file is free when the script is over', async () => {
  await using world = new World();
  const lock = join(world.state, 'lock');
  await using live = liveScript(world, `exec 9>'${lock}'; flock 9; outlast exec -b -- sleep 1000`, { detached: true });
  expect(await live.status()).toBe(0);
  await eventually(async () => (await world.client.list()).sessions[0]?.pid);
  await using next = liveScript(world, `flock -n '${lock}' echo free`);
  expect([await next.status(), next.stdout]).toEqual([0, 'free\n']);
});

const untilGo = (go: string, rest: string): string => `echo up; until [ -e '${go}' ]; do sleep 0.02; done; ${rest}`;

test.each([
  ['HUP to its group', 'with a daemon', (live: Live) => process.kill(-live.pid, 'SIGHUP')],
  ['KILL to its group', 'with a daemon', (live: Live) => process.kill(-live.pid, 'SIGKILL')],
  ['HUP and KILL to its session', 'that it started the daemon for', killSession],
  ['TERM to its group', 'that it started the daemon for', (live: Live) => process.kill(-live.pid, 'SIGTERM')],
])('a command outlives %s of a caller %s', async (_, daemon, hurt) => {
  await using world = new World();
  if (daemon === 'with a daemon') await world.start();
  const go = join(world.state, 'go');
  const path = { PATH: pathWithOutlast(world), LINE: untilGo(go, 'echo end; exit 9') };
  const caller = ['sh', '-c', 'outlast exec --name kept -- sh -c "$LINE"; echo never'];
  await using live = new Live(caller, world.env, { detached: true, env: path });
  await live.shows('up');
  const pid = await eventually(async () => (await world.client.session('kept').show()).session.pid);
  hurt(live);
  await live.status();
  const after = await eventually(async () => {
    const { session } = await world.client.session('kept').show();
    return session.background && session;
  });
  expect(after).toMatchObject({ pid, phase: 'working' });
  writeFileSync(go, '');
  expect((await world.client.session('kept').wait({ timeoutMs: 10_000 })).session.exit?.status).toBe(9);
  expect((await world.cli(['output', 'kept'])).stdout).toBe('up\nend\n');
  expect(await world.events('kept')).toContain('session.backgrounded');
});

test('a command outlives the terminal of its caller, as at the end of an SSH connection', async () => {
  await using world = new World();
  const go = join(world.state, 'go');
  for (const [name, terminal] of [
    ['plain', ''],
    ['with-pty', '--pty'],
  ] as const) {
    const env = { ...world.env, PATH: pathWithOutlast(world), LINE: untilGo(go, 'echo end; exit 9'), TERM: 'xterm' };
    const login = spawn('sh', ['-c', `outlast exec ${terminal} --name ${name} -- sh -c "$LINE"`], { env });
    let shown = '';
    let ended = false;
    login.onData((text) => {
      shown += text;
    });
    login.onExit(() => {
      ended = true;
    });
    await eventually(() => shown.includes('up'));
    // Closing the terminal is what sshd does; the kernel sends SIGHUP to every process in it.
    login.kill('SIGHUP');
    (login as unknown as { destroy(): void }).destroy();
    await eventually(() => ended, { what: 'the end of the login' });
    expect((await world.client.session(name).show()).session.outcome).toBe(null);
  }
  writeFileSync(go, '');
  for (const name of ['plain', 'with-pty'])
    expect((await world.client.session(name).wait({ timeoutMs: 10_000 })).session.exit?.status).toBe(9);
});

test('a daemon first started from inside a run survives the stop of that run', async () => {
  await using outer = await makeWorld();
  await using inner = new World();
  const line = `export OUTLAST_STATE='${inner.state}' OUTLAST_CONFIG='${inner.state}/config.json'
    outlast exec -b --name inner -- sleep 1000; echo started; sleep 1000`;
  const env = { PATH: pathWithOutlast(inner) };
  expect((await outer.cli(['exec', '-b', '--name', 'outer', '--', 'sh', '-c', line], { env })).status).toBe(0);
  await outer.client.session('outer').wait({ for: 'text:started', since: 0, timeoutMs: 15_000 });
  const before = await inner.client.daemonStatus();
  expect((await outer.cli(['stop', 'outer', '--now'])).status).toBe(0);
  expect((await inner.client.daemonStatus()).pid).toBe(before.pid);
  const { session } = await inner.client.session('inner').show();
  expect(session.phase).toBe('working');
  expect(isRunning(session.pid ?? 0)).toBe(true);
  expect((await inner.cli(['stop', 'inner'])).status).toBe(0);
});

test('a daemon restarted from inside one of its runs survives the stop of that run, and so do other runs', async () => {
  await using world = await makeWorld();
  const go = join(world.state, 'go');
  const line = `export OUTLAST_STATE='${world.state}' OUTLAST_CONFIG='${world.state}/config.json'
    until [ -e '${go}' ]; do sleep 0.02; done; outlast exec -b --name child -- sleep 1000; echo back; sleep 1000`;
  const env = { PATH: pathWithOutlast(world) };
  await world.cli(['exec', '-b', '--name', 'bystander', '--', 'sleep', '1000']);
  await world.cli(['exec', '-b', '--name', 'starter', '--', 'sh', '-c', line], { env });
  await eventually(async () => (await world.client.session('starter').show()).session.pid);
  await world.kill();
  writeFileSync(go, '');
  const { pid } = await eventually(() => world.client.daemonStatus(), { what: 'a daemon that the run started' });
  await world.client.session('starter').wait({ for: 'text:back', since: 0, timeoutMs: 15_000 });
  expect((await world.cli(['stop', 'starter', '--now'])).status).toBe(0);
  expect((await world.client.daemonStatus()).pid).toBe(pid);
  for (const name of ['bystander', 'child'])
    expect((await world.client.session(name).show()).session.phase).toBe('working');
});

/** The session that a process belongs to: field 6 of its stat. */
function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[3]);
}

function killSession(live: Live): void {
  const members = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && sessionOf(Number(name)) === live.pid;
    } catch {
      return false;
    }
  });
  for (const signal of ['SIGHUP', 'SIGKILL'] as const)
    for (const pid of members) if (isRunning(Number(pid))) process.kill(Number(pid), signal);
}
