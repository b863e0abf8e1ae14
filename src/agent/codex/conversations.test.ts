import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codexConversations } from './conversations.ts';

const CASES = join(import.meta.dirname, 'cases/rollout');
const rolloutOf = (name: string): string => readFileSync(join(CASES, name, 'rollout.jsonl'), 'utf8');
const judge = (text: string, isWhole = true) => codexConversations.judge({ text, isWhole });

test('a tail that begins after its last turn began is not enough', () => {
  const lines = rolloutOf('killed-in-tool').trimEnd().split('\n');
  expect(judge(`${lines.at(-1)}\n`, false)).toBeNull();
  expect(judge(`${lines.at(-1)}\n`, true)?.is).not.toBe('interrupted');
});

test('the turn of a sub-agent is not taken up, whether its first line is read or not', () => {
  const meta = { type: 'session_meta', payload: { id: 'x', source: { subagent: 'review' } } };
  const turn = { type: 'event_msg', payload: { type: 'task_started', turn_id: 'b', root_turn_id: 'a' } };
  const own = { type: 'event_msg', payload: { type: 'task_started', turn_id: 'a', root_turn_id: 'a' } };
  const text = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  expect(judge(text(meta, own))?.is).toBe('system');
  expect(judge(text(turn), false)?.is).toBe('system');
  expect(judge(text(own), false)?.is).toBe('interrupted');
});

test('a conversation that asked a person about everything is not taken over, one in a sandbox keeps it', () => {
  const about = (approval: string, sandbox: string) => {
    const turn = { cwd: '/w', model: 'gpt-5.5', approval_policy: approval, sandbox_policy: { type: sandbox } };
    const reader = codexConversations.about('', {} as never);
    const read = reader.read(reader.empty, `${JSON.stringify({ type: 'turn_context', payload: turn })}\n`);
    return reader.view(read).mode;
  };
  expect(about('never', 'danger-full-access')).toEqual({ mode: 'none', word: 'danger-full-access' });
  expect(about('on-request', 'workspace-write')).toEqual({ mode: 'ask-all', word: 'workspace-write' });
  expect(about('untrusted', 'workspace-write')).toHaveProperty('lost');
  expect(about('never', 'something-new')).toHaveProperty('lost');
});

test('a process holds a conversation that it writes to, locks or resumes; the screen on a server does not', () => {
  const [id, path] = ['01a1eef3-8c4e-7083-ba9e-313b49b60258', '/h/.codex/sessions/2026/11/18/rollout-x.jsonl'];
  const holder = (argv: string[], writes: string[]): number | null =>
    codexConversations.holderOf?.({ id, path }, [
      { pid: 7, argv, cwd: null, ageMs: null, env: null, writes, claims: [] },
    ]) ?? null;
  expect(holder(['codex'], [path])).toBe(7);
  expect(holder(['codex', 'app-server'], [`/h/.codex/thread-writer-locks/${id}.lock`])).toBe(7);
  expect(holder(['codex', 'exec', 'resume', id], [])).toBe(7);
  expect(holder(['codex', '--remote', 'unix:///s', 'resume', id], [])).toBeNull();
  expect(holder(['codex', 'exec'], ['/h/.codex/sessions/other.jsonl'])).toBeNull();
});
