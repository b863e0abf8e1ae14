import { expect, test } from 'vitest';
import { OutlastError } from '../../src/base/errors.ts';
import { aSession, endedSession } from '../../src/testing/session-view.ts';
import { eventually } from '../eventually.ts';
import type { Answers } from '../fake-daemon.ts';
import { cliWorld } from './cli-world.ts';

const ID = aSession().id;
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const started: Answers = { 'session.start': () => ({ session: aSession(), warnings: [], position: 1 }) };

/** A stream that sends some lines, then waits until it is released. */
function pausing(lines: object[], rest: () => object[]) {
  let go = (): void => {};
  const paused = new Promise<void>((resolve) => {
    go = resolve;
  });
  async function* stream() {
    yield* lines;
    await paused;
    yield* rest();
  }
  return { stream, go: () => go() };
}

test('exec prints the bytes as they are and ends with the status of the command', async () => {
  const bytes = 'a\x00\xff\x1b[31m\r\n';
  await using world = await cliWorld({
    ...started,
    'session.follow': async function* () {
      yield { base64: base64(bytes), next: bytes.length };
      yield { session: endedSession(7) };
    },
  } as Answers);
  expect(await world.run(['exec', '--', 'make', '-j', '4'])).toEqual({ status: 7, out: bytes, err: '' });
  expect(world.daemon.inputsOf('session.start')[0]).toMatchObject({
    argv: ['make', '-j', '4'],
    background: false,
    stdin: 'empty',
    terminal: 'pipe',
  });
  expect(world.daemon.inputsOf('session.follow')[0]).toMatchObject({ from: '0', owner: 'true', view: 'raw' });
});

test('the command gets the whole environment without the variables of Outlast, and --env separately', async () => {
  const follow = async function* () {
    yield { session: endedSession(0) };
  };
  const answers = { ...started, 'session.follow': follow } as Answers;
  await using world = await cliWorld(answers, { SECRET: 's', OUTLAST_RUN: 'r' });
  await world.run([
    'exec',
    '--env',
    'A=1=2',
    '--env',
    'B=',
    '--timeout',
    '1m',
    '--grace',
    '5s',
    '--name',
    'x',
    '--cwd',
    '/',
    'true',
  ]);
  const [input] = world.daemon.inputsOf('session.start');
  expect(input?.env).toMatchObject({ SECRET: 's' });
  expect(Object.keys(input?.env as object).filter((name) => name.startsWith('OUTLAST_'))).toEqual([]);
  expect(input).toMatchObject({
    set: { A: '1=2', B: '' },
    timeoutMs: 60_000,
    graceMs: 5_000,
    name: 'x',
    cwd: '/',
    umask: process.umask(),
  });
});

test('--split keeps the two streams apart', async () => {
  await using world = await cliWorld({
    ...started,
    'session.follow': async function* (input: Record<string, unknown>) {
      yield { base64: base64(input.stream === 'stderr' ? 'bad' : 'good'), next: 4 };
      yield { session: endedSession(0) };
    },
  } as Answers);
  expect(await world.run(['exec', '--split', 'x'])).toEqual({ status: 0, out: 'good', err: 'bad' });
});

test('in the background only the id is printed', async () => {
  await using world = await cliWorld(started);
  expect(await world.run(['exec', '-b', 'x'])).toEqual({ status: 0, out: `${ID}\n`, err: '' });
  expect(world.daemon.inputsOf('session.start')[0]).toMatchObject({ background: true, stdin: 'open' });
  expect(world.daemon.inputsOf('session.follow')).toEqual([]);
});

test('--wake says that waiting is not needed, or that it has no effect', async () => {
  let owner: ReturnType<typeof aSession>['owner'] = null;
  const answers = { 'session.start': () => ({ session: aSession({ owner }), warnings: [], position: 1 }) };
  await using world = await cliWorld(answers as Answers);
  const alone = await world.run(['exec', '-b', '--wake', 'x']);
  expect(alone).toMatchObject({ status: 0, out: `${ID}\n` });
  expect(alone.err).toContain(`--wake has no effect outside an Outlast session; use outlast wait ${ID}`);
  owner = { session: 'o', root: 'o', depth: 1, wake: true, onEnd: 'keep' };
  expect((await world.run(['exec', '-b', '--wake', 'x'])).err).toBe('You get an update when it ends: do not poll.\n');
});

test('a command that is too slow for --yield is left in the background, and a line says so', async () => {
  await using world = await cliWorld({
    ...started,
    'session.follow': pausing([{ base64: base64('one\n'), next: 4 }], () => []).stream,
    'session.background': () => ({ session: aSession({ background: true }) }),
    'session.show': () => ({ session: aSession({ background: true }) }),
  } as Answers);
  const ran = await world.run(['exec', '--yield', '300ms', 'x']);
  expect(ran).toEqual({
    status: 0,
    out: 'one\n',
    err: `Still running: ${ID} (pid 4242). Follow: outlast output ${ID} --follow\n`,
  });
  expect(world.daemon.inputsOf('session.background')).toHaveLength(1);
});

test('a command that ends just when --yield expires is reported with its end', async () => {
  const { stream, go } = pausing([], () => [{ base64: base64('late'), next: 4 }, { session: endedSession(3) }]);
  await using world = await cliWorld({
    ...started,
    'session.follow': stream,
    'session.background': () => {
      go();
      throw new OutlastError('session_ended', 'it has ended');
    },
  } as Answers);
  expect(await world.run(['exec', '--yield', '50ms', 'x'])).toEqual({ status: 3, out: 'late', err: '' });
});

test('a command that took too long ends with 124, a stopped one not with 0', async () => {
  for (const [by, status, err] of [
    ['timeout', 124, 'outlast: timed out\n'],
    ['somebody', 143, 'outlast: stopped by somebody\n'],
  ] as const) {
    await using world = await cliWorld({
      ...started,
      'session.follow': async function* () {
        yield {
          session: endedSession(0, { outcome: { kind: 'stopped', by, ...(by === 'timeout' ? { bound: by } : {}) } }),
        };
      },
    } as Answers);
    expect(await world.run(['exec', 'x'])).toEqual({ status, out: '', err });
  }
});

test('a failure of Outlast itself is 125, on stderr or as JSON', async () => {
  await using world = await cliWorld({
    'session.start': () => {
      throw new OutlastError('workspace_missing', 'cannot enter /nope');
    },
  });
  const plain = await world.run(['exec', '--cwd', '/nope', 'x']);
  expect(plain).toEqual({
    status: 125,
    out: '',
    err: expect.stringMatching(/^outlast: cannot enter \/nope\n {2}Pass a folder that you can enter/),
  });
  const json = await world.run(['exec', '--json', '--cwd', '/nope', 'x']);
  expect(json).toMatchObject({ status: 125, err: '' });
  expect(JSON.parse(json.out).error).toMatchObject({ code: 'workspace_missing', message: 'cannot enter /nope' });
});

test('--json prints everything in one object at the end', async () => {
  await using world = await cliWorld({
    ...started,
    'session.follow': async function* () {
      yield { text: 'ab', next: 2 };
      yield { text: 'cd', next: 4 };
      yield { session: endedSession(7) };
    },
  } as Answers);
  const ran = await world.run(['exec', '--json', 'x']);
  expect(ran.status).toBe(7);
  expect(JSON.parse(ran.out)).toMatchObject({ output: 'abcd', status: 7, background: false, session: { id: ID } });
  expect(world.daemon.inputsOf('session.follow')[0]).toMatchObject({ view: 'text' });
});

test('standard input is passed on as it is, then its end', async () => {
  const { stream, go } = pausing([], () => [{ session: endedSession(0) }]);
  let refusals = 0;
  await using world = await cliWorld({
    ...started,
    'session.follow': stream,
    'session.write': (input) => {
      if (refusals < 2) {
        refusals += 1;
        throw new OutlastError('timed_out', 'it is not running yet');
      }
      if (input.eof) go();
      return { bytes: 1, pendingBytes: 0 };
    },
  } as Answers);
  const text = 'x'.repeat(200_000);
  expect(await world.run(['exec', 'cat'], text)).toMatchObject({ status: 0, err: '' });
  const writes = world.daemon.inputsOf('session.write').slice(2);
  expect(writes.at(-1)).toMatchObject({ eof: true });
  expect(writes.map((write) => Buffer.from(String(write.base64 ?? ''), 'base64').toString()).join('')).toBe(text);
  expect(world.daemon.inputsOf('session.start')[0]).toMatchObject({ stdin: 'open' });
});

test('input that does not fit is sent again, input for a command that ended is dropped', async () => {
  const { stream, go } = pausing([], () => [{ session: endedSession(0) }]);
  const refusals = ['input_full', 'input_full', 'session_ended'] as const;
  let count = 0;
  await using world = await cliWorld({
    ...started,
    'session.follow': stream,
    'session.write': () => {
      const code = refusals[count] ?? 'internal';
      count += 1;
      if (code === 'session_ended') go();
      throw new OutlastError(code, 'no');
    },
  } as Answers);
  expect(await world.run(['exec', 'cat'], 'abc')).toEqual({ status: 0, out: '', err: '' });
  expect(world.daemon.inputsOf('session.write').map((write) => write.base64)).toEqual(['YWJj', 'YWJj', 'YWJj']);
});

test('input for a command that closed its own is dropped', async () => {
  const { stream, go } = pausing([], () => [{ session: endedSession(0) }]);
  let refusals = 0;
  await using world = await cliWorld({
    ...started,
    'session.follow': stream,
    'session.write': () => {
      refusals += 1;
      go();
      throw new OutlastError('input_closed', 'nobody reads it');
    },
  } as Answers);
  expect(await world.run(['exec', 'cat'], 'abc')).toEqual({ status: 0, out: '', err: '' });
  expect(refusals).toBe(1);
});

test('Ctrl-C goes to the command, each time, and we wait for what it does', async () => {
  let interrupts = 0;
  const { stream, go } = pausing([{ base64: base64('up'), next: 2 }], () => [{ session: endedSession(130) }]);
  await using world = await cliWorld({
    ...started,
    'session.follow': stream,
    'session.interrupt': () => {
      interrupts += 1;
      if (interrupts === 2) go();
      return { session: aSession() };
    },
  } as Answers);
  const { child, printed, ended } = world.start(['exec', 'x']);
  await eventually(() => printed.out === 'up');
  child.kill('SIGINT');
  await eventually(() => interrupts === 1);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 130, err: '' });
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s of the caller leaves the command running and says so', async (signal, status) => {
  await using world = await cliWorld({
    ...started,
    'session.follow': pausing([{ base64: base64('up'), next: 2 }], () => []).stream,
  } as Answers);
  const { child, printed, ended } = world.start(['exec', 'x']);
  await eventually(() => printed.out === 'up');
  child.kill(signal);
  expect(await ended).toMatchObject({ status, err: expect.stringContaining(`Still running: ${ID}`) });
  expect(world.daemon.calls.map((call) => call.name)).not.toContain('session.stop');
});

test('a daemon that goes away in the middle loses no byte and duplicates none', async () => {
  const output = 'abcdefghij';
  await using world = await cliWorld({
    ...started,
    'session.follow': async function* (input: Record<string, unknown>, cut: () => void) {
      const from = Number(input.from);
      yield { base64: base64(output.slice(from, from + 4)), next: Math.min(from + 4, output.length) };
      if (from + 4 < output.length) return cut();
      yield { session: endedSession(0) };
    },
  } as Answers);
  expect(await world.run(['exec', 'x'])).toEqual({ status: 0, out: output, err: '' });
});

test('a reader that closes the pipe ends the command line, not the command', async () => {
  await using world = await cliWorld({
    ...started,
    'session.follow': async function* () {
      for (let count = 1; ; count += 1) yield { base64: base64('y\n'.repeat(1000)), next: count * 2000 };
    },
  } as Answers);
  const { child, printed, ended } = world.start(['exec', 'yes']);
  await eventually(() => printed.out.length > 0);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ status: 141, err: expect.stringContaining(`Still running: ${ID}`) });
});
