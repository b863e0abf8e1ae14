import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codexFollower } from './follower.ts';

const [OLD, NEW] = ['01a1f201-ab4e-7b71-892b-e7f2405f4e1b', '01a1f207-e076-7f51-9f32-871fe7a71a70'];
const lock = (id: string): string => `/home/.codex/thread-writer-locks/${id}.lock`;
const rollout = (id: string): string => `/home/.codex/sessions/2026/11/19/rollout-2026-11-19T04-12-38-${id}.jsonl`;
const meta = (source: unknown) => () => JSON.stringify({ type: 'session_meta', payload: { source } });

test('a conversation is known by its lock before its first prompt, and by its rollout afterwards', () => {
  const { conversation } = codexFollower;
  expect(conversation(['/dev/pts/1', lock(OLD)], meta('cli'))).toBe(OLD);
  expect(conversation([lock(OLD), rollout(OLD), lock(NEW)], meta('cli'))).toBe(OLD);
  expect(conversation([lock(OLD), rollout(OLD), lock(NEW), rollout(NEW)], meta('cli'))).toBe(NEW);
  expect(conversation([lock(OLD), lock(NEW)], meta('cli'))).toBe(null);
});

test('a conversation of a sub-agent is not that of the process', () => {
  const beginning = (path: string): string => meta(path.includes(NEW) ? { subagent: {} } : 'cli')();
  const writes = [lock(OLD), rollout(OLD), lock(NEW), rollout(NEW)];
  expect(codexFollower.conversation(writes, beginning)).toBe(OLD);
});

const line = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: '2026-11-19T04:00:00.000Z', type, payload });
const turn = (id: string, text: string, ...more: readonly string[]): readonly string[] => [
  line('event_msg', { type: 'task_started', turn_id: id }),
  line('event_msg', { type: 'item_completed', item: { type: 'UserMessage', content: [{ type: 'text', text }] } }),
  ...more,
];
const complete = (reply: string | null, error?: object): string =>
  line('event_msg', { type: 'task_complete', last_agent_message: reply, ...(error && { error }) });

function reported(lines: readonly string[], upTo: string | null = null): unknown[] {
  const listen = codexFollower.listener(2, upTo);
  return lines.flatMap((each) => listen(each)).map(({ run: _, ...report }) => report);
}

test('a turn is reported from its prompt to its end', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'exec_command', arguments: '{"cmd":"ls"}' };
  const output = { type: 'function_call_output', call_id: 'c1', output: 'a' };
  const lines = turn('t1', 'list', line('response_item', call), line('response_item', output), complete('done'));
  expect(reported(lines)).toMatchObject([
    { type: 'hook.prompted', token: null, turnId: 't1', text: 'list' },
    { type: 'hook.noted', fact: { type: 'tool.called', call: 'c1', tool: 'exec_command' } },
    { type: 'hook.noted', fact: { type: 'tool.ended', call: 'c1', tool: 'exec_command', error: null } },
    { type: 'hook.stopped', turnId: 't1', reply: 'done', trouble: null },
  ]);
});

test('a turn that failed says why, and one that was interrupted says that', () => {
  const error = { message: "Codex ran out of room in the model's context window.", codex_error_info: 'other' };
  const aborted = line('event_msg', { type: 'turn_aborted' });
  expect(reported([...turn('t1', 'a', complete(null, error)), ...turn('t2', 'b', aborted)])).toMatchObject([
    { type: 'hook.prompted' },
    { type: 'hook.stopped', turnId: 't1', trouble: { kind: 'too-long' } },
    { type: 'hook.prompted' },
    { type: 'hook.stopped', turnId: 't2', interrupted: true, trouble: null },
  ]);
});

test('what an earlier run did is not reported again', () => {
  const lines = [...turn('t1', 'a', complete('one')), ...turn('t2', 'b'), ...turn('t3', 'c', complete('three'))];
  expect(reported(lines, 't2')).toMatchObject([
    { type: 'hook.prompted', turnId: 't3' },
    { type: 'hook.stopped', turnId: 't3' },
  ]);
  expect(reported(lines, 'unknown')).toEqual([]);
});

test('all of a conversation that a person began since then is reported', () => {
  const lines = [line('session_meta', { id: NEW }), ...turn('t9', 'a', complete('one'))];
  expect(reported(lines, '01a1f205-0000-7000-8000-000000000000')).toHaveLength(2);
  expect(reported(lines, '01a1f208-0000-7000-8000-000000000000')).toEqual([]);
});

test('a line of a rollout that cannot be read reports nothing', () => {
  const text = readFileSync(join(import.meta.dirname, 'cases/rollout/unreadable-lines/rollout.jsonl'), 'utf8');
  const types = reported(text.split('\n')).map((each) => (each as { type: string }).type);
  expect(types).toContain('hook.stopped');
});
