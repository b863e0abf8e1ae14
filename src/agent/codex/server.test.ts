import { expect, test } from 'vitest';
import { GATED_HELLO } from '../../testing/hello-plan.ts';
import type { Incoming, ServerIntent } from '../seam/server.ts';
import { codexServer } from './server.ts';
import type { CodexState } from './server-state.ts';

const { empty, hello, receive, request, sent, proof, view } = codexServer;
const DELIVER: ServerIntent = { do: 'deliver', token: 'p1', text: 'hello', steer: false };

function after(state: CodexState, ...messages: readonly unknown[]): CodexState {
  return messages.reduce((known: CodexState, data) => take(known, data).state, state);
}

function take(state: CodexState, data: unknown) {
  const message: Incoming = { is: 'message', data };
  return receive(state, message, { run: 1, nowMs: 0 });
}

function opened(plan = GATED_HELLO): CodexState {
  const state = hello(empty, plan).reduce(sent, empty);
  return after(state, { id: plan.isAdopted ? 'adopt' : 'open', result: { thread: { id: 't', turns: [] } } });
}

const ask = (item: string, id: number): unknown => ({
  id,
  method: 'item/commandExecution/requestApproval',
  params: { threadId: 't', itemId: item, command: `/bin/bash -lc 'ls'` },
});

test('a gated conversation asks about everything, and reads no rules of its folder', () => {
  const [, , start] = hello(empty, GATED_HELLO);
  expect(start).toMatchObject({
    data: {
      method: 'thread/start',
      params: { approvalPolicy: 'untrusted', config: { projects: { '/w': { trust_level: 'untrusted' } } } },
    },
  });
  const resumed = hello(empty, { ...GATED_HELLO, conversation: 't', isAdopted: true }).at(-1);
  expect(resumed).toMatchObject({ id: 'adopt', data: { method: 'thread/resume', params: { threadId: 't' } } });
});

test('a prompt is proven by its id, refused by an error, and otherwise unknown once it was sent', () => {
  const state = opened();
  expect([view(state).is, proof(state, DELIVER)]).toEqual(['idle', 'not-done']);
  const message = request(state, DELIVER);
  expect(request(state, DELIVER)).toEqual(message);
  const gone = sent(state, message);
  expect(proof(gone, DELIVER)).toBe('unknown');
  expect(proof(after(gone, { id: message.id, error: { message: 'no' } }), DELIVER)).toBe('not-done');
  const item = { type: 'userMessage', id: 'i', clientId: 'p1', content: [{ type: 'text', text: 'hello' }] };
  const delivered = after(gone, { method: 'item/completed', params: { threadId: 't', turnId: 'u', item } });
  expect(proof(delivered, DELIVER)).toBe('done');
});

test('an adopted process may have a prompt whose sending was not recorded', () => {
  const state = opened({ ...GATED_HELLO, isAdopted: true });
  expect(proof(state, DELIVER)).toBe('unknown');
  const turns = [{ id: 'u', status: 'inProgress', items: [{ type: 'userMessage', clientId: 'p1' }] }];
  const known = after(sent(empty, { is: 'message', id: 'adopt', data: {} }), {
    id: 'adopt',
    result: { thread: { id: 't', turns } },
  });
  expect([proof(known, DELIVER), view(known).is]).toEqual(['done', 'busy']);
});

test('an answer to a request that was never made changes nothing', () => {
  const state = opened();
  expect(take(state, { id: 'prompt p1', result: { turn: { id: 'u', status: 'inProgress' } } }).state).toBe(state);
  expect(take(state, { id: 99, error: { message: 'no' } }).state).toBe(state);
});

test('an unknown request is answered with an error', () => {
  expect(take(opened(), { id: 7, method: 'item/tool/requestUserInput', params: {} }).send).toEqual([
    {
      is: 'message',
      id: 'refusal 7',
      data: { id: 7, error: { code: -32_601, message: 'item/tool/requestUserInput is not supported' } },
    },
  ]);
});

test('a question waits until it is decided; an allow applies once, and a changed call is denied', () => {
  const state = after(opened(), ask('c', 3));
  expect(view(state).questions).toEqual(['c']);
  const answer = { do: 'answer', question: 'c', why: '' } as const;
  const dataOf = (intent: ServerIntent): unknown => {
    const message = request(state, intent);
    return message.is === 'message' ? message.data : null;
  };
  expect(dataOf({ ...answer, allow: true })).toEqual({ id: 3, result: { decision: 'accept' } });
  expect(dataOf({ ...answer, allow: false })).toEqual({ id: 3, result: { decision: 'decline' } });
  expect(dataOf({ ...answer, allow: true, edit: '{}' })).toEqual({ id: 3, result: { decision: 'decline' } });
  expect(proof(state, { ...answer, allow: true })).toBe('not-done');
  const over = after(state, { method: 'serverRequest/resolved', params: { threadId: 't', requestId: 3 } });
  expect([proof(over, { ...answer, allow: true }), view(over).questions]).toEqual(['done', []]);
});

test('the questions of a sub-agent outlive the turn of the agent', () => {
  const child = { id: 4, method: 'item/fileChange/requestApproval', params: { threadId: 'child', itemId: 'd' } };
  const state = after(opened(), ask('c', 3), child, {
    method: 'turn/completed',
    params: { threadId: 't', turn: { id: 'u', status: 'interrupted', items: [] } },
  });
  expect(view(state).questions).toEqual(['d']);
});

test('a missing conversation is trouble, with the text of the server', () => {
  const state = hello(empty, GATED_HELLO).reduce(sent, empty);
  const failed = after(state, {
    id: 'open',
    error: { code: -32_600, message: 'thread t already has an active writer' },
  });
  expect(view(failed)).toEqual({ is: 'starting', questions: [], trouble: 'thread t already has an active writer' });
});
