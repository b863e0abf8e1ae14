import { appendFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../agents/stage.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';

// A stub replaces the command line of OpenClaw; the files are those of versions before it had a database.

const open = (): Promise<Stage> => openStage(STAND_IN, { config: { boot: { delayMs: 0 } } });

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly stopReason?: string;
  readonly errorMessage?: string;
}

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (content: unknown[], more: Partial<Message> = {}): Message => ({
  role: 'assistant',
  content,
  ...more,
});
const TEXT = { type: 'text', text: 'let me see' };
const CALL = { type: 'toolCall', id: 'c1', name: 'exec', arguments: { command: 'make' } };

/** Adds conversations to the store of an agent, by key. */
function store(stage: Stage, agent: string, all: Readonly<Record<string, readonly (Message | string)[]>>): void {
  const folder = join(stage.root, 'home/.openclaw/agents', agent, 'sessions');
  mkdirSync(folder, { recursive: true });
  const index = Object.entries(all).map(([key, lines], i) => {
    const sessionId = `${agent}${i}-0000`;
    const sessionFile = join(folder, `${sessionId}.jsonl`);
    const rows = lines.map((line) =>
      typeof line === 'string' ? line : `${JSON.stringify({ type: 'message', message: line })}\n`,
    );
    writeFileSync(sessionFile, `{"type":"session","id":"${sessionId}"}\n${rows.join('')}`);
    return [key, { sessionId, updatedAt: Date.now(), sessionFile }];
  });
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify(Object.fromEntries(index)));
}

/** A command line that records its arguments, and does this. */
function stub(stage: Stage, body: string): () => string[][] {
  const calls = join(stage.root, 'calls');
  const path = join(stage.root, 'bin/openclaw');
  const keep = `for word in "$@"; do printf '%s\\0' "$word"; done >>'${calls}'; printf '\\n\\n' >>'${calls}'`;
  writeFileSync(path, `#!/bin/sh\n${keep}\n${body}\n`, { mode: 0o755 });
  return () =>
    existsSync(calls)
      ? readFileSync(calls, 'utf8')
          .split('\n\n')
          .filter(Boolean)
          .map((call) => call.split('\0').slice(0, -1))
      : [];
}

async function verdicts(stage: Stage): Promise<Record<string, string>> {
  const seen = JSON.parse((await stage.cli(['boot', '--dry-run', '--only', 'openclaw', '--json'])).stdout);
  return Object.fromEntries(seen.conversations.map((one: { id: string; verdict: string }) => [one.id, one.verdict]));
}

test('every shape of the end of a conversation gets its verdict', async () => {
  await using stage = await open();
  store(stage, 'main', {
    'agent:main:main': [user('do it'), assistant([TEXT, CALL])],
    'agent:main:a': [user('do it'), assistant([TEXT])],
    'agent:main:b': [user('do it'), assistant([CALL]), { role: 'toolResult', content: [TEXT] }],
    'agent:main:c': [{ role: 'user', content: [{ type: 'image', data: '' }] }],
    'agent:main:d': [user('Sender (untrusted metadata):\n```json\n{"a":1}\n```\nok.')],
    'agent:main:e': [user('go'), assistant([], { stopReason: 'error', errorMessage: '429 Too Many Requests' })],
    'agent:main:f': [user('go'), assistant([TEXT], { stopReason: 'aborted' })],
    'agent:main:g': [user('go'), assistant([CALL]), '{"type":"message","mess'],
    'agent:main:h': [user('go'), '{"message":null}\n', ...Array<string>(50).fill('{"type":"custom"}\n')],
    'agent:main:cron:1': [user('go')],
    'agent:main:subagent:1': [user('go')],
    'agent:main:heartbeat': [user('go')],
    'agent:main:planned': [user('go')],
    'agent:main:yes': [user('go'), assistant([{ type: 'text', text: 'Both of them?' }]), user('yes')],
  });
  mkdirSync(join(stage.root, 'home/.openclaw/workspace/state'), { recursive: true });
  const planned = { pending: true, sessionKey: 'agent:main:planned' };
  writeFileSync(join(stage.root, 'home/.openclaw/workspace/state/restart-resume.json'), JSON.stringify(planned));
  const [i, c, t, l, s, h] = ['interrupted', 'complete', 'trivial', 'limited', 'system', 'handled'];
  const wanted = [i, c, i, i, t, l, c, i, i, s, s, s, h, i];
  expect(await verdicts(stage)).toEqual(Object.fromEntries(wanted.map((verdict, n) => [`main${n}-0000`, verdict])));
});

test('the gateway is asked once, with a text that it accepts; a growing conversation counts as resumed', async () => {
  await using stage = await open();
  const key = 'agent:work:telegram:1';
  store(stage, 'work', {
    [key]: [user('bitte mach die Tests grün, und nicht nur die ersten'), assistant([TEXT, CALL])],
  });
  const file = join(stage.root, 'home/.openclaw/agents/work/sessions/work0-0000.jsonl');
  const calls = stub(stage, `printf '{"type":"message"}\\n' >>'${file}'; echo '{"ok":true}'`);
  const done = await stage.cli(['boot', '--resume', 'all', '--only', 'openclaw']);
  expect([done.status, done.stdout]).toEqual([0, expect.stringContaining('1 resumed')]);
  const [words = [], ...more] = calls();
  expect(more).toEqual([]);
  const value = (name: string): string => words[words.indexOf(name) + 1] ?? '';
  expect(words.slice(0, 2)).toEqual(['system', 'event']);
  expect([value('--session-key'), value('--mode')]).toEqual([key, 'now']);
  // In the language of the conversation, and with what is uncertain.
  expect(value('--text')).toContain('Du wurdest unterbrochen');
  expect(value('--text')).toContain('- exec {"command":"make"}');
});

test('an error of the gateway is shown, and a third failure is the last', async () => {
  await using stage = await open();
  store(stage, 'main', { 'agent:main:a': [user('go')] });
  const calls = stub(stage, 'echo "gateway not reachable" >&2; exit 1');
  for (const _ of [1, 2, 3, 4]) {
    const { status, stdout } = await stage.cli(['boot', '--resume', 'all', '--only', 'openclaw']);
    if (calls().length < 3) expect([status, stdout]).toEqual([1, expect.stringContaining('gateway not reachable')]);
  }
  expect(calls().length).toBe(3);
});

test('a lock of a living process, and an old conversation, are left alone', async () => {
  await using stage = await open();
  store(stage, 'main', { 'agent:main:a': [user('go')], 'agent:main:b': [user('go')] });
  const folder = join(stage.root, 'home/.openclaw/agents/main/sessions');
  appendFileSync(join(folder, 'main0-0000.jsonl.lock'), JSON.stringify({ pid: process.pid }));
  const longAgo = new Date(Date.now() - 400 * 24 * 3_600_000);
  utimesSync(join(folder, 'main1-0000.jsonl'), longAgo, longAgo);
  expect(await verdicts(stage)).toEqual({ 'main0-0000': 'alive' });
});
