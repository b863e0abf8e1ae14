import { expect, test } from 'vitest';
import { GATED_HELLO } from '../../testing/hello-plan.ts';
import type { Incoming, Outgoing, ServerIntent } from '../seam/server.ts';
import { opencodeServer } from './server.ts';
import type { OpencodeState } from './server-state.ts';

const { empty, hello, receive, request, sent, proof, view, wire } = opencodeServer;
const DELIVER: ServerIntent = { do: 'deliver', token: 'p1', text: 'hello', steer: false };
const INFO = { id: 'ses_1', time: { created: 1_794_784_204_050 } };
const ASKS = { permission: '*', pattern: '*', action: 'ask' };
const ANSWERS: Readonly<Record<string, unknown>> = {
  config: { permission: { '*': 'ask' } },
  agents: [{ name: 'build', permission: [{ permission: 'bash', pattern: '*', action: 'allow' }, ASKS] }],
  open: INFO,
  adopt: INFO,
  status: {},
  permissions: [],
  messages: [],
};

function take(state: OpencodeState, message: Incoming): OpencodeState {
  return receive(state, message, { run: 1, nowMs: 0 }).state;
}

function answer(state: OpencodeState, to: string, status: number, data: unknown = null): OpencodeState {
  return take(state, { is: 'answer', to, status, data });
}

function event(state: OpencodeState, type: string, properties: object): OpencodeState {
  return take(state, { is: 'message', data: { type, properties } });
}

function opened(plan = GATED_HELLO): OpencodeState {
  const messages = hello(empty, plan);
  const state = messages.reduce(sent, empty);
  return messages.reduce((known, { id }) => answer(known, id, 200, ANSWERS[id]), state);
}

function bodyOf(message: Outgoing): Record<string, unknown> {
  return message.is === 'call' ? (message.body as Record<string, unknown>) : {};
}

test('the line that names the port it listens on', () => {
  const port = wire.over === 'http' ? wire.port : () => null;
  expect(port('opencode server listening on http://127.0.0.1:4096')).toBe(4_096);
  expect(port('Warning: OPENCODE_SERVER_PASSWORD is not set')).toBeNull();
});

test('images are parts of the message, by their files', () => {
  const image = { path: '/s/images/a b.png', name: 'shot.png', type: 'image/png', base64: () => '' } as const;
  expect(bodyOf(request(opened(), { ...DELIVER, images: [image] })).parts).toEqual([
    { type: 'text', text: 'hello' },
    { type: 'file', mime: 'image/png', filename: 'shot.png', url: 'file:///s/images/a%20b.png' },
  ]);
});

test('behind a gate, its configuration is read first', () => {
  const idsOf = (plan: typeof GATED_HELLO): string[] => hello(empty, plan).map(({ id }) => id);
  expect(idsOf(GATED_HELLO)).toEqual(['config', 'agents', 'open']);
  expect(idsOf({ ...GATED_HELLO, isGated: false })).toEqual(['open']);
  const state = answer(opened(), 'config', 200, { permission: { '*': 'ask', bash: 'allow' } });
  expect(view(state).trouble).toBe('its configuration allows tools without asking');
  expect(view(opened()).trouble).toBeNull();
  expect(view(answer(opened(), 'config', 200, {})).trouble).not.toBeNull();
});

test('behind a gate, neither an agent nor the conversation itself may have a rule that allows', () => {
  const troubleOf = (to: string, data: unknown): string | null => view(answer(opened(), to, 200, data)).trouble;
  const allows = { permission: 'bash', pattern: 'ls', action: 'allow' };
  expect(troubleOf('agents', [{ name: 'mine', permission: [ASKS, allows] }])).not.toBeNull();
  expect(troubleOf('agents', [{ name: 'mine', permission: [] }])).not.toBeNull();
  expect(troubleOf('agents', [])).not.toBeNull();
  const outside = { permission: 'external_directory', pattern: '/tmp/*', action: 'allow' };
  expect(troubleOf('agents', [{ name: 'mine', permission: [allows, ASKS, outside] }])).toBeNull();
  expect(troubleOf('open', { ...INFO, permission: [allows] })).not.toBeNull();
  expect(troubleOf('open', { ...INFO, permission: [{ ...allows, action: 'deny' }] })).toBeNull();
});

test('what it reports before its state is known is applied after that', () => {
  const plan = { ...GATED_HELLO, conversation: 'ses_1', isAdopted: true, isGated: false };
  const messages = hello(empty, plan);
  const asked = { id: 'per_1', sessionID: 'ses_1', permission: 'bash', metadata: { command: 'ls' } };
  const early = event(messages.reduce(sent, empty), 'permission.asked', asked);
  expect([view(early).is, view(early).questions]).toEqual(['starting', []]);
  const known = messages.reduce((state, { id }) => answer(state, id, 200, ANSWERS[id]), early);
  expect([view(known).is, view(known).questions, known.early]).toEqual(['idle', ['per_1'], []]);
});

test('a turn that ended while nobody was connected is reported with its reply', () => {
  const plan = { ...GATED_HELLO, conversation: 'ses_1', isAdopted: true, isGated: false };
  const user = { id: 'msg_1', role: 'user', sessionID: 'ses_1' };
  const time = { created: 1, completed: 2 };
  const reply = { id: 'msg_2', role: 'assistant', parentID: 'msg_1', sessionID: 'ses_1', time, finish: 'stop' };
  const text = (id: string, messageID: string, words: string) => [
    { id, type: 'text', text: words, messageID, sessionID: 'ses_1' },
  ];
  const data = [
    { info: user, parts: text('prt_1', 'msg_1', 'ask') },
    { info: reply, parts: text('prt_2', 'msg_2', 'the reply') },
  ];
  const { reports } = receive(opened(plan), { is: 'answer', to: 'messages', status: 200, data }, { run: 1, nowMs: 0 });
  expect(reports.map(({ says }) => says)).toMatchObject([
    { type: 'hook.prompted', text: 'ask' },
    { type: 'hook.stopped', reply: 'the reply' },
  ]);
});

test('a question that was open before this connection is reported with the whole call, as it was then', () => {
  const plan = { ...GATED_HELLO, conversation: 'ses_1', isAdopted: true, isGated: false };
  const known = opened(plan);
  const tool = { messageID: 'msg_2', callID: 'call_1' };
  const asked = { id: 'per_1', sessionID: 'ses_2', permission: 'bash', metadata: { command: 'ls' }, tool };
  const at = { run: 1, nowMs: 0 };
  const listed = receive(
    sent(known, { is: 'call', id: 'permissions', method: 'GET', path: '/permission' }),
    { is: 'answer', to: 'permissions', status: 200, data: [asked] },
    at,
  );
  expect([listed.reports, view(listed.state).is]).toEqual([[], 'starting']);
  expect(listed.send).toMatchObject([{ id: 'about_per_1', path: '/session/ses_2/message/msg_2' }]);
  const input = { command: 'ls', description: 'look' };
  const part = { id: 'prt_1', type: 'tool', tool: 'bash', callID: 'call_1', messageID: 'msg_2', sessionID: 'ses_2' };
  const data = { parts: [{ ...part, state: { status: 'running', input } }] };
  const state = listed.send.reduce(sent, listed.state);
  const { state: after, reports } = receive(state, { is: 'answer', to: 'about_per_1', status: 200, data }, at);
  expect(reports.at(-1)).toMatchObject({ says: { type: 'asked', question: 'per_1', call: { tool: 'bash', input } } });
  expect([view(after).is, view(after).questions]).toEqual(['idle', ['per_1']]);
  const event: Incoming = { is: 'message', data: { type: 'permission.asked', properties: asked } };
  expect(receive(known, event, at)).toMatchObject({ reports: [], send: listed.send });
  expect(receive(after, event, at)).toMatchObject({ reports: [{ key: 'asked per_1' }], send: [] });
});

test('the end of an earlier turn does not end one that began after it', () => {
  const info = { id: 'msg_1', role: 'user', sessionID: 'ses_1', time: { created: 1_794_784_204_050 } };
  const state = event(opened(), 'message.updated', { info });
  const idle = (id: string): OpencodeState =>
    take(state, { is: 'message', data: { id, type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  expect([idle('evt_1e1799511fff0').turns, idle('evt_1e17995130000').turns]).toEqual([['msg_1'], []]);
});

test('a copy reads its messages before it is used', () => {
  const plan = { ...GATED_HELLO, origin: 'ses_0', isGated: false };
  const state = hello(empty, plan).reduce(sent, empty);
  const made = receive(state, { is: 'answer', to: 'open', status: 200, data: INFO }, { run: 1, nowMs: 0 });
  expect(made.send).toMatchObject([{ id: 'messages', path: '/session/ses_1/message?limit=100' }]);
  expect(view(made.state).is).toBe('starting');
  expect(view(answer(made.send.reduce(sent, made.state), 'messages', 200, [])).is).toBe('idle');
});

test('a turn that would wait for a limit is stopped, and ends with the time of the limit', () => {
  const info = { id: 'msg_1', role: 'user', sessionID: 'ses_1' };
  const asked = event(opened(), 'message.updated', { info });
  const retry = (next: number): Incoming => {
    const status = { type: 'retry', attempt: 1, message: 'Rate limited', next };
    return { is: 'message', data: { type: 'session.status', properties: { sessionID: 'ses_1', status } } };
  };
  expect(receive(asked, retry(30_000), { run: 1, nowMs: 0 }).send).toEqual([]);
  const { state, send } = receive(asked, retry(3_600_000), { run: 1, nowMs: 0 });
  expect(send).toMatchObject([{ path: '/session/ses_1/abort' }]);
  const idle: Incoming = { is: 'message', data: { type: 'session.idle', properties: { sessionID: 'ses_1' } } };
  const { reports } = receive(state, idle, { run: 1, nowMs: 0 });
  expect(reports).toMatchObject([{ says: { trouble: { kind: 'limited', untilMs: 3_600_000 } } }]);
});

test('the id of a prompt sorts after every message, is stable, and belongs to this prompt only', () => {
  const state = opened();
  const id = bodyOf(request(state, DELIVER)).messageID;
  expect(id).toMatch(/^msg_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
  expect(bodyOf(request(state, DELIVER)).messageID).toBe(id);
  expect(bodyOf(request(state, { ...DELIVER, token: 'p2' })).messageID).not.toBe(id);
  const info = { id: 'msg_ffff1e17a4a3c001oP0EVHqUVc', role: 'user', sessionID: 'ses_1' };
  const later = bodyOf(request(event(state, 'message.updated', { info }), DELIVER)).messageID;
  expect([later, info.id].sort()).toEqual([info.id, later]);
});

test('a prompt is proven by its message, accepted or refused by an answer, and otherwise unknown', () => {
  const state = opened();
  expect(proof(state, DELIVER)).toBe('not-done');
  const message = request(state, DELIVER);
  const gone = sent(state, message);
  expect([proof(gone, DELIVER), proof(answer(gone, 'prompt p1', 0), DELIVER)]).toEqual(['unknown', 'unknown']);
  expect(proof(answer(gone, 'prompt p1', 204), DELIVER)).toBe('done');
  expect(proof(answer(gone, 'prompt p1', 400), DELIVER)).toBe('not-done');
  const info = { id: bodyOf(message).messageID, role: 'user', sessionID: 'ses_1' };
  expect(proof(event(gone, 'message.updated', { info }), DELIVER)).toBe('done');
  // The sending was not recorded, but the message is there.
  expect(proof(event(opened({ ...GATED_HELLO, isAdopted: true }), 'message.updated', { info }), DELIVER)).toBe('done');
  expect(proof(opened({ ...GATED_HELLO, isAdopted: true }), DELIVER)).toBe('unknown');
});

test('an answer to a call that was never made changes nothing', () => {
  const state = opened();
  expect(answer(state, 'prompt p9', 204)).toBe(state);
});

test('a question waits until it is decided; an allow applies once, and a changed call is denied', () => {
  const asked = { id: 'per_1', sessionID: 'ses_1', permission: 'bash', metadata: { command: 'ls' } };
  const state = event(opened(), 'permission.asked', asked);
  const intent = { do: 'answer', question: 'per_1', why: 'not now' } as const;
  expect([view(state).questions, proof(state, { ...intent, allow: true })]).toEqual([['per_1'], 'not-done']);
  expect(bodyOf(request(state, { ...intent, allow: true }))).toEqual({ reply: 'once' });
  const no = { reply: 'reject', message: 'not now' };
  expect(bodyOf(request(state, { ...intent, allow: false }))).toEqual(no);
  expect(bodyOf(request(state, { ...intent, allow: true, edit: '{}' }))).toEqual(no);
  const replied = event(state, 'permission.replied', { sessionID: 'ses_1', requestID: 'per_1', reply: 'once' });
  expect([proof(replied, { ...intent, allow: true }), view(replied).questions]).toEqual(['done', []]);
});

test('messages from before this process are not reported', () => {
  const known = opened({ ...GATED_HELLO, conversation: 'ses_1' });
  const message = { id: 'msg_1e17a4a3c001oP0EVHqUVcPoYz', role: 'user', sessionID: 'ses_1' };
  const part = { id: 'prt_1', type: 'text', text: 'old', messageID: message.id, sessionID: 'ses_1' };
  const data = [{ info: message, parts: [part] }];
  const { state: after, reports } = receive(
    known,
    { is: 'answer', to: 'messages', status: 200, data },
    { run: 1, nowMs: 0 },
  );
  expect([reports, view(after).is, after.received]).toEqual([[], 'idle', [message.id]]);
});

test('a prompt is reported once, also when one of its parts is updated later', () => {
  const id = 'msg_1e17a4a3c001oP0EVHqUVcPoYz';
  const state = event(opened(), 'message.updated', { info: { id, role: 'user', sessionID: 'ses_1' } });
  const part = { id: 'prt_1', type: 'text', text: 'hello', messageID: id, sessionID: 'ses_1' };
  const update: Incoming = { is: 'message', data: { type: 'message.part.updated', properties: { part } } };
  const first = receive(state, update, { run: 1, nowMs: 0 });
  const second = receive(first.state, update, { run: 1, nowMs: 0 });
  expect([first.reports.length, second.reports.length]).toEqual([1, 0]);
});
