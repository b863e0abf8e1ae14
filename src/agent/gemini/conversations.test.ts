import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWhole } from '../seam/lines.ts';
import { geminiConversations } from './conversations.ts';

const CASES = join(import.meta.dirname, 'cases/chat');
const chatOf = (name: string): string => readFileSync(join(CASES, name, 'chat.jsonl'), 'utf8');
const judge = (text: string, isWhole = true) => geminiConversations.judge({ text, isWhole });

test('every recorded conversation has its verdict', () => {
  const found = readdirSync(CASES).map((name) => [name, judge(chatOf(name))?.is]);
  expect(Object.fromEntries(found)).toEqual({
    // A failed turn is taken out of the record.
    'first-turn-failed': 'failed',
    'killed-after-tool': 'interrupted',
    'killed-before-the-reply': 'interrupted',
    // The text before a call may be an answer.
    'killed-in-tool': 'unknown',
    'resumed-and-failed': 'unknown',
    rewound: 'interrupted',
    'with-cached-input': 'interrupted',
  });
});

test('the text before a call may be an answer; without one the turn is open', () => {
  const text = chatOf('killed-in-tool');
  expect(judge(text.replace('"content":"I run it"', '"content":""'))?.is).toBe('interrupted');
});

test('what the screen wrote down after a turn decides', () => {
  const text = chatOf('killed-before-the-reply');
  const after = (type: string, content: string): string => `${text}${JSON.stringify({ id: 'x', type, content })}\n`;
  expect(judge(after('info', 'Request cancelled.'))?.is).toBe('complete');
  expect(judge(after('error', 'no such model'))).toMatchObject({
    is: 'failed',
    why: 'the last turn failed: no such model',
  });
  expect(judge(after('info', 'Something else.'))?.is).toBe('interrupted');
});

test('without its prompts a conversation has no turn to resume, whatever was there before', () => {
  const text = chatOf('killed-before-the-reply');
  const back = `${text}{"$rewindTo":"8813c217-f236-4f32-b839-8a4c4defbe37"}\n`;
  expect(judge(back)?.is).toBe('complete');
  expect(judge(`${back}{"id":\n`)?.is).toBe('unknown');
  expect(judge(`${back}{"id":"x","type":"gemini","content":""}\n`)?.is).toBe('unknown');
  expect(judge(`${back}{"id":"x","type":"user","content":"once more"}\n`)?.is).toBe('interrupted');
});

test('a line that cannot be read may be the end of the turn, unless more of the turn follows', () => {
  const lines = chatOf('killed-after-tool').trimEnd().split('\n');
  const at = (from: number) => judge([...lines.toSpliced(from, 0, '{"id":"'), ''].join('\n'))?.is;
  // Its last two lines are a result, and a time.
  expect([at(lines.length), at(lines.length - 1), at(lines.length - 2)]).toEqual(['unknown', 'unknown', 'interrupted']);
});

test('a tail that begins after its last prompt is not enough, and a torn end decides nothing', () => {
  const text = chatOf('killed-after-tool');
  const lines = text.trimEnd().split('\n');
  expect(judge(`${lines.slice(-2).join('\n')}\n`, false)).toBeNull();
  expect(judge(`${text}{"id":"`)?.is).toBe('unknown');
  expect(judge(`${text}{"$set":{"lastUpdated":"20`)?.is).toBe('interrupted');
  expect(judge(`${text}{"$set":{"lastUpdated":"20\0\0`)?.is).toBe('unknown');
});

test('however a conversation is cut, one that was answered is not taken for interrupted', () => {
  const whole = chatOf('resumed-and-failed');
  const answered = whole.lastIndexOf('{"id":"97a2d5d9');
  for (let end = answered + 1; end <= whole.length; end += 1)
    expect(judge(whole.slice(0, end))?.is).not.toBe('interrupted');
});

test('what is needed to take one up: its folder, its model and its prompt', () => {
  const folder = '/code/my app';
  const named = `<session_context>\\n- **Workspace Directories:**\\n  - ${folder}\\n- **Other:**\\n  - /else\\n`;
  const text = chatOf('killed-after-tool');
  const about = readWhole(geminiConversations.about(text.replace('<session_context>\\n', named), {} as never), text);
  expect(about).toMatchObject({ cwd: folder, model: 'gemini-2.5-flash', mode: null, isLive: false, open: [] });
  expect(about.asked).toContain('start after-tool');
});

const ID = 'a9ba5984-ac6e-40af-9d13-adae8c7077e0';
const CHATS = '/h/.gemini/tmp/my-app/chats';

test('each conversation is listed once, by its oldest file and the id in it', () => {
  const first = (id: string, kind: string): string => `${JSON.stringify({ sessionId: id, kind })}\n{"more":1}\n`;
  const texts: Readonly<Record<string, string>> = {
    [`${CHATS}/session-2026-11-18T18-44-a9ba5984.jsonl`]: first(ID, 'main'),
    [`${CHATS}/session-2026-11-18T18-45-b0000000.jsonl`]: first(ID.replace('a9ba5984', 'b0000000'), 'subagent'),
  };
  const names: Readonly<Record<string, readonly string[]>> = {
    '/h/.gemini/tmp': ['bin', 'my-app'],
    [CHATS]: [
      'session-2026-11-18T18-48-a9ba5984.jsonl',
      ...Object.keys(texts).map((path) => path.slice(CHATS.length + 1)),
    ],
  };
  const files = {
    names: (folder: string) => names[folder] ?? [],
    text: () => null,
    first: (path: string) => texts[path] ?? '',
  };
  const [path] = Object.keys(texts);
  expect(geminiConversations.list(files, '/h/.gemini')).toMatchObject([{ id: ID, path, home: '/h/.gemini' }]);
  expect(geminiConversations.homes(files, { HOME: '/x', GEMINI_CLI_HOME: '/h' }, [])).toEqual(['/h/.gemini']);
  const { resume } = geminiConversations;
  expect(resume.env({ HOME: '/x' }, '/h/.gemini')).toEqual({ HOME: '/x', GEMINI_CLI_HOME: '/h' });
});

test('a process holds the conversation that it names, and may hold one of its folder if it names none', () => {
  const path = `${CHATS}/session-2026-11-18T18-44-a9ba5984.jsonl`;
  const one = { id: ID, path, home: '/h/.gemini', key: null, owner: null, claim: null, judgement: null, agoMs: 5 };
  const of = (argv: string[], cwd: string | null): readonly [number | null, boolean] => {
    const process = { pid: 7, argv, cwd, ageMs: 1, env: null, writes: [], claims: [] };
    return [
      geminiConversations.holderOf?.(one, [process]) ?? null,
      geminiConversations.mayHold?.(one, process) ?? false,
    ];
  };
  expect(of(['node', '/n/bin/gemini', '--resume', ID], '/elsewhere')).toEqual([7, false]);
  expect(of(['gemini', `--session-id=${ID}`], null)).toEqual([7, false]);
  expect(of(['gemini', '-r', ID.replace('a9', 'b9')], '/code/My App')).toEqual([null, false]);
  for (const argv of [['gemini'], ['gemini', '--acp'], ['gemini', '--resume', 'latest']]) {
    expect(of(argv, '/code/My App')).toEqual([null, true]);
    expect(of(argv, null)).toEqual([null, true]);
    expect(of(argv, '/code/other')).toEqual([null, false]);
  }
  const policy = '/s/sessions/x1/runs/2/files/policy.toml';
  expect(of(['gemini', '--acp', '--admin-policy', policy], '/code/My App')).toEqual([null, false]);
  expect(of(['vim', 'gemini.md'], '/code/My App')).toEqual([null, false]);
});
