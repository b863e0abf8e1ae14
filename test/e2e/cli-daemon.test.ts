import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';

const MAIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const OUTLAST = `'${process.execPath}' '${MAIN}'`;
let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'outlast-real-'));
});

afterEach(async () => {
  using client = connect({ state, start: false });
  const { sessions } = await client.list({ state: 'live' }).catch(() => ({ sessions: [] }));
  for (const { id } of sessions) await client.stop({ session: id, graceMs: 0 });
  const running = await client.daemonStatus().catch(() => null);
  await client.stopDaemon().catch(() => {});
  if (running !== null)
    await eventually(() => !existsSync(`/proc/${running.pid}/exe`), { what: 'the end of the daemon' });
  rmSync(state, { recursive: true, force: true });
});

/** A line of shell in which $O is the command line; its standard input is /dev/null unless the line says otherwise. */
function sh(line: string) {
  const env = { PATH: process.env.PATH, HOME: state, TERM: 'xterm', OUTLAST_STATE: state, O: OUTLAST };
  const ran = spawnSync('bash', ['-c', line.replaceAll('$O', OUTLAST)], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  });
  return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

test('the first command starts the daemon, and exits with the status of what it ran', () => {
  expect(sh(`$O exec -- sh -c 'echo out; echo err >&2; exit 7'`)).toEqual({ status: 7, out: 'out\nerr\n', err: '' });
  expect(sh(`$O exec --split -- sh -c 'echo out; echo err >&2'`)).toEqual({ status: 0, out: 'out\n', err: 'err\n' });
  expect(sh(`$O exec -- no-such-program`).status).toBe(127);
  expect(sh(`$O daemon stop`)).toMatchObject({ status: 0, out: 'The daemon is stopped.\n' });
});

test('a command substitution returns at once, and what it started can be waited for', () => {
  const ran = sh(
    `id=$($O exec -b -- sh -c 'sleep 1; echo done; exit 3'); $O wait "$id"; echo "status $?"; $O output "$id"`,
  );
  expect(ran.out).toMatch(/^[0-9a-z]{20}: exit 3\nstatus 8\ndone\n$/);
});

test('standard input arrives whole, and its end ends the command', () => {
  expect(sh(`printf 'b\\na\\n' | $O exec -- sort`)).toEqual({ status: 0, out: 'a\nb\n', err: '' });
  expect(
    sh(
      `head -c 2000000 /dev/urandom > in; $O exec -- cat < in | cmp - in; rm in`.replaceAll(
        /\bin\b/g,
        join(state, 'in'),
      ),
    ),
  ).toMatchObject({ status: 0, out: '' });
});

test('a daemon killed in the middle of an exec costs nothing', () => {
  const lines = 'for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.1; done; exit 9';
  const pid = `$O daemon status --json | sed 's/.*"pid":\\([0-9]*\\).*/\\1/'`;
  const killing = 'while read -r n; do echo $n; [ $n = 3 ] && kill -9 $pid; done';
  const ran = sh(`$O daemon start >&2; pid=$(${pid}); $O exec -- sh -c '${lines}' | ${killing}; echo "$PIPESTATUS"`);
  expect(ran.out).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n9\n');
});

test('with --pty a person at a terminal types to the command, at the size of the terminal', () => {
  const typed = join(state, 'typed');
  const command = 'stty size; read x; echo got \\$x; exit 4';
  const inside = `stty rows 33 cols 99; $O exec --pty -- sh -c "${command}"; echo status $?`;
  const person = `{ until grep -q '33 99' ${typed} 2>/dev/null; do sleep 0.05; done; echo hello; }`;
  const ran = sh(`${person} | script -qefc ${quoted(inside)} ${typed}`);
  expect(ran.out.replaceAll('\r', '')).toContain('33 99\nhello\ngot hello\nstatus 4\n');
});

function quoted(line: string): string {
  return `'${line.replaceAll('$O', OUTLAST).replaceAll("'", "'\\''")}'`;
}
