import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWhole } from '../seam/lines.ts';
import { copilotConversations } from './conversations.ts';

const CASES = join(import.meta.dirname, 'cases/events');
const eventsOf = (name: string): string => readFileSync(join(CASES, name, 'events.jsonl'), 'utf8');
const judge = (text: string, isWhole = true) => copilotConversations.judge({ text, isWhole });

test('a tail that begins after its last prompt is not enough', () => {
  const lines = eventsOf('killed-in-tool').trimEnd().split('\n');
  expect(judge(`${lines.at(-1)}\n`, false)).toBeNull();
  expect(judge(`${lines.at(-1)}\n`)?.is).not.toBe('interrupted');
});

test('a last line that is torn leaves an interrupted turn so, unless it may end it', () => {
  const text = eventsOf('killed-in-tool');
  expect(judge(`${text}{"type":"tool.execution_comp`)?.is).toBe('unknown');
  expect(judge(`${text}{"type":"tool.execution_complete","da`)?.is).toBe('interrupted');
  expect(judge(`${text}{"type":"assistant.message","da`)?.is).toBe('unknown');
});

const line = (type: string, data: object): string => `${JSON.stringify({ type, data })}\n`;

test('what is needed to take one up: its folder, its model, its prompt, its open calls and its permissions', () => {
  const text = eventsOf('killed-in-tool');
  const about = readWhole(copilotConversations.about(text, {} as never), text);
  expect(about).toMatchObject({ mode: null, isLive: false, model: 'gpt-4.1', cwd: expect.any(String) });
  expect([about.asked, about.open.map(({ tool }) => tool)]).toEqual([expect.any(String), ['bash']]);
});

test('permissions count only for the process that had them', () => {
  const mode = (text: string) => readWhole(copilotConversations.about('', {} as never), text).mode;
  const all = line('session.permissions_changed', { allowAllPermissions: true });
  const none = line('session.permissions_changed', { allowAllPermissions: false });
  expect(mode(line('session.start', {}) + all)).toEqual({ mode: 'none', word: 'allow-all' });
  expect(mode(line('session.start', {}) + all + none)).toBeNull();
  expect(mode(line('session.start', {}) + all + line('session.resume', {}))).toBeNull();
  expect(mode(all)).toBeNull();
});

test('a process holds a conversation in whose folder it has a file open, or that it was started with', () => {
  const id = '2d5c416f-e0a5-49c1-bb3a-10766647324b';
  const holder = (argv: string[], writes: string[]): number | null =>
    copilotConversations.holderOf?.({ id, path: '' }, [
      { pid: 7, argv, cwd: null, ageMs: null, env: null, writes, claims: [] },
    ]) ?? null;
  expect(holder(['copilot'], [`/h/.copilot/session-state/${id}/inuse.7.hold`])).toBe(7);
  expect(holder(['copilot', `--resume=${id}`], [])).toBe(7);
  expect(holder(['copilot'], ['/h/.copilot/session-store.db'])).toBeNull();
  expect(holder(['outlast', 'resume', id], [])).toBeNull();
});
