import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OutlastError } from '../../src/base/errors.ts';
import { SCRIPTS } from '../../src/cli/commands/completion.ts';
import { aSession, endedSession } from '../../src/testing/session-view.ts';
import { COMPILED } from '../compiled.ts';
import { eventually } from '../eventually.ts';
import type { Answers } from '../fake-daemon.ts';
import { cliWorld } from './cli-world.ts';

const ID = aSession().id;
/** The caller: every call that changes a session identifies it. */
const caller = expect.objectContaining({ pid: expect.any(Number) });

function page(text: string, parts: object = {}) {
  return {
    text,
    from: 0,
    next: text.length,
    end: text.length,
    more: false,
    droppedBytes: 0,
    incomplete: false,
    ended: true,
    ...parts,
  };
}

test('a poll is acknowledged after it is printed, and not before', async () => {
  const isPrinted = () => running.printed.out.endsWith('Process still running.\n');
  await using world = await cliWorld({
    'session.poll': () => ({
      session: aSession(),
      text: 'new\n',
      from: 0,
      next: 4,
      notices: ['[earlier output was discarded]'],
    }),
    // The caller waits for this answer: what is not printed by now would never be.
    'session.ack': async () => void (await eventually(isPrinted, { msMax: 3_000 })),
  });
  const running = world.start(['process', 'poll', 'fix', '--timeout', '2s', '--reader', 'me']);
  const out = '[earlier output was discarded]\nnew\n\nProcess still running.\n';
  expect(await running.ended).toEqual({ status: 0, out, err: '' });
  expect(world.daemon.inputsOf('session.poll')[0]).toEqual({
    session: 'fix',
    timeoutMs: '2000',
    reader: 'me',
    lease: 'true',
    caller: expect.stringContaining('pid'),
  });
  expect(world.daemon.inputsOf('session.ack')).toEqual([{ session: ID, cursor: 4, reader: 'me', caller }]);
});

test('a log shows the last lines and says how many there are', async () => {
  const lines = { offset: 800, next: 1000, total: 1000 };
  await using world = await cliWorld({ 'session.output': () => page('z\n'.repeat(200), { lines }) });
  const { out } = await world.run(['process', 'log', 's']);
  expect(out).toContain('z\n\n[showing last 200 of 1000 lines; pass --offset/--limit to page]\n');
  await world.run(['process', 'log', 's', '--limit', '5']);
  await world.run(['process', 'log', 's', '--offset', '3', '--limit', '2']);
  await world.run(['process', 'log', 's', '--from', '10', '--bytes', '20']);
  expect(world.daemon.inputsOf('session.output')).toEqual([
    { session: 's', tail: '200' },
    { session: 's', tail: '5' },
    { session: 's', offset: '3', limit: '2' },
    { session: 's', from: '10', bytes: '20' },
  ]);
});

test('a log spans as many pages as it needs, and says where bytes were dropped in the meantime', async () => {
  await using world = await cliWorld({
    'session.output': (input) =>
      input.from !== '4'
        ? page('a1\na2', { next: 4, end: 9, more: true })
        : input.limit === '2'
          ? page('b\nc\n', { from: 4, next: 8, end: 9, more: true })
          : page('b\nc\nd', { from: 4, next: 9, end: 9 }),
  });
  expect((await world.run(['process', 'log', 's', '--offset', '0'])).out).toBe('a1\na2b\nc\nd\n');
  expect((await world.run(['process', 'log', 's', '--offset', '0', '--limit', '3'])).out).toBe('a1\na2b\nc\n');
  expect((await world.run(['process', 'log', 's', '--from', '0'])).out).toBe('a1\na2b\nc\nd\n');
  expect((await world.run(['process', 'log', 's', '--from', '0', '--bytes', '4'])).out).toBe('a1\na2');
  await world.replaceDaemon({
    'session.output': (input) =>
      input.from === '2' ? page('c\n', { from: 9, next: 11, end: 11 }) : page('a\n', { end: 11, more: true }),
  });
  const lost = '[7 bytes were discarded at the retention cap and cannot be recovered]\n';
  expect((await world.run(['process', 'log', 's', '--offset', '0'])).out).toBe(`a\n${lost}c\n`);
});

test('the last lines that do not fit into one answer are read by their number', async () => {
  await using world = await cliWorld({
    'session.output': (input) => {
      if (input.tail !== undefined) return page('z\n', { lines: { offset: 6, next: 7, total: 7 } });
      return input.offset === '4'
        ? page('x\n', { next: 20, end: 24, more: true })
        : page('y\nz\n', { from: 20, next: 24, end: 24 });
    },
  });
  for (const words of [
    ['output', 's', '--tail', '3', '--raw'],
    ['process', 'log', 's', '--limit', '3'],
  ]) {
    expect((await world.run(words)).out).toBe('x\ny\nz\n');
    expect(world.daemon.inputsOf('session.output').at(-1)).toMatchObject({ from: '20', view: 'text' });
  }
});

test('an empty log says so, and what is missing from it', async () => {
  await using world = await cliWorld({
    'session.output': () => page('', { ended: false, droppedBytes: 5, incomplete: true }),
  });
  const lines =
    '[the first 5 bytes were discarded at the retention cap and cannot be recovered]\n' +
    '[output may be incomplete]\n(no output yet)\n';
  expect((await world.run(['process', 'log', 's'])).out).toBe(lines);
});

test('write, keys, submit and paste reach the session, and report it in the known words', async () => {
  await using world = await cliWorld({ 'session.write': () => ({ bytes: 3, pendingBytes: 0 }) });
  const lines = [
    await world.run(['process', 'write', 's', 'übe', '--eof']),
    await world.run(['process', 'write', 's', '-'], 'from stdin'),
    await world.run(['process', 'send-keys', 's', 'C-c', 'Enter', '--hex', '1b', '--literal', 'x']),
    await world.run(['process', 'submit', 's']),
    await world.run(['process', 'paste', 's', '-'], 'pasted'),
    await world.run(['keys', 's', 'Up']),
  ];
  expect(lines.map(({ out, err }) => out + err)).toEqual([
    'Wrote 4 bytes to session s (stdin closed).\n',
    'Wrote 10 bytes to session s.\n',
    'Sent 3 bytes to session s.\n',
    'Submitted session s.\n',
    'Pasted 6 chars to session s.\n',
    'Sent 3 bytes to session s.\n',
  ]);
  expect(world.daemon.inputsOf('session.write')).toMatchObject([
    { session: 's', base64: Buffer.from('übe').toString('base64'), eof: true },
    { session: 's', base64: Buffer.from('from stdin').toString('base64'), eof: false },
    { session: 's', base64: 'eA==', hex: ['1b'], keys: ['C-c', 'Enter'] },
    { session: 's', submit: true },
    { session: 's', paste: 'pasted' },
    { session: 's', keys: ['Up'] },
  ]);
});

test('a large input goes in pieces that fit, the end with the last', async () => {
  await using world = await cliWorld({
    'session.write': (input) => ({ bytes: Buffer.from(String(input.base64 ?? ''), 'base64').length, pendingBytes: 0 }),
  });
  const text = 'y'.repeat(1_300_000);
  expect((await world.run(['process', 'write', 's', '-', '--eof'], text)).out).toBe(
    'Wrote 1300000 bytes to session s (stdin closed).\n',
  );
  const writes = world.daemon.inputsOf('session.write');
  expect(writes.map((write) => Buffer.from(String(write.base64), 'base64').length)).toEqual([
    524_288, 524_288, 251_424,
  ]);
  expect(writes.map((write) => write.eof)).toEqual([undefined, undefined, true]);
});

test('list shows a neat table with full ids and tails', async () => {
  const sessions = [
    { ...aSession({ name: 'fix-tests', argv: ['npm', 'test'] }), tail: ['one', 'two'] },
    endedSession(7, { terminal: 'pty', argv: ['sh', '-c', 'echo \x1b[31m'] }),
  ];
  await using world = await cliWorld({ 'session.list': () => ({ sessions, more: true }) });
  const ran = await world.run(['list', '--live', '--tail', '2', '--limit', '2']);
  const lines = ran.out.split('\n');
  expect(lines[0]).toMatch(/^SESSION +STATE +STARTED +TIME +TERMINAL +COMMAND$/);
  expect(lines[1]).toMatch(/^fix-tests +working +.* ago +.* pipe +npm test$/);
  expect(lines.slice(2, 4)).toEqual(['    one', '    two']);
  expect(lines[4]).toMatch(new RegExp(`^${ID}  exit 7 +.* 5\\.0s +pty +sh -c 'echo \\\\x1b\\[31m'$`));
  expect(ran.err).toBe(`There are more: outlast list --live --tail 2 --limit 2 --before ${ID}\n`);
  expect(world.daemon.inputsOf('session.list')).toEqual([{ state: 'live', tail: '2', limit: '2' }]);
});

test.each([
  ['exit', endedSession(0), 'exit', 0],
  ['exit', endedSession(1), 'exit', 8],
  ['text:x', aSession(), 'nothing', 6],
  ['exit', aSession({ phase: 'held', held: 'login' }), 'nothing', 7],
] as const)('wait --for %s on %j that met %s ends with the right status', async (what, session, met, status) => {
  await using world = await cliWorld({
    'session.output': () => page(''),
    'session.wait': () => ({ session, met, cursor: 0 }),
  });
  expect((await world.run(['wait', 's', '--for', what, '--timeout', '1s'])).status).toBe(status);
});

test('a missing session is 3, with a hint', async () => {
  const missing = () => {
    throw new OutlastError('session_not_found', 'there is no session "nope"');
  };
  await using world = await cliWorld({ 'session.wait': missing, 'session.show': missing, 'session.stop': missing });
  for (const words of [
    ['wait', 'nope'],
    ['show', 'nope'],
    ['stop', 'nope'],
  ]) {
    const err = 'outlast: there is no session "nope"\n  Run `outlast list` to see the names.\n';
    expect(await world.run(words)).toEqual({ status: 3, out: '', err });
  }
});

test('at a terminal, the end that was waited for is on a line of its own', async () => {
  const spun = Promise.withResolvers<void>();
  await using world = await cliWorld({
    'session.wait': async () => {
      await spun.promise;
      return { met: 'exit', session: endedSession(0), position: 1 };
    },
  });
  const env = { ...process.env, OUTLAST_STATE: world.state, XDG_CACHE_HOME: COMPILED };
  const line = `'${process.execPath}' bin/outlast.cjs wait ${ID} --for exit`;
  const terminal = spawn('script', ['-qefc', line, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let shown = '';
  terminal.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (shown.includes('waiting for exit')) spun.resolve();
  });
  await new Promise((resolve) => terminal.on('close', resolve));
  expect(shown.split('\r\x1b[K').at(-1)).toBe(`${ID}: exit 0\r\n`);
});

test('a session that cannot be stopped does not affect the others', async () => {
  await using world = await cliWorld({
    'session.stop': (input) => {
      if (input.session === 'b') throw new OutlastError('session_not_found', 'there is no session "b"');
      const outcome = { kind: 'stopped', by: 'caller' } as const;
      return { session: endedSession(143, { outcome, endedAtMs: Date.now() }) };
    },
  });
  const ran = await world.run(['stop', 'a', 'b', 'c', '--now']);
  expect(ran).toMatchObject({ status: 3, out: 'a: stopped by you\nc: stopped by you\n' });
  expect(world.daemon.inputsOf('session.stop').map((input) => input.graceMs)).toEqual([0, 0, 0]);
});

test('output prints all pages, then follows to the end', async () => {
  await using world = await cliWorld({
    'session.show': () => ({ session: aSession() }),
    'session.output': (input) =>
      input.from === '0'
        ? page('one\n', { next: 4, end: 8, more: true, ended: false })
        : page('two\n', { from: 4, next: 8, end: 8, ended: false }),
    'session.follow': async function* () {
      yield { text: 'three\n', next: 14 };
      yield { session: endedSession(0) };
    },
  } as Answers);
  expect(await world.run(['output', 's', '--follow'])).toEqual({ status: 0, out: 'one\ntwo\nthree\n', err: '' });
  expect(world.daemon.inputsOf('session.follow')[0]).toMatchObject({ from: '8', view: 'text' });
});

test('clean-up removes what is older, and reports what was kept', async () => {
  await using world = await cliWorld({
    'session.prune': () => ({ removed: ['a', 'b'], kept: [{ id: 'c', why: 'its notice is not delivered' }] }),
  });
  expect((await world.run(['remove', '--ended', '--older-than', '7d'])).out).toBe(
    'Removed 2 sessions.\nKept c: its notice is not delivered\n',
  );
  expect(world.daemon.inputsOf('session.prune')).toEqual([{ olderThanMs: 604_800_000, force: false, caller }]);
});

test('attach says which command it would run, and without a terminal runs none', async () => {
  await using world = await cliWorld({
    'session.attach': () => ({ argv: ['sh', '-c', 'echo attached; exit 5'], detach: 'Ctrl-b d' }),
  });
  const out = "sh -c 'echo attached; exit 5'\n";
  expect(await world.run(['attach', 's', '--print'])).toEqual({ status: 0, out, err: '' });
  expect(await world.run(['attach', 's'])).toMatchObject({ status: 2, out: '' });
});

test('tmux names become sockets of the caller, and a text that does not appear is 6', async () => {
  await using world = await cliWorld(
    {
      'tmux.wait': () => ({ met: false, text: 'still $\n' }),
      'tmux.capture': () => ({ text: 'screen\n\n' }),
      'tmux.find': () => ({ sessions: [], dead: ['/x'] }),
    },
    { TMUX_TMPDIR: '/t' },
  );
  const uid = process.getuid?.();
  const waited = await world.run([
    'tmux',
    'wait',
    '-t',
    'build',
    '-L',
    'mine',
    '--for',
    'text:done',
    '--timeout',
    '1s',
  ]);
  expect(waited).toEqual({ status: 6, out: '', err: 'outlast: timeout; build shows:\nstill $\n' });
  expect(world.daemon.inputsOf('tmux.wait')[0]).toMatchObject({
    socket: `/t/tmux-${uid}/mine`,
    target: 'build',
    text: 'done',
    timeoutMs: 1000,
  });
  expect((await world.run(['tmux', 'capture', '-t', 'build'])).out).toBe('screen\n');
  expect(world.daemon.inputsOf('tmux.capture')[0]).toMatchObject({ socket: `/t/tmux-${uid}/default` });
  expect((await world.run(['tmux', 'find', '-S', '/x'])).out).toBe(
    'No tmux sessions found.\nNo tmux server found on /x\n',
  );
});

test('without a daemon, doctor and status say so and start none', async () => {
  await using world = await cliWorld({});
  await world.daemon.close();
  expect(await world.run(['daemon', 'status'])).toMatchObject({
    status: 5,
    out: expect.stringContaining('not running'),
  });
  expect((await world.run(['doctor'])).out).toContain('ok   daemon: not running');
  expect(await world.run(['daemon', 'stop'])).toMatchObject({ status: 0, out: 'The daemon is not running.\n' });
  expect(existsSync(join(world.state, 'daemon.sock'))).toBe(false);
});

test('T-DOCTOR-3: an old daemon that does not know a request is reported as old', async () => {
  const old = { version: '0.0.1', pid: 1, state: '', startedAtMs: 0, live: 0, sessions: 0, position: 0, rssBytes: 0 };
  await using world = await cliWorld({
    'daemon.status': () => ({ ...old, notices: [] }),
    'daemon.doctor': () => {
      throw new OutlastError('input_invalid', 'there is no operation GET /doctor');
    },
  });
  const ran = await world.run(['doctor']);
  expect(ran.status).toBe(1);
  expect(ran.out).toContain(
    'FAIL daemon: running, pid 1, version 0.0.1\n     Run `outlast daemon restart` to start the installed version',
  );
});

test('a check that fails makes doctor fail, with what to do', async () => {
  const status = {
    version: 'other',
    pid: 1,
    state: '',
    startedAtMs: 0,
    live: 0,
    sessions: 0,
    position: 0,
    rssBytes: 0,
    notices: [],
  };
  await using world = await cliWorld({
    'daemon.status': () => status,
    'daemon.doctor': () => ({ checks: [{ name: 'disk', ok: false, detail: 'full', hint: 'Make room.' }] }),
  });
  const ran = await world.run(['doctor']);
  expect(ran.status).toBe(1);
  expect(ran.out).toContain('FAIL disk: full\n     Make room.\n');
});

test('the log of the daemon is read and followed without the daemon', async () => {
  await using world = await cliWorld({});
  const log = join(world.state, 'daemon.log');
  writeFileSync(log, 'one\ntwo\nthree\n');
  expect((await world.run(['daemon', 'logs', '--tail', '2'])).out).toBe('two\nthree\n');
  const { child, printed } = world.start(['daemon', 'logs', '--follow']);
  await eventually(() => printed.out.endsWith('three\n'));
  writeFileSync(log, 'four\n', { flag: 'a' });
  await eventually(() => printed.out.endsWith('three\nfour\n'));
  child.kill('SIGKILL');
});

test('completion knows commands, options and existing sessions', async () => {
  await using world = await cliWorld({
    'session.list': () => ({ sessions: [aSession({ name: 'fix-tests' })], more: false }),
  });
  const words = async (...line: string[]): Promise<string[]> => {
    const { out } = await world.run(['__complete', '--', ...line]);
    return out
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => row.split('\t')[0] ?? '');
  };
  expect(await words('e')).toEqual(['exec', 'events']);
  expect(await words('process', 's')).toEqual(['send-keys', 'submit']);
  expect(await words('wait', '--t')).toEqual(['--timeout']);
  expect(await words('wait', '')).toEqual(['fix-tests']);
  expect(await words('wait', ID.slice(0, 5))).toEqual([ID]);
  expect(await words('process', 'poll', 'fix')).toEqual(['fix-tests']);
  expect(await words('exec', 'ls', '--t')).toEqual([]);
  expect(await words('completion', '')).toEqual(['bash', 'zsh', 'fish']);
});

test('the completion scripts are valid in their shells', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-completion-'));
  for (const [shell, script] of Object.entries(SCRIPTS)) {
    const file = join(folder, shell);
    writeFileSync(file, script);
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  }
  rmSync(folder, { recursive: true });
});

test('bash completes a command line with the script', async () => {
  await using world = await cliWorld({});
  const main = join(import.meta.dirname, '../../bin/outlast.cjs');
  const asked = 'COMP_WORDS=(outlast process se); COMP_CWORD=2; _outlast; echo $COMPREPLY';
  const script = `outlast() { "${process.execPath}" "${main}" "$@"; }\n${SCRIPTS.bash}\n${asked}`;
  const ran = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, OUTLAST_STATE: world.state },
  });
  expect(ran.stdout).toBe('send-keys\n');
});

test('agents are listed in a line each, or one in full; an unknown one is refused with the known names', async () => {
  const base = { tested: ['1.0.0'], oldest: '1.0.0', install: 'Install it.' };
  const turns = { name: 'turns', about: 'one process per turn', works: true, why: null };
  const gate = { name: 'gate', about: 'asks before every tool call', works: false, why: 'it cannot' };
  const claude = { name: 'claude', started: true, installed: null, ...base, capabilities: [turns, gate] };
  const installed = { path: '/bin/codex', version: '2.0.0', known: 'untested' } as const;
  const codex = { name: 'codex', started: false, installed, ...base, capabilities: [turns, gate] };
  await using world = await cliWorld({ 'agent.list': () => ({ agents: [claude, codex] }) });
  expect((await world.run(['agents'])).out.split('\n')).toEqual([
    'AGENT   VERSION            STARTS   WORKS',
    'claude  not installed      yes      turns',
    'codex   2.0.0, not tested  not yet  read only: turns',
    '',
  ]);
  expect((await world.run(['agents', 'codex'])).out.split('\n')).toEqual([
    'codex: 2.0.0, not tested; /bin/codex',
    'tested: 1.0.0; accepted: 1.0.0 and newer',
    'Outlast cannot start this agent yet; it can only read its conversations.',
    'read  turns          one process per turn',
    'no    gate           asks before every tool call: no, it cannot',
    '',
  ]);
  expect(JSON.parse((await world.run(['agents', 'codex', '--json'])).out)).toEqual({ agents: [codex] });
  const refused = await world.run(['agents', 'nope']);
  expect([refused.status, refused.err]).toEqual([
    2,
    'outlast: agents: there is no agent "nope"; available: claude, codex\n',
  ]);
});
