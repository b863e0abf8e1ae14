import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PolicyView } from '../../src/api/policy-shape.ts';
import type { SessionView } from '../../src/api/shapes.ts';
import { OutlastError } from '../../src/base/errors.ts';
import { anAgent, endedSession } from '../../src/testing/session-view.ts';
import { eventually } from '../eventually.ts';
import type { Answers } from '../fake-daemon.ts';
import { cliWorld } from './cli-world.ts';

const ID = '01jd3v9k2mabcdefghjk';

type Parts = Partial<SessionView>;

const started = (parts: Parts = {}) => ({ session: anAgent(parts), warnings: [], position: 7, prompt: 'p1' });
const ended = (outcome: SessionView['outcome'] = { kind: 'done' }): SessionView =>
  endedSession(0, { ...anAgent(), phase: 'ended', outcome });
const replied = (met: string, parts: Record<string, unknown> = {}) => ({
  session: anAgent(),
  prompt: 'p1',
  met,
  reply: null,
  position: 9,
  ...parts,
});
const POLICY: PolicyView = {
  deadlineMsMax: 18_000_000,
  onLimit: 'wait',
  switchBack: false,
  memoryBytesMax: 4 * 1024 ** 3,
  approvalMsMax: 300_000,
  deferMs: 60_000,
  startMsMax: 60_000,
  acceptMsMax: 10_000,
  idleMsMax: 1_800_000,
  resumes: { max: 10, windowMax: 5, windowMs: 600_000 },
  backoff: { msMin: 1_000, msMax: 300_000 },
  hang: { thinkMsMax: 900_000, toolMsMax: 3_600_000, interruptMsMax: 30_000 },
  budget: { turns: 20, tokens: null, usd: 5 },
};
const shown = (parts: Parts = {}) => ({
  session: anAgent(parts),
  folder: '/state/s',
  columns: 120,
  rows: 30,
  timeoutMs: null,
  inputClosed: false,
  processes: [],
  eventsFile: '/state/s/events.jsonl',
  attach: 'outlast attach api',
  reply: 'fine',
  policy: POLICY,
});

function running(met: string, parts: Record<string, unknown> = {}, outcome?: SessionView['outcome']): Answers {
  return {
    'session.start': () => started(),
    'session.reply': () => replied(met, parts),
    'session.wait': () => ({ session: ended(outcome), met: 'exit', cursor: 0, position: 10 }),
    'session.background': () => ({ session: anAgent() }),
  };
}

test('run prints the reply and nothing else on stdout, and lets the session end', async () => {
  await using world = await cliWorld(running('answered', { reply: 'All green.' }));
  expect(await world.inside(['run', 'fix the tests'])).toEqual({ status: 0, out: 'All green.\n', err: '' });
  expect(world.daemon.inputsOf('session.start')[0]).toMatchObject({
    agent: '',
    drive: 'turns',
    prompt: 'fix the tests',
    keepOpen: false,
    background: false,
  });
  expect(world.daemon.inputsOf('session.reply')).toEqual([{ session: ID, prompt: 'p1', owner: 'true' }]);
  expect(world.daemon.inputsOf('session.background')).toEqual([]);
});

test.each([
  ['failed', { reply: 'overloaded' }, { kind: 'failed', why: 'overloaded' }, 8, 'failed: overloaded'],
  ['ended', { session: ended({ kind: 'abandoned', why: 'lost' }) }, { kind: 'abandoned' }, 8, 'abandoned'],
  ['ended', { session: ended({ kind: 'stopped', by: 'ada' }) }, { kind: 'stopped', by: 'ada' }, 4, 'stopped by ada'],
  ['interrupted', {}, { kind: 'done' }, 4, 'was interrupted'],
  ['dropped', {}, { kind: 'done' }, 4, 'dropped'],
  ['held', { session: anAgent({ phase: 'held', held: 'log in first' }) }, null, 7, 'needs a person: log in first'],
  ['unsure', {}, null, 7, 'not known whether'],
] as const)('a run whose prompt is %s (%j, %j) ends with %i', async (met, parts, outcome, status, words) => {
  await using world = await cliWorld(running(met, parts, outcome));
  const ran = await world.inside(['run', 'x']);
  expect({ status: ran.status, out: ran.out }).toEqual({ status, out: '' });
  expect(ran.err).toContain(words);
});

test('a run that times out continues in the background, and says how to wait again', async () => {
  await using world = await cliWorld(running('nothing'));
  const ran = await world.inside(['run', 'x', '--wait', '100ms']);
  expect(ran).toMatchObject({ status: 6, out: '' });
  expect(ran.err).toContain(`Wait again: outlast wait ${ID} --for reply:p1`);
  expect(world.daemon.inputsOf('session.background')).toHaveLength(1);
});

test('Ctrl-C leaves a run alone, and says how to come back and how to end it', async () => {
  await using world = await cliWorld({ ...running('nothing'), 'session.reply': () => new Promise(() => {}) });
  const { child, ended } = world.start(['run', 'x']);
  await eventually(() => world.daemon.inputsOf('session.reply').length === 1);
  child.kill('SIGINT');
  const ran = await ended;
  expect(ran.status).toBe(130);
  expect(ran.err).toContain(`outlast wait ${ID} --for reply:p1`);
  expect(ran.err).toContain(`outlast stop ${ID}`);
  expect(world.daemon.calls.map(({ name }) => name)).toEqual(['session.start', 'session.reply', 'session.background']);
});

test('Ctrl-C during converse says that the session keeps running', async () => {
  await using world = await cliWorld({
    'session.prompt': () => ({ session: anAgent({ name: 'api' }), prompt: 'p1', position: 8 }),
    'session.reply': () => new Promise(() => {}),
  });
  const { child, ended } = world.start(['converse', 'api', 'x']);
  await eventually(() => world.daemon.inputsOf('session.reply').length === 1);
  child.kill('SIGINT');
  expect(await ended).toEqual({
    status: 130,
    out: '',
    err: 'api keeps running\n  Wait for the reply: outlast wait api --for reply:p1\n',
  });
});

test('every flag of run and start reaches the daemon', async () => {
  const answers = { ...running('answered'), 'session.show': () => shown() };
  await using world = await cliWorld(answers, { HTTP_PROXY: 'http://proxy' });
  const flags = ['--agent', 'scripted', '--live', '--name', 'api', '--workspace', '/', '--model', 'opus', '--trust'];
  flags.push('--agent-arg=--verbose', '--agent-arg', 'x', '--env', 'HTTP_PROXY', '--env', 'A=b=c', '--command');
  flags.push('--fork', 'f', '--after', 'a', '--after', 'b', '--pty', '--size', '100x40', '--no-notify');
  await world.inside(['run', '/compact', ...flags]);
  await world.inside(['start', '/compact', ...flags, '--end']);
  const inputs = world.daemon.inputsOf('session.start');
  expect(inputs).toHaveLength(2);
  for (const input of inputs) {
    expect(input).toMatchObject({
      agent: 'scripted',
      drive: 'live',
      name: 'api',
      cwd: '/',
      model: 'opus',
      trust: true,
      agentArgs: ['--verbose', 'x'],
      envNames: ['HTTP_PROXY'],
      set: { A: 'b=c' },
      asCommand: true,
      prompt: '/compact',
      fork: 'f',
      after: ['a', 'b'],
      terminal: 'pty',
      columns: 100,
      rows: 40,
      notify: 'never',
      keepOpen: false,
    });
  }
});

test('a prompt comes from an argument, standard input or a file, byte for byte', async () => {
  await using world = await cliWorld(running('answered'));
  const text = 'tab\t "quoted" $(x)\r\nüñ😀\u2028\n';
  const file = join(world.state, 'prompt.md');
  writeFileSync(file, text);
  expect((await world.run(['run', text])).status).toBe(0);
  expect((await world.run(['run'], text)).status).toBe(0);
  expect((await world.run(['run', '-'], text)).status).toBe(0);
  expect((await world.run(['run', '--prompt-file', file])).status).toBe(0);
  const prompts = world.daemon.inputsOf('session.start').map(({ prompt }) => prompt);
  expect(prompts).toEqual([text, text, text, text]);
});

test.each([
  [['run'], undefined, 'run: missing prompt'],
  [
    ['run', 'fix', 'the', 'tests'],
    undefined,
    'run: the prompt is one argument, found 3; put it in quotes: outlast run "fix the tests"',
  ],
  [['run', ' \n'], undefined, 'run: the prompt is blank; write what the agent should do'],
  [['run', 'x', '--prompt-file', 'y'], undefined, 'run: pass the prompt or --prompt-file, not both'],
  [
    ['run', '--prompt-file', '/nonexistent'],
    undefined,
    'run: --prompt-file: cannot read /nonexistent: no such file or folder (ENOENT)',
  ],
  [['run'], 'x'.repeat(1024 * 1024 + 1), 'at most 1048576 (1 MiB) can be sent'],
  [['converse', 's'], '', 'converse: missing prompt'],
  [['prompt', 's', 'a', 'b'], undefined, 'prompt: the prompt is one argument, found 2'],
  [['run', 'x', '--pty', '--tmux'], undefined, 'run: choose one of --pty and --tmux'],
  [['run', 'x', '--env', '1x'], undefined, '--env: "1x" is not a variable'],
  [['run', 'x', '--env', 'NOT_SET_HERE'], undefined, '--env: NOT_SET_HERE is not set here'],
  [
    ['start', 'x', '--cwd', '/', '--workspace', '/tmp'],
    undefined,
    'start: --workspace is given twice, as "/" and "/tmp"',
  ],
  [['wait', 's', '--any', '--all'], undefined, 'wait: choose one of --any and --all'],
  [['wait', 'a', 'b', '--timeout', 'x'], undefined, '--timeout: "x" is not a valid duration'],
  [['wait', 's', '--for', 'idle,reply'], undefined, 'wait: reply cannot be combined'],
  [['turn', 's', '0'], undefined, 'turn: "0" is not a turn'],
  [['prompt', 's', 'x', '--drop', 'p'], undefined, 'prompt: pass a prompt or --drop, not both'],
  [['attach', 's', '--read-only', '--interrupt'], undefined, 'attach: choose one of'],
])('%j is refused before any call', async (words, input, message) => {
  await using world = await cliWorld({});
  const ran = input === undefined && words.length > 1 ? await world.inside(words) : await world.run(words, input);
  expect(ran).toMatchObject({ status: 2, out: '' });
  expect(ran.err).toContain(message);
  expect(world.daemon.calls).toEqual([]);
});

test('a prompt that is not text is refused instead of being changed', async () => {
  await using world = await cliWorld({});
  const file = join(world.state, 'prompt.bin');
  writeFileSync(file, Buffer.of(0x61, 0xff, 0xfe));
  expect(await world.inside(['run', '--prompt-file', file])).toMatchObject({
    status: 2,
    err: 'outlast: run: the prompt is not UTF-8 text\n',
  });
});

test('start prints the id alone on stdout, and where everything is on stderr', async () => {
  await using world = await cliWorld({
    'session.start': () => started({ name: 'api' }),
    'session.show': () => shown(),
  });
  const ran = await world.inside(['start', '--name', 'api', 'x']);
  expect(ran).toMatchObject({ status: 0, out: `${ID}\n` });
  for (const words of ['c-1', 'outlast attach api', '/state/s/events.jsonl', 'outlast converse', '--for reply:p1'])
    expect(ran.err).toContain(words);
  expect(world.daemon.inputsOf('session.start')[0]).toMatchObject({ keepOpen: true });
  const { out } = await world.inside(['start', 'x', '--json']);
  expect(JSON.parse(out)).toMatchObject({ prompt: 'p1', position: 7, attach: 'outlast attach api', status: 0 });
  const { err } = await world.inside(['start', '--end', 'x']);
  expect(err).toContain('--for reply:p1');
  expect(err).not.toContain('outlast converse');
});

test('start without a prompt needs none, and a live one does not wait for standard input', async () => {
  await using world = await cliWorld({ 'session.start': () => started(), 'session.show': () => shown() });
  const live = world.start(['start', '--live'], 'pipe');
  expect((await live.ended).status).toBe(0);
  expect((await world.run(['start'], '')).status).toBe(0);
  expect(world.daemon.inputsOf('session.start').map(({ prompt }) => prompt)).toEqual([undefined, undefined]);
});

test.each([
  ['idle', {}, 0, 'Started.'],
  ['event', { phase: 'working' }, 0, 'Started.'],
  ['nothing', { phase: 'starting' }, 6, 'is not ready, it is starting; its screen:\n----------\nloading …\n----------'],
  ['held', { phase: 'held', held: 'trust the folder' }, 7, 'needs a person: trust the folder'],
  ['exit', ended({ kind: 'abandoned', why: 'no such command' }), 8, 'abandoned: no such command'],
] as const)('start --ready that met %s (%j) ends with %i', async (met, parts, status, words) => {
  await using world = await cliWorld({
    'session.start': () => started(),
    'session.wait': () => ({ session: anAgent(parts), met, cursor: 0, position: 9 }),
    'session.show': () => shown(parts),
    'session.screen': () => ({ rows: ['loading …', '', ''], columns: 80, cursor: { row: 0, column: 0 } }),
  });
  const ran = await world.inside(['start', '--live', '--ready', '200ms']);
  expect(ran).toMatchObject({ status, out: `${ID}\n` });
  expect(ran.err).toContain(words);
  expect(world.daemon.inputsOf('session.wait')[0]).toMatchObject({ after: '7' });
});

const queued = (...ids: string[]): SessionView['prompts'] =>
  ids.map((id) => ({ id, state: 'queued', waiting: null, text: 'x' }));

function prompting(prompts: SessionView['prompts'], ...events: [string, Record<string, unknown>][]): Answers {
  return {
    'session.prompt': () => ({ session: anAgent({ name: 'api', prompts }), prompt: 'p2', position: 40 }),
    'session.events': async function* () {
      for (const [event, body] of events)
        yield { position: 41, session: ID, seq: 1, ts: '2026-01-01T00:00:00Z', event, body };
      await new Promise(() => {});
    } as Answers['session.events'] & object,
  };
}

test.each([
  [['prompt.sending', {}], ['prompt.accepted', { prompt: 'p2' }], 'api accepted the prompt.'],
  [
    ['prompt.accepted', { prompt: 'p1' }],
    ['prompt.waiting', { prompt: 'p2', why: 'ada types' }],
    'It is waiting: ada types.',
  ],
  [
    ['prompt.queued', { prompt: 'p2' }],
    ['prompt.failed', { prompt: 'p2', error: 'full' }],
    'The turn of api failed: full',
  ],
] as const)('prompt says what happens to it: %j, %j', async (first, second, words) => {
  await using world = await cliWorld(prompting(queued('p2'), [...first], [...second]));
  const ran = await world.inside(['prompt', 'api', 'go on']);
  expect(ran).toMatchObject({ status: 0, out: 'p2 40\n' });
  expect(ran.err).toContain(words);
  expect(world.daemon.inputsOf('session.events')[0]).toMatchObject({ after: '40', follow: 'true', session: ID });
});

test('prompt says when it is not known, when it is queued behind others, and when it is unsure', async () => {
  await using world = await cliWorld(prompting(queued('p2')));
  expect((await world.inside(['prompt', 'api', 'x'])).err).toContain(
    'The prompt is queued; api has not accepted it yet.',
  );
  expect(await world.inside(['prompt', 'api', 'x', '--no-wait'])).toEqual({ status: 0, out: 'p2 40\n', err: '' });
  await world.replaceDaemon(prompting(queued('p0', 'p1', 'p2')));
  expect((await world.inside(['prompt', 'api', 'x'])).err).toBe('Queued behind 2.\n');
  expect(world.daemon.inputsOf('session.events')).toEqual([]);
  await world.replaceDaemon(prompting(queued('p2'), ['prompt.unsure', { prompt: 'p2' }]));
  expect((await world.inside(['prompt', 'api', 'x'])).status).toBe(7);
});

test('prompt --now says that it went into the running turn; --drop cancels one', async () => {
  await using world = await cliWorld({
    ...prompting(queued('p1', 'p2'), ['prompt.accepted', { prompt: 'p2' }]),
    'session.drop': () => ({ session: anAgent() }),
  });
  expect((await world.inside(['prompt', 'api', 'x', '--now', '--command'])).err).toContain(
    'accepted the prompt into the running turn',
  );
  expect(world.daemon.inputsOf('session.prompt')[0]).toMatchObject({ now: true, asCommand: true, prompt: 'x' });
  expect((await world.inside(['prompt', 'api', '--drop', 'p2'])).out).toBe('Dropped p2.\n');
  expect(world.daemon.inputsOf('session.drop')).toMatchObject([{ session: 'api', prompt: 'p2' }]);
});

/** A prompt behind an unsure one. */
const BEHIND: SessionView['prompts'] = [
  { id: 'p0', state: 'unsure', waiting: null, text: '' },
  { id: 'p1', state: 'queued', waiting: null, text: '' },
];

test.each([
  ['answered', { reply: 'yes' }, 0, 'yes\n', ''],
  ['failed', { reply: 'overloaded' }, 8, '', 'failed: overloaded'],
  ['interrupted', {}, 4, '', 'was interrupted'],
  ['dropped', {}, 4, '', 'dropped'],
  ['ended', { session: ended({ kind: 'stopped', by: 'ada' }) }, 4, '', 'stopped by ada'],
  ['ended', { session: ended({ kind: 'abandoned', why: 'lost' }) }, 8, '', 'abandoned: lost'],
  ['held', { session: anAgent({ phase: 'held', held: 'log in' }) }, 7, '', 'needs a person: log in'],
  ['unsure', {}, 7, '', `outlast prompt ${ID} --drop p1`],
  ['unsure', { session: anAgent({ prompts: BEHIND }) }, 7, '', `outlast prompt ${ID} --drop p0`],
  ['nothing', {}, 6, '', `Wait again: outlast wait ${ID} --for reply:p1`],
] as const)('converse that met %s (%j) ends with %i', async (met, parts, status, out, words) => {
  await using world = await cliWorld({
    'session.prompt': () => ({ session: anAgent(), prompt: 'p1', position: 8 }),
    'session.reply': () => replied(met, parts),
  });
  const ran = await world.inside(['converse', 'api', 'really?', '--wait', '100ms']);
  expect({ status: ran.status, out: ran.out }).toEqual({ status, out });
  expect(ran.err).toContain(words);
  expect(world.daemon.inputsOf('session.reply')[0]).toMatchObject({ session: ID, prompt: 'p1' });
});

test('converse --with-turn prints the whole turn', async () => {
  await using world = await cliWorld({
    'session.prompt': () => ({ session: anAgent(), prompt: 'p1', position: 8 }),
    'session.reply': () => replied('answered', { reply: 'yes' }),
    'session.turn': () => ({ number: 1, count: 1, markdown: '> thinking\n\nyes', turn: { steps: [] } }),
  });
  expect(await world.inside(['converse', 'api', 'x', '--with-turn'])).toEqual({
    status: 0,
    out: '> thinking\n\nyes\n',
    err: '',
  });
});

test('wait waits for idle or the end of an agent, and for the exit of a command, by default', async () => {
  const answer = { session: anAgent({ name: 'api' }), met: 'idle', cursor: 0, position: 9 };
  await using world = await cliWorld({ 'session.show': () => shown(), 'session.wait': () => answer });
  expect(await world.inside(['wait', 'api'])).toEqual({ status: 0, out: 'api: idle\n', err: '' });
  await world.inside(['wait', 'api', '--for', 'held,ended']);
  expect(world.daemon.inputsOf('session.wait').map((input) => input.for)).toEqual(['idle,ended', 'held,ended']);
});

test.each([
  [
    'idle',
    { lastTurn: { how: 'failed', prompt: 'p', text: 'x' } },
    'idle',
    0,
    'api: idle; its last turn was a failure',
  ],
  ['held', { phase: 'held', held: 'log in' }, 'held', 0, 'api: held: log in'],
  ['idle', { phase: 'held', held: 'log in' }, 'held', 7, 'api: held: log in'],
  ['idle', { prompts: [{ id: 'p', state: 'unsure', waiting: null, text: '' }] }, 'unsure', 7, 'api: idle, unsure'],
  ['idle', { ...ended() }, 'exit', 4, 'api: done, before the condition was met'],
  ['idle', { ...ended({ kind: 'failed', why: 'overloaded' }) }, 'exit', 8, 'api: failed: overloaded'],
  ['idle,ended', { ...ended() }, 'exit', 0, 'api: done'],
  ['ended', { ...ended({ kind: 'stopped', by: 'ada' }) }, 'exit', 4, 'api: stopped by ada'],
] as const)('wait --for %s on an agent that is %j and met %s ends with %i', async (what, parts, met, status, line) => {
  const session = anAgent({ ...(parts as Parts), name: 'api' });
  await using world = await cliWorld({ 'session.wait': () => ({ session, met, cursor: 0, position: 9 }) });
  const ran = await world.inside(['wait', 'api', '--for', what]);
  expect({ status: ran.status, line: ran.out.split('\n')[0]?.slice(0, line.length) }).toEqual({ status, line });
});

test('a wait that times out has the cursor to wait again', async () => {
  const session = anAgent({ name: 'api', phase: 'working' });
  await using world = await cliWorld({
    'daemon.status': () => ({ position: 4711 }),
    'session.wait': () => ({ session, met: 'nothing', cursor: 12, position: 4712 }),
  });
  const ran = await world.inside(['wait', 'api', '--for', 'event:tool.called', '--timeout', '60ms']);
  expect(ran.status).toBe(6);
  expect(ran.err).toContain('Wait again: outlast wait api --for event:tool.called --after 4712');
  expect(world.daemon.inputsOf('session.wait')[0]).toMatchObject({ after: '4711' });
  const text = await world.inside(['wait', 'api', '--for', "text:it's", '--since', '3', '--timeout', '60ms']);
  expect(text.err).toContain("--for 'text:it'\\''s' --since 12");
});

function several(replies: Record<string, unknown>): Answers {
  return {
    'session.reply': async (input) => {
      const found = replies[String(input.session)];
      if (found === undefined) throw new OutlastError('session_not_found', `there is no session "${input.session}"`);
      return typeof found === 'string'
        ? replied('answered', { session: anAgent({ name: String(input.session) }), reply: found })
        : found;
    },
  };
}

test('the replies of several sessions come as they are given, each with its name', async () => {
  await using world = await cliWorld(several({ a: 'one', b: 'two\nlines\n', c: replied('failed', { reply: 'bad' }) }));
  const ran = await world.inside(['wait', 'a', 'b', '--for', 'reply']);
  expect({ ...ran, out: ran.out.split('# ').sort() }).toEqual({
    status: 0,
    out: ['', 'a\none\n\n', 'b\ntwo\nlines\n\n'],
    err: '',
  });
  expect((await world.inside(['wait', 'a', '--for', 'reply:p9'])).out).toBe('one\n');
  expect(world.daemon.inputsOf('session.reply').at(-1)).toMatchObject({ prompt: 'p9' });
  expect(await world.inside(['wait', 'a', 'c', '--for', 'reply'])).toMatchObject({ status: 8 });
  expect(await world.inside(['wait', 'a', 'nope', '--for', 'reply'])).toMatchObject({ status: 3, out: '# a\none\n\n' });
});

test('with --any the first session that finishes or needs attention is enough', async () => {
  await using world = await cliWorld(several({ slow: new Promise(() => {}), quick: 'one' }));
  expect(await world.inside(['wait', 'slow', 'quick', '--any', '--for', 'reply'])).toEqual({
    status: 0,
    out: '# quick\none\n\n',
    err: '',
  });
});

test('with --any two that come at once are still one, and a missing one is an answer too', async () => {
  await using world = await cliWorld(several({ a: 'one', b: 'one' }));
  const { status, out } = await world.inside(['wait', 'a', 'b', '--any', '--for', 'reply']);
  expect({ status, out: out.replace(/^# [ab]/, '# x') }).toEqual({ status: 0, out: '# x\none\n\n' });
  await world.replaceDaemon(several({ slow: new Promise(() => {}) }));
  expect((await world.inside(['wait', 'slow', 'nope', '--any', '--for', 'reply'])).status).toBe(3);
});

test('events are filtered by the daemon, masked and cut for people, and complete for programs', async () => {
  const input = JSON.stringify({ command: `TOKEN=abc123 ${'x'.repeat(400)}` });
  const event = { position: 5, session: ID, seq: 1, ts: '2026-01-01T00:00:00Z', event: 'tool.called', body: { input } };
  await using world = await cliWorld({
    'session.events': async function* () {
      yield event;
    } as Answers['session.events'] & object,
  });
  const words = ['events', 'api', '--last', '3', '--type', 'tool.', '--type', 'prompt.', '--after', '4'];
  const { out } = await world.inside(words);
  expect(out).toContain('TOKEN=***');
  expect(out).not.toContain('abc123');
  expect(out.length).toBeLessThan(400);
  expect(JSON.parse((await world.inside([...words, '--json'])).out)).toEqual(event);
  expect(world.daemon.inputsOf('session.events')[0]).toEqual({
    session: 'api',
    types: ['tool.', 'prompt.'],
    last: '3',
    after: '4',
    follow: 'false',
  });
});

test('turn counts from the beginning or from the end', async () => {
  await using world = await cliWorld({
    'session.turn': () => ({ number: 2, count: 3, markdown: '**Bash**\n', turn: { prompt: 'x' } }),
  });
  expect(await world.inside(['turn', 'api'])).toEqual({ status: 0, out: '**Bash**\n', err: '' });
  await world.inside(['turn', 'api', '2', '--full']);
  const { out } = await world.inside(['turn', 'api', '-12', '--json']);
  expect(JSON.parse(out)).toMatchObject({ number: 2, turn: { prompt: 'x' } });
  const asked = world.daemon.inputsOf('session.turn').map(({ number, full }) => [number, full]);
  expect(asked).toEqual([
    ['-1', 'false'],
    ['2', 'true'],
    ['-12', 'false'],
  ]);
});

test('resume restarts a session, with a prompt if there is one', async () => {
  await using world = await cliWorld({
    ...prompting(queued('p2')),
    'session.resume': () => ({ session: anAgent({ name: 'api' }), position: 30 }),
  });
  expect(await world.inside(['resume', 'api'])).toEqual({ status: 0, out: 'api: idle\n', err: '' });
  expect((await world.inside(['resume', 'api', 'go on', '--no-wait'])).out).toBe('p2 40\n');
  expect(world.daemon.inputsOf('session.prompt')).toMatchObject([{ session: ID, prompt: 'go on' }]);
});

test('handoff says how to attach, detach and give back', async () => {
  const session = anAgent({ name: 'api', drive: 'live', terminal: 'tmux', control: { by: 'ada', how: 'handoff' } });
  await using world = await cliWorld({
    'session.handoff': () => ({ session }),
    'session.show': () => ({ ...shown(), session }),
  });
  const ran = await world.inside(['handoff', 'api']);
  for (const words of ['outlast attach api', 'Ctrl-b d', 'outlast handoff api --back'])
    expect(ran.out).toContain(words);
  expect((await world.inside(['handoff', 'api', '--back'])).out).toBe('api accepts prompts again.\n');
  expect(world.daemon.inputsOf('session.handoff').map(({ back }) => back)).toEqual([false, true]);
});

test('interrupt of an agent says that the turn has ended; attach and stop pass their options on', async () => {
  await using world = await cliWorld({
    'session.interrupt': () => ({ session: anAgent({ name: 'api' }) }),
    'session.attach': () => ({ argv: ['true'], detach: 'Ctrl-b d' }),
    'session.stop': () => ({ session: ended({ kind: 'stopped', by: 'caller' }) }),
  });
  expect((await world.inside(['interrupt', 'api'])).out).toBe('The turn of api has ended.\n');
  await world.inside(['attach', 'api', '--interrupt', '--print']);
  expect(world.daemon.inputsOf('session.attach')[0]).toMatchObject({ interrupt: true, readOnly: false });
  await world.inside(['stop', 'api', '--force']);
  expect(world.daemon.inputsOf('session.stop')[0]).toMatchObject({ force: true });
});

test('show and list have what the caller of an agent wants to know', async () => {
  const session = anAgent({
    name: 'api',
    drive: 'live',
    terminal: 'tmux',
    model: 'claude-opus-4-6',
    transcript: '/t.jsonl',
    control: { by: 'ada', how: 'attach' },
    prompts: [{ id: 'p3', state: 'queued', waiting: 'ada has control', text: 'fix\nthe tests' }],
    lastTurn: { how: 'answered', prompt: 'p2', text: 'read the code' },
    owner: { session: 'o-1', root: 'o-1', depth: 1, wake: true, onEnd: 'keep' },
    usage: { turns: 3, tokens: 45_600, usd: 0.423 },
    resumes: 2,
    lastSignAtMs: Date.now() - 9_030_000,
  });
  const held = anAgent({ phase: 'held', held: `log in ${'and more '.repeat(20)}` });
  await using world = await cliWorld({
    'session.show': () => ({ ...shown(), session }),
    'session.list': () => ({ sessions: [session, held], more: false }),
  });
  const { out } = await world.inside(['show', 'api']);
  const rows = ['claude-opus-4-6', 'c-1', '/t.jsonl', 'outlast attach api', 'ada (attach); prompts wait'];
  rows.push('answered: fine', 'p3 queued (ada has control): fix\\nthe tests', '/state/s/events.jsonl');
  rows.push(
    '3 turns, 46k tokens, $0.42',
    '2 of 10, at most 5 in 10m',
    '20 turns, $5',
    '5h, excluding sleep',
    '4096 MiB',
  );
  rows.push('2h 30m ago', '15m, 1h while a tool runs', 'o-1; at depth 1, kept when that ends');
  for (const words of rows) expect(out).toContain(words);
  expect(out).toMatch(/pid +4242\n/);
  session.exit = { status: 0, text: 'exit 0' };
  expect((await world.inside(['show', 'api'])).out).toMatch(/pid +4242 \(exited\)\n/);
  const lines = (await world.inside(['list'])).out.split('\n');
  expect(lines[1]).toMatch(/^api +idle, ada has control +.* tmux +2h 30m ago +3t \$0\.42 +scripted /);
  expect(lines[1]).toMatch(/ scripted claude-opus-4-6: fix the tests$/);
  expect(lines[2]).toMatch(new RegExp(`^${ID}  held: log in and more .{0,20}…  `));
});
