import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { eventually } from '../eventually.ts';
import { openEcho, type Run } from './echo-run.ts';

const BIG = 200_000;

/** Answers of echo have the id of their request. */
const replyTo = (id: string) => (data: Fields) => data.re === id;
const stopped = (reply: string) => (data: Fields) => data.on === 'stopped' && data.reply === reply;
type Fields = Readonly<Record<string, unknown>>;

const receivedPrompts = (run: Run): string[] =>
  readFileSync(join(run.home, 'heard.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).prompt);

for (const over of ['stdio', 'websocket', 'http'] as const) {
  test(`${over}: requests arrive and answers come back, also long ones, whole and once`, async () => {
    await using run = await openEcho(over);
    await run.connected();
    await run.request({ do: 'open', id: 'o', conversation: null, ask: false });
    await run.until(replyTo('o'));
    await run.request({ do: 'prompt', id: 'p1', text: `say ${'y'.repeat(BIG)}\nbig ${BIG}`, steer: false });
    await run.until(stopped(`${'y'.repeat(BIG)}\n${'x'.repeat(BIG)}`));
    expect(run.wire.connection).toBe(1);
    expect(receivedPrompts(run)).toEqual(['p1']);
    expect(run.received.filter(replyTo('p1'))).toHaveLength(1);
  });

  test(`T-WIRE-1 ${over}: another reader continues where the first one was, in the middle of a turn`, async () => {
    await using run = await openEcho(over);
    await run.connected();
    await run.request({ do: 'open', id: 'o', conversation: null, ask: false });
    await run.request({ do: 'prompt', id: 'p1', text: 'wait go\nsay gone', steer: false });
    await run.until((data) => data.on === 'prompted');
    const first = run.received;
    run.reopen();
    await run.connected();
    await run.request({ do: 'open', id: 'o2', conversation: null, ask: false });
    await run.until(replyTo('o2'));
    writeFileSync(join(run.cwd, 'go'), '');
    await run.until(stopped('gone'));
    // No notification is received twice.
    const notes = [...first, ...run.received].flatMap(({ n }) => (n === undefined ? [] : [n]));
    expect(notes).toEqual([...new Set(notes)]);
    expect(receivedPrompts(run)).toEqual(['p1']);
    const past = over === 'stdio' ? ['o', 'p1'] : [];
    expect((await run.wire.past()).map(({ id }) => id)).toEqual(past);
  });

  test(`T-WIRE-2 ${over}: half a message is not read, and the whole message is when the rest comes`, async () => {
    await using run = await openEcho(over);
    await run.connected();
    await run.request({ do: 'open', id: 'o', conversation: null, ask: false });
    await run.request({ do: 'prompt', id: 'p1', text: 'run touch before\nhalf go\nsay whole', steer: false });
    await eventually(() => existsSync(join(run.cwd, 'before')));
    await run.until((data) => data.on === 'returned');
    run.receive();
    expect(run.received.filter(({ tool }) => tool === 'half')).toEqual([]);
    writeFileSync(join(run.cwd, 'go'), '');
    await run.until(stopped('whole'));
    expect(run.received.filter(({ tool }) => tool === 'half').map(({ on }) => on)).toEqual(['called', 'returned']);
    expect(run.garbage).toEqual([]);
  });

  test(`T-WIRE-3 ${over}: an agent that is killed closes the wire, and nothing can be sent any more`, async () => {
    await using run = await openEcho(over);
    await run.connected();
    await run.request({ do: 'open', id: 'o', conversation: null, ask: false });
    await run.request({ do: 'prompt', id: 'p1', text: 'run touch before\nhalf', steer: false });
    await eventually(() => existsSync(join(run.cwd, 'before')));
    run.kill('command');
    await eventually(() => run.wire.state === 'closed');
    await expect(run.request({ do: 'prompt', id: 'p2', text: 'say no', steer: false })).rejects.toMatchObject({
      name: 'NotSent',
    });
    run.receive();
    expect(run.received.filter(({ tool }) => tool === 'half')).toEqual([]);
    expect(receivedPrompts(run)).toEqual(['p1']);
  });
}

const sentLines = (run: Run): number => readFileSync(run.files.input, 'utf8').split('\n').length - 1;
const LINE = JSON.stringify({ do: 'prompt', id: 'p1', text: 'say one', steer: false });

test('T-WIRE-4 stdio: half a message of a dead daemon is completed by the same message, received once', async () => {
  await using run = await openEcho('stdio');
  await run.connected();
  await run.request({ do: 'open', id: 'o', conversation: null, ask: false });
  appendFileSync(run.files.input, LINE.slice(0, 30));
  run.reopen();
  expect((await run.wire.past()).map(({ id }) => id)).toEqual(['o']);
  await run.request(JSON.parse(LINE));
  await run.until(stopped('one'));
  expect(receivedPrompts(run)).toEqual(['p1']);
  expect(sentLines(run)).toBe(2);
  run.reopen();
  expect((await run.wire.past()).map(({ id }) => id)).toEqual(['o', 'p1']);
});

test('T-WIRE-4 stdio: half a message that is never completed is ended, and the next one is received', async () => {
  await using run = await openEcho('stdio');
  await run.connected();
  await run.request({ do: 'open', id: 'o', conversation: null, ask: false });
  appendFileSync(run.files.input, LINE.slice(0, 30));
  run.reopen();
  await run.request({ do: 'prompt', id: 'p2', text: 'say two', steer: false });
  await run.until(stopped('two'));
  expect(receivedPrompts(run)).toEqual(['p2']);
  expect(sentLines(run)).toBe(3);
  run.reopen();
  expect((await run.wire.past()).map(({ id }) => id)).toEqual(['o', 'p2']);
});

test('T-WIRE-5 stdio: the wire closes when the keeper is killed', async () => {
  // This program does not exit when its input ends.
  await using run = await openEcho('stdio', ['sleep', '1000']);
  await run.connected();
  run.kill('keeper');
  await eventually(() => run.wire.state === 'closed');
  await expect(run.request({ do: 'open', id: 'o', conversation: null, ask: false })).rejects.toMatchObject({
    name: 'NotSent',
  });
});

/** A listener that is not the agent, and counts its connections. */
async function foreignListener(where: { port: number; host: string } | { path: string }): Promise<ForeignListener> {
  const server = createServer();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return {
    server,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface ForeignListener extends AsyncDisposable {
  readonly server: Server;
  connections(): number;
}

test('T-WIRE-6 http: nothing is sent to a port that a process of another run listens on', async () => {
  await using foreign = await foreignListener({ port: 0, host: '127.0.0.1' });
  const address = foreign.server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const line = JSON.stringify({ on: 'listening', port });
  await using run = await openEcho('http', ['sh', '-c', `echo '${line}'; exec sleep 1000`]);
  await eventually(() => run.logged.includes('a port is held by a process of another run'));
  expect(run.wire.state).toBe('connecting');
  await expect(run.request({ do: 'open', id: 'o', conversation: null, ask: false })).rejects.toMatchObject({
    name: 'NotSent',
  });
  expect(foreign.connections()).toBe(0);
});

test('T-WIRE-6 websocket: nothing is sent to a socket that a process of another run listens on', async () => {
  await using run = await openEcho('websocket', ['sleep', '1000'], ({ state, ref }) => {
    const { folder } = runFolder(state, ref);
    mkdirSync(folder, { recursive: true });
    return foreignListener({ path: join(folder, 'agent.sock') });
  });
  await eventually(() => run.logged.includes('a socket is held by a process of another run'));
  expect(run.wire.state).toBe('connecting');
  expect(run.foreign?.connections()).toBe(0);
  rmSync(join(run.files.folder, 'agent.sock'), { force: true });
});
