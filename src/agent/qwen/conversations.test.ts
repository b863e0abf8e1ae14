import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWhole } from '../seam/lines.ts';
import { qwenConversations } from './conversations.ts';

const CASES = join(import.meta.dirname, 'cases/chat');
const chatOf = (name: string): string => readFileSync(join(CASES, name, 'chat.jsonl'), 'utf8');
const judge = (text: string, isWhole = true) => qwenConversations.judge({ text, isWhole });

test('a tail that begins after its last prompt is not enough', () => {
  const lines = chatOf('killed-in-a-tool').trimEnd().split('\n');
  expect(judge(`${lines.at(-1)}\n`, false)).toBeNull();
  expect(judge(`${lines.at(-1)}\n`)?.is).not.toBe('interrupted');
});

test('however a conversation is cut, one whose last turn has ended is not taken for interrupted', () => {
  const whole = chatOf('killed-after-the-reply');
  const reply = whole.lastIndexOf('{"uuid"');
  for (let end = reply; end < whole.length; end += 1)
    if (end > reply) expect(judge(whole.slice(0, end))?.is).not.toBe('interrupted');
  expect(judge(whole)?.is).toBe('complete');
});

test('what is needed to take one up: its folder, its model, its prompt and its open calls', () => {
  const text = chatOf('killed-in-a-tool');
  const about = readWhole(qwenConversations.about(text, {} as never), text);
  expect(about).toMatchObject({ mode: null, isLive: false, model: expect.any(String), cwd: expect.any(String) });
  expect([about.asked, about.open.map(({ tool }) => tool)]).toEqual([expect.any(String), ['run_shell_command']]);
});

const ID = '3faabbb0-af7e-415d-b37b-a50c371e89c6';

test('processes with a screen report their conversation, with the start that identifies them', () => {
  const state = { pid: 1806, procStart: '58ef3b8d-56a1-41ec-a6cf-abfbcc741b8c:1752671', sessionId: ID, startedAt: 5 };
  const texts: Readonly<Record<string, string>> = { '/h/sessions/1806.json': JSON.stringify(state) };
  const names: Readonly<Record<string, readonly string[]>> = {
    '/h/sessions': ['1806.json', 'other'],
    '/h/projects': ['-w'],
    '/h/projects/-w/chats': [`${ID}.jsonl`, `${ID}.runtime.json`],
  };
  const files = {
    names: (folder: string) => names[folder] ?? [],
    text: (path: string) => texts[path] ?? null,
    first: () => '',
  };
  const claim = { pid: 1806, start: '1752671', status: 'unknown', atMs: 5 };
  expect(qwenConversations.claims?.(files, '/h')).toEqual([{ conversation: ID, claim }]);
  expect(qwenConversations.list(files, '/h')).toMatchObject([
    { id: ID, path: `/h/projects/-w/chats/${ID}.jsonl`, claim },
  ]);
  expect(qwenConversations.homes(files, { HOME: '/x', QWEN_RUNTIME_DIR: '/h/' }, [])).toEqual(['/h']);
});

test('a process holds the conversation that it names; without a screen and a name, any of its folder', () => {
  const path = `/h/.qwen/projects/-code-my-app/chats/${ID}.jsonl`;
  const holder = (argv: string[], cwd: string | null, claims: string[] = []): number | null =>
    qwenConversations.holderOf?.({ id: ID, path }, [
      { pid: 7, argv, cwd, ageMs: null, env: null, writes: [], claims },
    ]) ?? null;
  expect(holder(['node', '/n/bin/qwen', '--resume', ID], '/elsewhere')).toBe(7);
  expect(holder(['qwen', `--session-id=${ID}`, '-p', 'hi'], null)).toBe(7);
  expect(holder(['qwen'], '/elsewhere', [ID])).toBe(7);
  expect(holder(['qwen', '-p', 'hi'], '/code/my.app')).toBe(7);
  expect(holder(['qwen', '--continue', '-p', 'hi'], '/code/other')).toBeNull();
  // The script of a screen.
  expect(holder(['node', '/n/bin/qwen'], '/code/my.app')).toBeNull();
  expect(holder(['qwen'], '/code/my.app', ['another'])).toBeNull();
  expect(holder(['qwen', '--resume', ID.replace('3', '4')], '/code/my.app')).toBeNull();
  expect(holder(['qwen', '--resume', ID, '--fork-session'], '/code/my.app')).toBeNull();
  expect(holder(['node', 'outlast', 'resume', ID], '/code/my.app')).toBeNull();
});
