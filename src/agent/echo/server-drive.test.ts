import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { GATED_HELLO } from '../../testing/hello-plan.ts';
import { readWhole } from '../seam/lines.ts';
import type { Incoming, Outgoing, ServerIntent, ServerReport } from '../seam/server.ts';
import { type Places, placesOf } from './program/places.ts';
import { Server } from './program/server.ts';
import { echoRecord } from './record.ts';
import { ECHO_WIRES, echoServer } from './server-drive.ts';
import { EMPTY } from './server-state.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function places(): Places {
  const folder = mkdtempSync(join(tmpdir(), 'echo-'));
  folders.push(folder);
  return placesOf({ ECHO_HOME: folder }, folder);
}

const AT = { run: 1, nowMs: 0 };
const deliver = (token: string, text: string, steer = false): ServerIntent => ({ do: 'deliver', token, text, steer });

/** The adapter and the program of echo, connected in memory. Messages of the program are received on request. */
class Connected {
  readonly drive;
  readonly reports = new Map<string, ServerReport['says']>();
  state = EMPTY;
  readonly #outbox: Incoming[] = [];
  readonly #server: Server;

  constructor(over: keyof typeof ECHO_WIRES, server?: Connected) {
    this.drive = echoServer(ECHO_WIRES[over], ['echo']);
    const say = (data: unknown): number => this.#outbox.push({ is: 'message', data });
    const fresh = (): Server => new Server(places(), { say, sayHalf: () => () => {}, end: () => {} });
    this.#server = server === undefined ? fresh() : server.#server;
  }

  send(message: Outgoing): void {
    const data = message.is === 'message' ? message.data : message.body;
    const reply = this.#server.take(structuredClone(data));
    this.state = this.drive.sent(this.state, message);
    if (reply === null) return;
    const answer: Incoming = { is: 'answer', to: message.id, status: 200, data: reply };
    this.#outbox.push(message.is === 'message' ? { is: 'message', data: reply } : answer);
  }

  hello(isAdopted = false): void {
    for (const message of this.drive.hello(this.state, { ...GATED_HELLO, isAdopted })) this.send(message);
    this.receive();
  }

  want(intent: ServerIntent): void {
    this.send(this.drive.request(this.state, intent));
    this.receive();
  }

  receive(): void {
    for (let message = this.#outbox.shift(); message !== undefined; message = this.#outbox.shift()) {
      const { state, reports, send } = this.drive.receive(this.state, message, AT);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      this.state = state;
      for (const { key, says } of reports) this.reports.set(key, says);
      for (const each of send) this.send(each);
    }
  }

  async until(type: string): Promise<ServerReport['says']> {
    return eventually(() => {
      this.receive();
      const found = [...this.reports.values()].find((says) => says.type === type);
      expect(found).toBeDefined();
      return found as ServerReport['says'];
    });
  }

  get view(): unknown {
    return this.drive.view(this.state);
  }
}

for (const over of ['stdio', 'websocket', 'http'] as const) {
  test(`over ${over} a prompt is received under its token, asked about, answered and ended`, async () => {
    const echo = new Connected(over);
    expect(echo.view).toEqual({ is: 'starting', questions: [], trouble: null });
    echo.hello();
    expect(echo.view).toEqual({ is: 'idle', questions: [], trouble: null });
    echo.want(deliver('t1', 'run echo hi'));
    expect(await echo.until('hook.prompted')).toMatchObject({ token: 't1', text: 'run echo hi' });
    expect(echo.drive.proof(echo.state, deliver('t1', 'run echo hi'))).toBe('done');
    const asked = await echo.until('asked');
    expect(asked).toMatchObject({ call: { tool: 'shell', input: { command: 'echo hi' } } });
    const question = asked.type === 'asked' ? asked.question : '';
    expect(echo.view).toEqual({ is: 'busy', questions: [question], trouble: null });
    const answer: ServerIntent = { do: 'answer', question, allow: true, why: '', edit: '{"command":"echo ho"}' };
    expect(echo.drive.proof(echo.state, answer)).toBe('not-done');
    echo.want(answer);
    expect(echo.drive.proof(echo.state, answer)).toBe('done');
    expect(await echo.until('hook.stopped')).toMatchObject({ reply: 'ho', trouble: null });
    expect(echo.view).toEqual({ is: 'idle', questions: [], trouble: null });
  });

  test(`over ${over} an unknown question gets an error, and a stray answer changes nothing`, async () => {
    const echo = new Connected(over);
    echo.hello();
    echo.want(deliver('t1', 'stray\nwonder what time it is'));
    expect(await echo.until('hook.stopped')).toMatchObject({ reply: 'Outlast does not know this request' });
    expect(echo.view).toEqual({ is: 'idle', questions: [], trouble: null });
  });
}

test('a new connection gets what it missed, under the same keys', async () => {
  const first = new Connected('websocket');
  first.hello();
  first.want(deliver('t1', 'say one'));
  await first.until('hook.stopped');
  first.want(deliver('t2', 'run true'));
  await first.until('asked');
  const second = new Connected('websocket', first);
  second.hello(true);
  expect([...second.reports.keys()].sort()).toEqual([...first.reports.keys()].sort());
  expect(second.view).toEqual(first.view);
  expect(second.drive.proof(second.state, deliver('t2', 'run true'))).toBe('done');
  expect(second.drive.proof(second.state, deliver('t3', 'never sent'))).toBe('unknown');
});

test('over stdio an unsent message is not done, and one in the file is', () => {
  const echo = new Connected('stdio');
  const intent = deliver('t1', 'say hi');
  expect(echo.drive.proof(echo.state, intent)).toBe('not-done');
  const message = echo.drive.request(echo.state, intent);
  expect(echo.drive.request(echo.drive.sent(echo.state, message), intent)).toEqual(message);
  expect(echo.drive.proof(echo.drive.sent(echo.state, message), intent)).toBe('done');
});

test('a note from before the state was returned does not undo it', async () => {
  const echo = new Connected('http');
  echo.hello();
  echo.want(deliver('t1', 'wait never-there'));
  const standing = echo.drive.hello(echo.state, { ...GATED_HELLO, isAdopted: true });
  const late = new Connected('http', echo);
  for (const message of standing) late.send(message);
  echo.want({ do: 'interrupt', token: 'i1' });
  expect(await echo.until('hook.stopped')).toMatchObject({ interrupted: true });
  // The answer was made before the turn ended and arrives after that.
  late.state = echo.state;
  late.receive();
  expect(late.view).toEqual({ is: 'idle', questions: [], trouble: null });
});

test('a missing conversation is trouble of the process', () => {
  const echo = new Connected('stdio');
  echo.send(echo.drive.hello(echo.state, { ...GATED_HELLO, conversation: 'none' })[0] as Outgoing);
  echo.receive();
  expect(echo.view).toEqual({ is: 'starting', questions: [], trouble: 'there is no conversation none' });
});

test('the transcript shows the result of every prompt', async () => {
  const echo = new Connected('stdio');
  echo.hello();
  echo.want(deliver('t1', 'say one'));
  await echo.until('hook.stopped');
  echo.reports.clear();
  echo.want(deliver('t2', 'limit 60'));
  const stopped = await echo.until('hook.stopped');
  expect(stopped).toMatchObject({ trouble: { kind: 'limited' } });
  echo.want(deliver('t3', 'run true'));
  const text = readFileSync(transcriptOf(echo), 'utf8');
  const { prompts, messages } = readWhole(echoRecord, text);
  expect(prompts.map(({ given, turn, reply }) => [given, turn, reply])).toEqual([
    ['t1', 'closed', 'one'],
    ['t2', 'failed', 'the limit is reached for 60 s'],
    ['t3', 'open', ''],
  ]);
  expect(messages).toHaveLength(2);
});

function transcriptOf(echo: Connected): string {
  const again = new Connected('stdio', echo);
  again.hello(true);
  const opened = [...again.reports.values()].find((says) => says.type === 'hook.opened');
  return opened?.type === 'hook.opened' ? (opened.transcript ?? '') : '';
}

test.each(['websocket', 'http'] as const)('over %s, notes before the state of a connection follow it', (over) => {
  const { receive } = echoServer(ECHO_WIRES[over], ['echo']);
  const asked = { n: 5, on: 'asked', turn: 't2', question: 'q', tool: 'shell', input: {}, call: 'c' };
  const early = receive(EMPTY, { is: 'message', data: asked }, AT);
  expect(early.reports).toEqual([]);
  const prompt = (turn: string) => ({ prompt: `p-${turn}`, turn, text: turn });
  const known = { conversation: 'c', transcript: '/t', ended: [{ turn: 't1', reply: 'one' }], wonders: [] };
  const standing = { ...known, n: 4, prompts: [prompt('t1'), prompt('t2')], turn: 't2', questions: [] };
  const { state, reports } = receive(early.state, { is: 'message', data: { re: 'standing', standing } }, AT);
  const types = reports.map(({ says }) => says.type);
  expect(types.slice(-2)).toEqual(['hook.prompted', 'asked']);
  expect(types.indexOf('hook.stopped')).toBeLessThan(types.indexOf('asked'));
  expect([state.questions, 'early' in state]).toEqual([['q'], false]);
});
