import { expect, test } from 'vitest';
import { GATED_HELLO } from '../../testing/hello-plan.ts';
import type { ServerIntent } from '../seam/server.ts';
import { qwenServer } from './server.ts';
import type { QwenState } from './server-state.ts';

const AT = { run: 1, nowMs: 0 };
const PROMPT: ServerIntent = { do: 'deliver', token: 't1', text: 'go', steer: false };

function heard(state: QwenState, data: object): QwenState {
  return qwenServer.receive(state, { is: 'message', data }, AT).state;
}

/** The state after the handshake and a prompt. */
function working(): QwenState {
  const begun = qwenServer.hello(qwenServer.empty, GATED_HELLO).reduce(qwenServer.sent, qwenServer.empty);
  const response = { subtype: 'success', request_id: 'initialize', response: { session_id: 'c1' } };
  const open = heard(begun, { type: 'control_response', response });
  expect([qwenServer.view(begun).is, qwenServer.view(open).is]).toEqual(['starting', 'idle']);
  return heard(qwenServer.sent(open, qwenServer.request(open, PROMPT)), { type: 'system', subtype: 'init' });
}

function asking(): QwenState {
  const request = { subtype: 'can_use_tool', tool_name: 'run_shell_command', tool_use_id: 'call_1', input: {} };
  return heard(working(), { type: 'control_request', request_id: 'r1', request });
}

test('it may wait for an answer as long as the agent allows', () => {
  expect(qwenServer.hello(qwenServer.empty, GATED_HELLO)).toMatchObject([
    { data: { request: { subtype: 'initialize', timeout: { canUseTool: 600_000 } } } },
  ]);
});

test('only a plain yes is a yes: a changed call is denied', () => {
  const state = asking();
  const answer = { do: 'answer', question: 'call_1', allow: true, why: 'fine' } as const;
  const said = (more: object) => qwenServer.request(state, { ...answer, ...more } as ServerIntent);
  expect(said({})).toMatchObject({ data: { response: { request_id: 'r1', response: { behavior: 'allow' } } } });
  expect(said({ edit: '{"command":"ls"}' })).toMatchObject({ data: { response: { response: { behavior: 'deny' } } } });
  expect(said({ allow: false })).toMatchObject({ data: { response: { response: { message: 'fine' } } } });
});

test('a question is over when its call is, and an unknown request is refused', () => {
  const state = asking();
  expect(qwenServer.view(state)).toEqual({ is: 'busy', questions: ['call_1'], trouble: null });
  const content = [{ type: 'tool_result', tool_use_id: 'call_1', is_error: true, content: 'Control request timeout' }];
  expect(qwenServer.view(heard(state, { type: 'user', message: { content } })).questions).toEqual([]);
  const odd = { type: 'control_request', request_id: 'r2', request: { subtype: 'hook_callback' } };
  const { send } = qwenServer.receive(state, { is: 'message', data: odd }, AT);
  expect(send).toMatchObject([{ data: { response: { subtype: 'error', request_id: 'r2' } } }]);
});

test('a process whose turn failed gets no other prompt: the next one ends it', () => {
  const over = (result: object) => qwenServer.request(heard(working(), { type: 'result', ...result }), PROMPT);
  expect(over({ is_error: false, result: 'ok' })).toMatchObject({ data: { message: { content: 'go' } } });
  expect(over({ is_error: true, error: { message: 'Operation cancelled.' } })).toMatchObject({
    data: { type: 'user' },
  });
  expect(over({ is_error: true, error: { message: '[API Error: 400 no]' } })).toMatchObject({ data: {} });
  const failed = over({ is_error: true, error: { message: '[API Error: 400 no]' } });
  expect(failed.is === 'message' && failed.data).toEqual({});
});
