import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { crash, isRunning, liveCli, liveScript } from './live.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

const TERMINALS = [[], ['--pty'], ['--tmux']];

test.each([
  [['true'], 0],
  [['sh', '-c', 'exit 7'], 7],
  [['sh', '-c', 'exit 255'], 255],
  [['sh', '-c', 'kill -KILL $$'], 137],
  [['no-such-program-here'], 127],
  [['/etc/passwd'], 126],
  [['/etc'], 126],
])('%j ends as it does without Outlast', async (argv, status) => {
  for (const terminal of TERMINALS) {
    const ran = await world.cli(['exec', ...terminal, '--', ...argv]);
    expect({ terminal, status: ran.status }).toEqual({ terminal, status });
  }
});

test('a command that times out ends with 124, with everything it started', async () => {
  const pids = join(world.state, 'pids');
  const line = `setsid sh -c 'echo $$ >>"${pids}"; trap "" TERM; sleep 1000; sleep 1000' & sleep 1000`;
  const ran = await world.cli(['exec', '--timeout', '400ms', '--grace', '300ms', '-c', line]);
  expect(ran.status).toBe(124);
  expect(ran.stderr).toBe('outlast: timed out\n');
  expect(isRunning(Number(readFileSync(pids, 'utf8')))).toBe(false);
});

test('a command that was stopped while it was in the foreground does not look like a success', async () => {
  await using live = liveCli(world, [
    'exec',
    '--name',
    'polite',
    '-c',
    'trap "exit 0" TERM; echo up; sleep 1000 & wait',
  ]);
  await live.shows('up');
  expect((await world.cli(['stop', 'polite'])).status).toBe(0);
  expect(await live.status()).toBe(143);
  expect(live.stderr).toMatch(/stopped/);
});

test('--yield leaves it with 0 and a line on stderr, and it can be waited for', async () => {
  const ran = await world.cli(['exec', '--yield', '200ms', '-c', 'echo first; read x; echo "then $x"; exit 3']);
  // The caller's input had ended, so read fails at once: it is not yielded.
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([3, 'first\nthen \n', '']);
  const go = join(world.state, 'go');
  const line = `echo first; until [ -e '${go}' ]; do sleep 0.02; done; echo last; exit 3`;
  const left = await world.cli(['exec', '--yield', '200ms', '-c', line]);
  expect([left.status, left.stdout]).toEqual([0, 'first\n']);
  const [, id = ''] = /^Still running: (\S+) /.exec(left.stderr) ?? [];
  writeFileSync(go, '');
  expect((await world.cli(['wait', id])).status).toBe(8);
  expect((await world.cli(['output', id])).stdout).toBe('first\nlast\n');
});

test('output comes as it is printed, not only at the end', async () => {
  const go = join(world.state, 'go-on');
  const line = `printf 'no line end'; until [ -e '${go}' ]; do sleep 0.02; done; echo; echo done`;
  for (const terminal of TERMINALS) {
    await using live = liveCli(world, ['exec', ...terminal, '-c', line]);
    await live.shows('no line end');
    writeFileSync(go, '');
    expect(await live.status()).toBe(0);
    expect(live.stdout.replaceAll('\r', '')).toBe('no line end\ndone\n');
    rmSync(go);
  }
});

test('Ctrl-C reaches the command and its children, and its own status is reported', async () => {
  for (const terminal of TERMINALS) {
    const line = 'trap "echo caught; exit 4" INT; echo ready; while :; do sleep 0.05; done';
    await using live = liveCli(world, ['exec', ...terminal, '-c', line]);
    await live.shows('ready');
    live.child.kill('SIGINT');
    expect({ terminal, status: await live.status() }).toEqual({ terminal, status: 4 });
    expect(live.stdout).toMatch(/caught/);
  }
});

test('a command without a trap dies of Ctrl-C with 130', async () => {
  await using live = liveCli(world, ['exec', '-c', 'echo ready; sleep 1000; echo not reached']);
  await live.shows('ready');
  live.child.kill('SIGINT');
  expect(await live.status()).toBe(130);
  expect(live.stdout).toBe('ready\n');
});

test('stdout and stderr come in one stream in their order; --split keeps them apart', async () => {
  const line = 'for i in 1 2 3; do echo "o$i"; echo "e$i" >&2; done';
  const merged = await world.cli(['exec', '-c', line]);
  expect([merged.stdout, merged.stderr]).toEqual(['o1\ne1\no2\ne2\no3\ne3\n', '']);
  const split = await world.cli(['exec', '--split', '--name', 'split', '-c', line]);
  expect([split.stdout, split.stderr]).toEqual(['o1\no2\no3\n', 'e1\ne2\ne3\n']);
  expect((await world.cli(['output', 'split'])).stdout).toBe('o1\no2\no3\n');
  expect((await world.cli(['output', 'split', '--stderr'])).stdout).toBe('e1\ne2\ne3\n');
});

test('arguments, folder, variables and umask are as given, and only the run marker is added', async () => {
  const folder = join(world.state, "a 'folder'");
  mkdirSync(folder);
  const script = `cd "$OUTLAST_STATE/a 'folder'"; umask 027
    SEEN='from the caller' outlast exec --env 'GIVEN=a  b=c' --env EMPTY= -- \
      sh -c 'pwd; umask; echo "$SEEN|$GIVEN|\${EMPTY-unset}|$1|$2"; env | grep ^OUTLAST_ | cut -d= -f1' \
      x "it's" ''`;
  await using live = liveScript(world, script, { input: '' });
  expect(await live.status()).toBe(0);
  expect(live.stdout).toBe(`${folder}\n0027\nfrom the caller|a  b=c||it's|\nOUTLAST_RUN\n`);
  expect((await world.cli(['exec', '--cwd', folder, '--', 'pwd'])).stdout).toBe(`${folder}\n`);
});

test('with a terminal the command has one, of the requested size; without, it has none', async () => {
  const line = 'for fd in 0 1 2; do [ -t $fd ] && printf y || printf n; done; stty size 2>/dev/null || echo';
  expect((await world.cli(['exec', '-c', line])).stdout).toBe('nnn\n');
  for (const terminal of ['--pty', '--tmux']) {
    const ran = await world.cli(['exec', terminal, '--size', '93x27', '-c', line]);
    expect({ terminal, output: ran.stdout }).toEqual({ terminal, output: 'yyy27 93\r\n' });
    expect((await world.cli(['exec', terminal, '-c', line])).stdout).toBe('yyy30 120\r\n');
  }
});

test('--json says what happened, in one object', async () => {
  const json = async (...args: string[]) => {
    const ran = await world.cli(['exec', '--json', ...args]);
    expect([ran.stderr, ran.stdout.split('\n').length]).toEqual(['', 2]);
    return { ran: ran.status, ...JSON.parse(ran.stdout) };
  };
  expect(await json('--split', '-c', 'echo o; echo e >&2; exit 3')).toMatchObject({
    ran: 3,
    status: 3,
    background: false,
    output: 'o\n',
    stderr: 'e\n',
    session: { phase: 'ended', exit: { status: 3, text: 'exit 3' }, outcome: { kind: 'done' } },
  });
  expect(await json('--timeout', '100ms', '--', 'sleep', '1000')).toMatchObject({
    ran: 124,
    status: 124,
    session: { outcome: { kind: 'stopped', by: 'timeout', bound: 'timeout' } },
  });
  const left = await json('--yield', '50ms', '--', 'sleep', '1000');
  expect(left).toMatchObject({ ran: 0, status: 0, background: true, session: { phase: 'working', exit: null } });
  const started = await json('-b', '--name', 'json', '--', 'sleep', '1000');
  expect(started).toMatchObject({ ran: 0, background: true, session: { name: 'json', background: true } });
  for (const { session } of [left, started]) await world.cli(['stop', session.id, '--now']);
});

test('--json distinguishes a missing command from one that exits with 127', async () => {
  const own = JSON.parse((await world.cli(['exec', '--json', '-c', 'exit 127'])).stdout);
  const missing = JSON.parse((await world.cli(['exec', '--json', '--', 'no-such-program-here'])).stdout);
  const facts = ({ session, status, output, ...rest }: typeof own) => ({
    ...rest,
    status,
    exit: session.exit,
    outcome: session.outcome,
  });
  expect(facts(own)).not.toEqual(facts(missing));
});

test('raw bytes of a command come through as they are, NULs and broken UTF-8 included', async () => {
  await using script = liveScript(
    world,
    `printf 'a\\000b\\377\\303\\n\\033[31mred' >"$OUTLAST_STATE/raw"
     outlast exec -- cat "$OUTLAST_STATE/raw" </dev/null | cmp - "$OUTLAST_STATE/raw" && echo same`,
  );
  await script.shows('same');
  expect(await script.status()).toBe(0);
});

test('the daemon killed in the middle of a foreground exec: all output once, and the true status', async () => {
  const go = join(world.state, 'go-after-crash');
  const line = `i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done
    until [ -e '${go}' ]; do sleep 0.02; done; while [ $i -lt 4000 ]; do echo "line $i"; i=$((i+1)); done; exit 6`;
  await using live = liveCli(world, ['exec', '-c', line]);
  await live.shows('line 1500\n');
  await crash(world, () => writeFileSync(go, ''));
  expect(await live.status(20_000)).toBe(6);
  expect(live.stdout).toBe(Array.from({ length: 4000 }, (_, i) => `line ${i}\n`).join(''));
});

test('the daemon is killed and no other caller starts a new one: the foreground exec does', async () => {
  const go = join(world.state, 'go-by-itself');
  const line = `echo before; until [ -e '${go}' ]; do sleep 0.02; done; echo after; exit 6`;
  await using live = liveCli(world, ['exec', '-c', line]);
  await live.shows('before');
  const { pid } = await world.client.daemonStatus();
  process.kill(pid, 'SIGKILL');
  const next = await eventually(() => world.client.daemonStatus(), { what: 'a daemon started by who waits' });
  expect(next.pid).not.toBe(pid);
  writeFileSync(go, '');
  expect(await live.status(20_000)).toBe(6);
  expect(live.stdout).toBe('before\nafter\n');
});
