import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Listed } from '../seam/conversations.ts';
import { readWhole } from '../seam/lines.ts';
import { piConversations } from './conversations.ts';

const CASES = join(import.meta.dirname, 'cases/session');
/** Each byte in a campaign. */
const STEP = process.env.OUTLAST_TEST_CAMPAIGN === undefined ? 11 : 1;
const sessionOf = (name: string): string => readFileSync(join(CASES, name, 'session.jsonl'), 'utf8');
const judge = (text: string, isWhole = true) => piConversations.judge({ text, isWhole });

test('every recorded conversation has its verdict', () => {
  const found = readdirSync(CASES).map((name) => [name, judge(sessionOf(name))?.is]);
  expect(Object.fromEntries(found)).toEqual({
    'killed-and-resumed': 'complete',
    'killed-final': 'complete',
    'killed-in-tool': 'interrupted',
    'killed-with-two-calls': 'interrupted',
    'login-failed': 'failed',
    'retried-and-failed': 'failed',
    // A turn whose request is not in it.
    'the-end-of-a-long-one': 'unknown',
    'torn-last-line': 'unknown',
    // They are before its last request.
    'unreadable-lines': 'complete',
    'with-cached-input': 'complete',
  });
});

test('a tail that begins after its last prompt is not enough', () => {
  const lines = sessionOf('killed-in-tool').trimEnd().split('\n');
  expect(judge(`${lines.at(-1)}\n`, false)).toBeNull();
  expect(judge(`${lines.at(-1)}\n`)?.is).not.toBe('interrupted');
});

const message = (id: string, parentId: string, content: object): string =>
  `${JSON.stringify({ type: 'message', id, parentId, timestamp: '2026-11-19T00:00:00.000Z', message: content })}\n`;
const lastIdOf = (text: string): string => (JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { id: string }).id;

test('a request alone is interrupted, also a picture; one that needs no answer is not', () => {
  const text = sessionOf('killed-final');
  const asked = (content: unknown) => judge(text + message('a', lastIdOf(text), { role: 'user', content }))?.is;
  expect(asked([{ type: 'text', text: 'and the docs' }])).toBe('interrupted');
  expect(asked([{ type: 'image', data: '', mimeType: 'image/png' }])).toBe('interrupted');
  expect(asked('thanks!')).toBe('trivial');
});

test('a torn last line leaves an interrupted turn so only if it is a result', () => {
  const text = sessionOf('killed-in-tool');
  const torn = (role: string) => message('b', lastIdOf(text), { role, content: [] }).slice(0, -8);
  expect(judge(text + torn('toolResult'))?.is).toBe('interrupted');
  expect(judge(`${text}${torn('toolResult')}\0\0`)?.is).toBe('unknown');
  expect(judge(text + torn('assistant'))?.is).toBe('unknown');
  expect(judge(text + torn('user'))?.is).toBe('unknown');
});

test('a person who went on from an earlier point has left the interrupted turn', () => {
  const text = sessionOf('killed-in-tool');
  const label = (parentId: string): string =>
    `${JSON.stringify({ type: 'label', id: 'c', parentId, timestamp: '2026-11-19T00:00:00.000Z', label: 'x' })}\n`;
  expect(judge(text + label(lastIdOf(text)))?.is).toBe('interrupted');
  expect(judge(text + label('7bc45418'))?.is).toBe('unknown');
});

test('a copy in which nothing was asked is not interrupted, whatever was copied', () => {
  const text = sessionOf('killed-in-tool');
  const [header = '', ...rest] = text.split('\n');
  const copy = (timestamp: string): string =>
    [JSON.stringify({ ...JSON.parse(header), timestamp, parentSession: '/other.jsonl' }), ...rest].join('\n');
  expect(judge(copy('2026-11-20T00:00:00.000Z'))?.is).toBe('complete');
  expect(judge(copy('2026-11-15T23:15:37.000Z'))?.is).toBe('interrupted');
});

/** The verdict after each byte of the last lines was changed, and after the text was cut there. */
function damaged(text: string): Set<string | undefined> {
  const from = text.lastIndexOf('{"type":"message"', text.lastIndexOf('"role":"user"'));
  const found = new Set<string | undefined>();
  for (let at = from; at < text.length; at += STEP) {
    for (const byte of ['x', '\0', '"', '\n']) found.add(judge(text.slice(0, at) + byte + text.slice(at + 1))?.is);
    if (at > from) found.add(judge(text.slice(0, at))?.is);
  }
  return found;
}

test('whatever is damaged in it, an interrupted turn is never complete, and a complete one never interrupted', () => {
  expect([...damaged(sessionOf('killed-in-tool'))].sort()).toEqual(['interrupted', 'unknown']);
  const whole = sessionOf('killed-final');
  const reply = whole.lastIndexOf('{"type":"message"');
  expect(damaged(whole)).not.toContain('failed');
  for (let at = reply + 1; at < whole.length; at += STEP)
    for (const byte of ['x', '\0', '"', '\n'])
      expect(judge(whole.slice(0, at) + byte + whole.slice(at + 1))?.is, `${at} ${byte}`).not.toBe('interrupted');
});

const HOME = '/h/.pi/agent';
const ID = '1bfd3a13-cd12-4edd-a6b0-758b8bc8709c';
const listedIn = (folder: string): Listed => {
  const path = `${HOME}/sessions/${folder}/2026-11-15T23-15-37-195Z_${ID}.jsonl`;
  return { id: ID, path, home: HOME, key: null, owner: null, claim: null, judgement: null };
};

test('conversations are found by workspace, and in the folder that a user chose for all', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    [`${HOME}/sessions`]: ['--code-app--'],
    [`${HOME}/sessions/--code-app--`]: [`2026_${ID}.jsonl`, '2026_my-own-id.jsonl', 'notes.txt'],
    '/chosen': [`2026_${ID.replace('1', '2')}.jsonl`],
  };
  const files = { names: (folder: string) => names[folder] ?? [], text: () => null, first: () => '' };
  const env = { HOME: '/h', PI_CODING_AGENT_SESSION_DIR: '/chosen/' };
  const homes = piConversations.homes(files, env, ['/elsewhere']);
  expect(homes).toEqual([HOME, '/chosen']);
  const found = homes.flatMap((home) => piConversations.list(files, home));
  expect(found.map(({ id, judgement }) => [id, judgement?.is ?? null])).toEqual([
    [ID, null],
    ['my-own-id', 'unknown'],
    [ID.replace('1', '2'), null],
  ]);
  const { resume } = piConversations;
  const env2 = (folder: string) => (resume.as === 'session' ? resume.env(env, folder) : {});
  expect([env2('/chosen'), env2(HOME)]).toEqual([env, { HOME: '/h' }]);
  expect(env2('/other')).toEqual({ HOME: '/h', PI_CODING_AGENT_DIR: '/other' });
});

test('a process that does not say what it has open counts for its folder, and what it may be at work on', () => {
  const of = listedIn('--code-app--');
  const may = (process: object, agoMs = 600_000): boolean | undefined =>
    piConversations.mayHold?.(
      { ...of, agoMs },
      { pid: 7, argv: ['pi'], cwd: '/code/app', ageMs: 5_000, env: { HOME: '/h' }, writes: [], claims: [], ...process },
    );
  expect(may({})).toBe(true);
  expect(may({ argv: ['node', '/n/bin/pi', '--session', 'x'] })).toBe(true);
  expect(may({ argv: ['pi-rpc'] })).toBe(true);
  expect(may({ cwd: null })).toBe(true);
  expect(may({ cwd: '/code/other' })).toBe(false);
  // It was there when the last line was written.
  expect(may({ cwd: '/code/other', ageMs: 700_000 })).toBe(true);
  expect(may({ cwd: '/code/other', ageMs: 700_000, env: { HOME: '/other' } })).toBe(false);
  expect(may({ cwd: '/code/other', ageMs: 700_000, env: null })).toBe(true);
  expect(may({ argv: ['vi', 'pi.md'] })).toBe(false);
  expect(piConversations.holderOf).toBeUndefined();
});

const aboutOf = (text: string, folder: string) => readWhole(piConversations.about(text, listedIn(folder)), text);

test('what is needed to take one up: its folder, its model, its prompt, its open calls and its tools', () => {
  const text = sessionOf('killed-in-tool').replaceAll(/"cwd":"[^"]*"/g, '"cwd":"/code/app"');
  const about = aboutOf(text, '--code-app--');
  expect(about).toMatchObject({ cwd: '/code/app', model: 'mock/mock-model', isLive: false });
  expect([about.asked.slice(0, 13), about.open.map(({ tool }) => tool)]).toEqual(['start in-tool', ['bash']]);
  expect(aboutOf(text, '--code-other--').mode).toEqual({ lost: expect.stringContaining('would not find it') });
});

test('its tools are those that were added and not removed; without its first line they are not known', () => {
  const header = `${JSON.stringify({ type: 'session', id: ID, cwd: '/code/app' })}\n`;
  const tools = (...names: string[]): object[] => names.map((name) => ({ name }));
  const text = [
    message('1', '0', { role: 'system', content: '', toolsAdded: tools('read', 'bash', 'edit') }),
    message('2', '1', { role: 'system', content: '', toolsRemoved: tools('bash') }),
  ].join('');
  expect(aboutOf(header + text, '--code-app--').mode).toEqual({ mode: 'ask-all', word: 'tools:read,edit' });
  expect(aboutOf(header, '--code-app--').mode).toEqual({ mode: 'ask-all', word: 'tools:' });
  const about = piConversations.about(header, listedIn('--code-app--'));
  expect(readWhole(about, text).mode).toBeNull();
});
