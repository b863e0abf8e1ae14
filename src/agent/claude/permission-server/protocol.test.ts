import { expect, test } from 'vitest';
import { answerTo, readRequest } from './protocol.ts';

const answer = (method: string, params: object = {}, id: number | undefined = 1) =>
  answerTo({ id, method, params: params as Record<string, unknown> });

function resultFor(output: string): unknown {
  const input = { command: 'make' };
  const call = answer('tools/call', { arguments: { tool_name: 'Bash', input, tool_use_id: 't1' } });
  if (call.is !== 'ask') throw new Error('no question is asked');
  const response = call.resultOf(output) as { result: { content: { text: string }[] } };
  return JSON.parse(response.result.content[0]?.text ?? '');
}

const decided = (decision: object): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

test('it lists itself and its one tool', () => {
  expect(answer('initialize', { protocolVersion: 'v' })).toMatchObject({
    result: { result: { protocolVersion: 'v' } },
  });
  expect(answer('tools/list')).toMatchObject({ result: { result: { tools: [{ name: 'ask' }] } } });
  expect(answer('ping')).toMatchObject({ is: 'result' });
  expect(answer('resources/list')).toMatchObject({ result: { error: { code: -32_601 } } });
  expect(answerTo({ id: undefined, method: 'notifications/initialized', params: {} })).toEqual({ is: 'nothing' });
  expect(answer('notifications/cancelled', { requestId: 7 })).toEqual({ is: 'withdraw', request: 7 });
});

test('the question has the format of a hook', () => {
  const call = answer('tools/call', { arguments: { tool_name: 'Bash', input: { a: 1 }, tool_use_id: 't1' } });
  expect(JSON.parse(call.is === 'ask' ? call.question : '')).toEqual({
    ...{ hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { a: 1 }, tool_use_id: 't1' },
  });
});

test('an allow lets the call run with its input, a deny gives the reason', () => {
  expect(resultFor(decided({ behavior: 'allow' }))).toEqual({ behavior: 'allow', updatedInput: { command: 'make' } });
  expect(resultFor(decided({ behavior: 'deny', message: 'no' }))).toEqual({ behavior: 'deny', message: 'no' });
});

test.each(['', '{', 'allow', '[]', 'null', '{"behavior":"allow"}', decided({}), decided({ behavior: 'yes' })])(
  'anything but a clear allow is a deny: %s',
  (output) => {
    expect(resultFor(output)).toMatchObject({ behavior: 'deny', message: expect.stringContaining('no clear answer') });
  },
);

test('a line that is not a request is ignored', () => {
  for (const line of ['', 'x', '[]', '{}', '{"id":1}']) expect(readRequest(line)).toBeNull();
});
