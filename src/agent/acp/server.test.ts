import { expect, test } from 'vitest';
import { GATED_HELLO } from '../../testing/hello-plan.ts';
import type { Received, ServerIntent } from '../seam/server.ts';
import { ANY_DIALECT } from './dialect.ts';
import { acpServer } from './server.ts';
import type { AcpState } from './server-state.ts';

const { empty, hello, receive, request, sent, proof, view } = acpServer(ANY_DIALECT);
const DELIVER: ServerIntent = { do: 'deliver', token: 'p1', text: 'hello', steer: false };
const CAN_LOAD = { protocolVersion: 1, agentCapabilities: { loadSession: true } };

function take(state: AcpState, data: unknown): Received<AcpState> {
  return receive(state, { is: 'message', data }, { run: 1, nowMs: 0 });
}

/** The state after these messages, with everything sent that they ask for. */
function after(state: AcpState, ...messages: readonly unknown[]): AcpState {
  return messages.reduce((known: AcpState, data) => {
    const received = take(known, data);
    return received.send.reduce(sent, received.state);
  }, state);
}

function opened(plan = GATED_HELLO, can: unknown = CAN_LOAD): AcpState {
  const state = hello(empty, plan).reduce(sent, empty);
  return after(state, { id: 'initialize', result: can }, { id: 'open', result: { sessionId: 's' } });
}

function asking(options: readonly (readonly [id: string, kind: string])[]): AcpState {
  const state = sent(opened(), request(opened(), DELIVER));
  const toolCall = { toolCallId: 'c', kind: 'execute', rawInput: { command: 'ls' } };
  const all = options.map(([optionId, kind]) => ({ optionId, kind, name: optionId }));
  const params = { sessionId: 's', toolCall, options: all };
  return after(state, { id: 7, method: 'session/request_permission', params });
}

const update = (fields: object): unknown => ({ method: 'session/update', params: { sessionId: 's', update: fields } });
const answerTo = (state: AcpState, allow: boolean, more = {}): unknown =>
  request(state, { do: 'answer', question: '7', allow, why: '', ...more });

test('the conversation is named before a prompt can be sent, also to a daemon that reads the answers later', () => {
  const begun = hello(empty, GATED_HELLO).reduce(sent, empty);
  expect(view(begun).is).toBe('starting');
  const { send } = take(begun, { id: 'initialize', result: CAN_LOAD });
  expect(send).toMatchObject([{ id: 'open', data: { method: 'session/new', params: { cwd: '/w' } } }]);
  const { state, reports } = take(send.reduce(sent, begun), { id: 'open', result: { sessionId: 's' } });
  expect([reports[0]?.says, view(state).is]).toEqual([expect.objectContaining({ conversation: 's' }), 'idle']);
});

test('a conversation is loaded, and what it tells again is not reported', () => {
  const state = hello(empty, { ...GATED_HELLO, conversation: 's' }).reduce(sent, empty);
  const { send } = take(state, { id: 'initialize', result: CAN_LOAD });
  expect(send).toMatchObject([{ data: { method: 'session/load', params: { sessionId: 's' } } }]);
  const loading = send.reduce(sent, state);
  const call = update({ sessionUpdate: 'tool_call', toolCallId: 'old', kind: 'execute' });
  expect(take(loading, call)).toMatchObject({ reports: [], send: [] });
  const loaded = after(loading, { id: 'open', result: null });
  expect([view(loaded).is, take(loaded, call).reports]).toEqual(['idle', []]);
});

test('an agent that can load no conversation, or speaks another version, is in trouble', () => {
  const old = { ...GATED_HELLO, conversation: 's' };
  expect(view(opened(old, { protocolVersion: 1, agentCapabilities: {} })).trouble).toMatch(/cannot load/);
  expect(view(opened(GATED_HELLO, { protocolVersion: 2 })).trouble).toMatch(/another version/);
  const begun = hello(empty, GATED_HELLO).reduce(sent, empty);
  const error = { code: -32_000, message: 'Authentication required' };
  const refused = after(begun, { id: 'initialize', result: CAN_LOAD }, { id: 'open', error });
  expect(view(refused)).toEqual({ is: 'idle', questions: [], trouble: 'Authentication required' });
});

test('a prompt that was sent is in the file, and is accepted when the agent begins with it', () => {
  const state = opened();
  expect(proof(state, DELIVER)).toBe('not-done');
  const gone = sent(state, request(state, DELIVER));
  expect([proof(gone, DELIVER), view(gone).is]).toEqual(['done', 'busy']);
  expect(take(gone, update({ sessionUpdate: 'usage_update' })).reports).toEqual([]);
  const text = update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hi' } });
  expect(take(gone, text).reports).toMatchObject([{ says: { type: 'hook.prompted', token: 'p1' } }]);
  const over = take(after(gone, text), { id: 'prompt p1', result: { stopReason: 'end_turn' } });
  expect(over.reports).toMatchObject([{ says: { type: 'hook.stopped', reply: 'Hi', trouble: null } }]);
  expect(view(over.state).is).toBe('idle');
});

test('a turn that stops for another reason has failed, and a cancelled one is interrupted', () => {
  const gone = sent(opened(), request(opened(), DELIVER));
  const end = (data: object) => take(gone, { id: 'prompt p1', ...data }).reports.at(-1)?.says;
  expect(end({ result: { stopReason: 'refusal' } })).toMatchObject({ trouble: { kind: 'other' } });
  expect(end({ result: { stopReason: 'cancelled' } })).toMatchObject({ trouble: null, interrupted: true });
  const error = { code: -32_603, message: 'Internal error', data: { details: 'rate limit reached' } };
  expect(end({ error })).toMatchObject({ trouble: { kind: 'overloaded' }, reply: expect.stringContaining('rate') });
});

test('only an option for this one call is chosen, and without one the question is cancelled', () => {
  const usual = asking([
    ['always', 'allow_always'],
    ['once', 'allow_once'],
    ['no', 'reject_once'],
    ['never', 'reject_always'],
  ]);
  const chosen = (optionId: string) => ({ data: { id: 7, result: { outcome: { outcome: 'selected', optionId } } } });
  expect(answerTo(usual, true)).toMatchObject(chosen('once'));
  expect(answerTo(usual, false)).toMatchObject(chosen('no'));
  const cancelled = { data: { id: 7, result: { outcome: { outcome: 'cancelled' } } } };
  const wide = asking([
    ['always', 'allow_always'],
    ['never', 'reject_always'],
  ]);
  expect([answerTo(wide, true), answerTo(wide, false)]).toMatchObject([cancelled, cancelled]);
  expect(answerTo(usual, true, { edit: '{}' })).toMatchObject(chosen('no'));
});

test('a question names the call, and every other request of the agent is refused', () => {
  const state = sent(opened(), request(opened(), DELIVER));
  const call = update({ sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'execute', rawInput: { command: 'ls' } });
  const params = { sessionId: 's', toolCall: { toolCallId: 'c', title: 'anything' }, options: [] };
  const { reports } = take(after(state, call), { id: 'x', method: 'session/request_permission', params });
  expect(reports).toMatchObject([
    { says: { type: 'asked', call: { call: 'c', tool: 'execute', input: { command: 'ls' } } } },
  ]);
  const other = { ...params, sessionId: 'another' };
  for (const [method, given] of [
    ['fs/read_text_file', { path: '/etc/passwd' }],
    ['session/request_permission', other],
  ])
    expect(take(state, { id: 9, method, params: given }).send).toMatchObject([{ data: { id: 9, error: {} } }]);
});

test('calls that have not ended are open, whatever else is reported', () => {
  const state = sent(opened(), request(opened(), DELIVER));
  const called = (id: string) => update({ sessionUpdate: 'tool_call', toolCallId: id, kind: 'execute' });
  const ended = (status: string) => update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status });
  const both = after(state, called('a'), called('b'), ended('in_progress'));
  expect(Object.keys(both.calls)).toEqual(['a', 'b']);
  expect(Object.keys(after(both, ended('failed')).calls)).toEqual(['b']);
});

test('an agent that takes images is sent their content, and any other a link to the file', () => {
  const file = { path: '/s/a b.png', name: 'shot.png', type: 'image/png', base64: () => 'AAAA' } as const;
  const given = { ...DELIVER, images: [file] };
  const can = { ...CAN_LOAD, agentCapabilities: { loadSession: true, promptCapabilities: { image: true } } };
  const promptIn = (state: AcpState): unknown => request(state, given);
  const text = { type: 'text', text: 'hello' };
  expect(promptIn(opened(GATED_HELLO, can))).toMatchObject({
    data: { params: { prompt: [text, { type: 'image', mimeType: 'image/png', data: 'AAAA' }] } },
  });
  expect(promptIn(opened())).toMatchObject({
    data: { params: { prompt: [text, { type: 'resource_link', uri: 'file:///s/a%20b.png', name: 'shot.png' }] } },
  });
  const unread = { ...file, base64: (): string => expect.fail('the content is read only to be sent') };
  expect(proof(opened(GATED_HELLO, can), { ...given, images: [unread] })).toBe('not-done');
});

test('a call that only a question has told of has begun with it, and is over when it is not allowed', () => {
  const state = sent(opened(), request(opened(), DELIVER));
  const text = update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I run it' } });
  const options = [
    { optionId: 'yes', kind: 'allow_once' },
    { optionId: 'no', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: 'c', kind: 'execute', rawInput: {} };
  const params = { sessionId: 's', toolCall, options };
  const asked = take(after(state, text), { id: 7, method: 'session/request_permission', params });
  expect(asked.reports.map(({ key }) => key)).toEqual(['called c', 'asked 7']);
  const over = (allow: boolean) => {
    const answered = sent(asked.state, request(asked.state, { do: 'answer', question: '7', allow, why: '' }));
    return take(answered, { id: 'prompt p1', result: { stopReason: 'end_turn' } });
  };
  expect(over(false).reports.map(({ key }) => key)).toEqual(['ended c', 'stopped p1']);
  expect(over(true).reports).toMatchObject([{ says: { type: 'hook.stopped', reply: '' } }]);
});

test('what is told after a conversation was loaded is the past until another request is answered', () => {
  const drive = acpServer({ ...ANY_DIALECT, tellsOn: true });
  const receiveAll = (state: AcpState, ...messages: readonly unknown[]): AcpState =>
    messages.reduce((known: AcpState, data) => {
      const received = drive.receive(known, { is: 'message', data }, { run: 1, nowMs: 0 });
      return received.send.reduce(drive.sent, received.state);
    }, state);
  const begun = (conversation: string | null) =>
    drive.hello(drive.empty, { ...GATED_HELLO, conversation }).reduce(drive.sent, drive.empty);
  const [ready, open] = [
    { id: 'initialize', result: CAN_LOAD },
    { id: 'open', result: { sessionId: 's' } },
  ];
  const loading = receiveAll(begun('s'), ready, open);
  expect([drive.view(loading).is, loading.sent.at(-1)]).toEqual(['starting', 'told']);
  const error = { code: -32_601, message: 'Method not found' };
  expect(drive.view(receiveAll(loading, { id: 'told', error }))).toMatchObject({ is: 'idle', trouble: null });
  expect(drive.view(receiveAll(begun(null), ready, open)).is).toBe('idle');
});
