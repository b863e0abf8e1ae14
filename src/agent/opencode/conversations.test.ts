import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OpencodeDatabase } from '../../testing/opencode-database.ts';
import type { Listed, StoreRow } from '../seam/conversations.ts';
import { readWhole } from '../seam/lines.ts';
import { opencodeConversations } from './conversations.ts';
import { opencodeStored } from './store.ts';

const CASES = join(import.meta.dirname, 'cases/rows');
/** Each byte in a campaign. */
const STEP = process.env.OUTLAST_TEST_CAMPAIGN === undefined ? 7 : 1;
const rowsOf = (name: string): string => readFileSync(join(CASES, name, 'rows.jsonl'), 'utf8');
const judge = (text: string) => opencodeConversations.judge({ text, isWhole: true })?.is;

test('every recorded conversation has its verdict', () => {
  const names = readdirSync(CASES).filter((name) => name !== 'changed-in-place');
  expect(Object.fromEntries(names.map((name) => [name, judge(rowsOf(name))]))).toEqual({
    // The times in it are not those of its ids.
    compacted: 'unknown',
    complete: 'complete',
    'failed-login': 'failed',
    interrupted: 'complete',
    'killed-after-tool': 'interrupted',
    'killed-and-resumed': 'complete',
    'killed-final': 'complete',
    'killed-headers': 'interrupted',
    'killed-in-tool': 'interrupted',
    'killed-pre-response': 'interrupted',
    limited: 'limited',
    'the-message-after-its-parts': 'interrupted',
    'the-user-without-a-text-yet': 'unknown',
    'torn-last-line': 'unknown',
    'two-calls-one-open': 'interrupted',
    'unreadable-lines': 'unknown',
    'what-it-says-by-itself': 'interrupted',
    'with-cached-input': 'complete',
  });
});

const ID = 'ses_1';
const created = (ms: number, more: object = {}) => ({ time: { created: ms }, ...more });
const user = (ms: number) => created(ms, { role: 'user', agent: 'build', model: { providerID: 'p', modelID: 'm' } });
const reply = (ms: number, parentID: string, more: object = {}) =>
  created(ms, { role: 'assistant', parentID, ...more });
const ended = (ms: number, finish: string) => ({ finish, time: { created: ms, completed: ms + 1 } });
const text = (said: string) => ({ type: 'text', text: said });

/** What is read of a conversation in a database. */
function endOf(fill: (db: OpencodeDatabase) => void, store = opencodeStored): string {
  const database = new OpencodeDatabase();
  database.session(ID);
  fill(database);
  const files = { names: () => ['opencode.db'], text: () => null, first: () => '' };
  const [one] = store.stores(files, '/d/opencode');
  const rows = database.db.prepare(one?.end ?? '').all({ id: ID });
  return rows
    .toReversed()
    .map((row) => `${String(row.text)}\n`)
    .join('');
}

function asked(db: OpencodeDatabase): void {
  db.message('msg_1', ID, user(1));
  db.part('prt_1', [ID, 'msg_1'], text('make it work'));
}

test('a turn has ended when OpenCode would not ask the model again', () => {
  const after = (more: object, parts: readonly object[] = []) =>
    judge(
      endOf((db) => {
        asked(db);
        db.message('msg_2', ID, reply(2, 'msg_1', more));
        parts.forEach((part, i) => db.part(`prt_2${i}`, [ID, 'msg_2'], part));
      }),
    );
  const call = (state: object) => ({ type: 'tool', tool: 'bash', callID: 'c', state });
  expect(after({})).toBe('interrupted');
  expect(after(ended(2, 'stop'))).toBe('complete');
  expect(after(ended(2, 'tool-calls'), [call({ status: 'completed', output: 'x' })])).toBe('interrupted');
  expect(after(ended(2, 'tool-calls'), [call({ status: 'error', error: 'Cancelled' })])).toBe('complete');
  expect(after(ended(2, 'length'))).toBe('complete');
  expect(after(ended(2, 'stxp'))).toBe('unknown');
  expect(after({ finish: 'stop' })).toBe('unknown');
  expect(after(ended(2, 'stop'), [call({ status: 'completed', output: 'x' })])).toBe('unknown');
  expect(after({ ...ended(2, 'stop'), parentID: 'msg_0' })).toBe('unknown');
  expect(after({ time: { created: 2, completed: 3 } })).toBe('complete');
  expect(after({ ...ended(2, 'stop'), error: { name: 'MessageAbortedError', data: {} } })).toBe('complete');
  expect(after({ error: { name: 'APIError', data: { message: 'no', statusCode: 400 } } })).toBe('failed');
});

test('a request alone is interrupted, also one that waited or is a file; one that needs no answer is not', () => {
  const second = (...parts: readonly object[]) =>
    judge(
      endOf((db) => {
        asked(db);
        db.message('msg_2', ID, reply(2, 'msg_1', ended(2, 'stop')));
        db.message('msg_3', ID, user(3));
        parts.forEach((part, i) => db.part(`prt_3${i}`, [ID, 'msg_3'], part));
      }),
    );
  expect(second(text('and the docs'))).toBe('interrupted');
  expect(second({ type: 'file', url: 'data:x' })).toBe('interrupted');
  expect(second(text('thanks!'))).toBe('trivial');
  expect(second()).toBe('unknown');
});

test('what OpenCode or a person adds without a request is no turn: a shell command, a compaction, a notice', () => {
  const after = (parts: readonly object[], answer: object | null) =>
    judge(
      endOf((db) => {
        asked(db);
        db.message('msg_2', ID, reply(2, 'msg_1', ended(2, 'stop')));
        db.message('msg_3', ID, user(3));
        parts.forEach((part, i) => db.part(`prt_3${i}`, [ID, 'msg_3'], part));
        if (answer !== null) db.message('msg_4', ID, reply(4, 'msg_3', answer));
      }),
    );
  const shell = { ...text('The following tool was executed by the user'), synthetic: true };
  expect(after([shell], {})).toBe('complete');
  expect(after([{ type: 'compaction', auto: false }], {})).toBe('complete');
  expect(after([{ type: 'compaction', auto: true }], { ...ended(4, 'stop'), summary: true })).toBe('interrupted');
  const goesOn = { ...text('Continue'), synthetic: true, metadata: { compaction_continue: true } };
  expect(after([goesOn], null)).toBe('interrupted');
  expect(after([{ ...text('a task has ended'), synthetic: true }], {})).toBe('unknown');
  expect(after([{ ...text('a task has ended'), synthetic: true }], ended(4, 'stop'))).toBe('complete');
});

test('a row that is no JSON makes the verdict unknown, and not those of other conversations', () => {
  const broken = (table: string) =>
    endOf((db) => {
      asked(db);
      db.message('msg_2', ID, reply(2, 'msg_1'));
      db.part('prt_2', [ID, 'msg_2'], text('x'));
      db.db.exec(`UPDATE ${table} SET data = '{"role"' WHERE id IN ('msg_2', 'prt_2')`);
    });
  expect([judge(broken('message')), judge(broken('part'))]).toEqual(['unknown', 'unknown']);
});

test('of a long turn its request and its end are read', () => {
  const read = endOf((db) => {
    asked(db);
    for (let n = 1_000; n < 2_000; n += 1) {
      db.message(`msg_2${n}`, ID, reply(n, 'msg_1', ended(n, 'tool-calls')), n);
      db.part(`prt_2${n}`, [ID, `msg_2${n}`], text('x'.repeat(100)), n);
    }
  });
  expect(judge(read)).toBe('interrupted');
  expect(read).toContain('make it work');
  expect(read.length).toBeLessThan(200_000);
});

test('whatever is damaged in its rows, an interrupted turn is not complete, and a complete one not interrupted', () => {
  const verdicts = (rows: string): Set<string | undefined> => {
    const found = new Set<string | undefined>();
    for (let at = 0; at < rows.length; at += STEP)
      for (const byte of ['x', '\0', '"', '\n']) found.add(judge(rows.slice(0, at) + byte + rows.slice(at + 1)));
    return found;
  };
  const interrupted = verdicts(endOf(asked));
  expect(interrupted).not.toContain('complete');
  expect(verdicts(rowsOf('killed-in-tool'))).not.toContain('complete');
  expect(verdicts(rowsOf('killed-final'))).not.toContain('interrupted');
  expect(interrupted).toContain('interrupted');
});

const row = (facts: object): StoreRow => {
  const status = JSON.stringify({ directory: '/code/app', worktree: '/code', ...facts });
  return { key: ID, id: ID, status, atMs: 1, bytes: 1, end: '' };
};
const STORE = {
  path: '/d/opencode/opencode.db',
  home: '/d/opencode',
  owner: '',
  newest: '',
  one: '',
  end: '',
  size: '',
};
const listedWith = (facts: object): Listed => opencodeStored.listed(STORE, row(facts), null);

test('sub-agents, the archive and what a person has taken back are not resumed', () => {
  expect(listedWith({}).judgement).toBeNull();
  expect(listedWith({ parent: 'ses_0' }).judgement?.is).toBe('system');
  expect(listedWith({ archived: 5 }).judgement?.is).toBe('complete');
  expect(listedWith({ reverted: '{"messageID":"msg_1"}' }).judgement?.is).toBe('complete');
  expect(listedWith({ remote: 'wrk_1' }).judgement?.is).toBe('unknown');
});

const OTHERS = { pid: 7, ageMs: 1, env: null, claims: [], writes: [STORE.path], cwd: '/code/app' };

test('a process that has the database open may have open what its folder, its project or its kind allows', () => {
  const may = (words: readonly string[], more: object = {}, facts: object = {}) =>
    opencodeConversations.mayHold?.(
      { ...listedWith(facts), agoMs: 5 },
      { ...OTHERS, argv: ['/n/bin/opencode', ...words], ...more },
    );
  expect(may(['run', '--format', 'json'])).toBe(true);
  expect(may(['run'], { cwd: '/code' })).toBe(false);
  expect(may(['run', '-s', 'ses_2'])).toBe(false);
  expect(may(['run', '-c'], { cwd: '/elsewhere' })).toBe(true);
  expect(may([])).toBe(true);
  expect(may([], { cwd: '/code/other' })).toBe(true);
  expect(may([], { cwd: '/elsewhere' })).toBe(false);
  // Folders outside of any repository are one project.
  expect(may([], { cwd: '/elsewhere' }, { worktree: '/' })).toBe(true);
  expect(may(['--port', '4096'], { cwd: '/elsewhere' })).toBe(true);
  expect(may(['serve'], { cwd: '/elsewhere' })).toBe(true);
  expect(may(['acp'], { cwd: '/elsewhere' })).toBe(true);
  expect(may(['attach', 'http://127.0.0.1:1'], { cwd: '/elsewhere', writes: [] })).toBe(true);
  expect(may([], { writes: ['/other/opencode.db'] })).toBe(false);
  expect(may([], { writes: [], cwd: null })).toBe(true);
  expect(may([], { argv: ['vi', 'opencode.md'] })).toBe(false);
});

test('a process holds the conversation that it was told to go on with, unless it is a client or makes a copy', () => {
  const holder = (...words: string[]): number | null =>
    opencodeConversations.holderOf?.({ id: ID, path: STORE.path }, [{ ...OTHERS, argv: ['opencode', ...words] }]) ??
    null;
  expect([holder('run', '-s', ID), holder(`--session=${ID}`)]).toEqual([7, 7]);
  expect([holder('run', '-s', 'ses_2'), holder('run', '-s', ID, '--fork')]).toEqual([null, null]);
  expect([holder('attach', 'http://127.0.0.1:1', '-s', ID), holder()]).toEqual([null, null]);
});

test('what is needed to take one up: its folder, its model, its agent, its prompt and its open calls', () => {
  const aboutOf = (end: string) => readWhole(opencodeConversations.about('', listedWith({})), end);
  const about = aboutOf(rowsOf('killed-in-tool'));
  expect(about).toMatchObject({ cwd: '/code/app', model: 'mock/mock-model', isLive: false });
  expect(about.mode).toEqual({ mode: 'ask-all', word: 'agent:build' });
  expect([about.asked.slice(0, 13), about.open.map(({ tool }) => tool)]).toEqual(['start in-tool', ['bash']]);
  const modeWith = (agent: string) => aboutOf(rowsOf('killed-in-tool').replaceAll('"build"', `"${agent}"`)).mode;
  expect(modeWith('plan')).toEqual({ mode: 'plan', word: 'agent:plan' });
  expect(modeWith('mine')).toEqual({ lost: expect.stringContaining('agent mine') });
});

test('folders of data are found by their parent', () => {
  const files = { names: () => ['opencode.db'], text: () => null, first: () => '' };
  const env = { HOME: '/h', XDG_DATA_HOME: '/d' };
  const homes = opencodeConversations.homes(files, env, ['/more/opencode/', '/more/other']);
  expect(homes).toEqual(['/h/.local/share/opencode', '/d/opencode', '/more/opencode']);
  const { resume } = opencodeConversations;
  const envs = homes.map((home) => (resume.as === 'session' ? resume.env(env, home).XDG_DATA_HOME : null));
  expect(envs).toEqual(['/h/.local/share', '/d', '/more']);
});
