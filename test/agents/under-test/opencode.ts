import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { opencodeOpeners } from '../../../src/agent/opencode/gate-openers.ts';
import { OPENCODE_CASES } from '../../../src/testing/agents/opencode.ts';
import { CHAT_API } from '../../e2e-real/chat-api.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import type { AgentUnderTest, WrittenMessage } from './agent.ts';
import { gateOpeners } from './gate-openers.ts';
import { opencodeRefusal } from './opencode-refusals.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

const LACKS = {
  screen: 'it is driven by messages',
  'gate by hooks': 'it asks in messages',
  'transcript files': 'all conversations are in one database',
  prices: 'the scripted model has none',
  poisoned: 'it ends a call that was interrupted itself',
  'end before exit': 'after a reply it may compact the conversation and go on',
  'limits in turns': 'a process of one turn waits for the end of a limit and prints nothing',
  'overload that fails': 'it retries an overloaded API for ever',
  clear: 'only its screen has commands, and a person uses that',
  arguments: 'it takes settings only: see src/agent/opencode/launch.test.ts',
  models: 'see src/agent/opencode/launch.test.ts',
  settings: 'the config of its folder is read only if the caller trusts it: see src/agent/opencode/launch.test.ts',
  'updates in a turn': 'it runs no hooks of ours',
  subagents: 'see test/e2e-real/opencode.test.ts',
  'tools at once': 'see the turns of its cases in src/agent/opencode/cases/rows',
  refusals: 'its screen between two turns is not played yet',
  'faults on command': 'a real agent cannot be told to misbehave',
  'fast starts': 'it starts in several seconds, and one story starts it ten times',
  'enclosing variables': 'see src/agent/opencode/launch.test.ts',
} as const;

/** OpenCode itself, with a scripted model on loopback. */
function opencode(version: string, more: Pick<AgentUnderTest, 'quick'>): AgentUnderTest {
  return {
    ...more,
    title: `OpenCode ${version}`,
    name: 'opencode',
    version,
    cases: OPENCODE_CASES,
    lacks: LACKS,
    stays: 'server',
    // It takes several seconds to start, and longer beside others.
    storyMsMax: 420_000,
    isHere: () => agentIsHere(version, 'opencode'),
    install: (root, { model }) => {
      symlinkSync(agentProgram(version, 'opencode'), join(root, 'bin/opencode'));
      // It would fetch the types of its plugins.
      writeFileSync(join(root, 'home/.npmrc'), 'registry=http://127.0.0.1:1/\nfetch-retries=0\n');
      useModel(root, model ?? '');
    },
    environment: (root, model) => {
      useModel(root, model ?? '');
      return environment(root);
    },
    startModel: () => startModelServer(0, CHAT_API),
    setFaults: () => {},
    argv: (root) => [join(root, 'bin/opencode')],
    turnByHand: ({ is, id }) => ['run', '--format', 'json', '--auto', ...(is === 'new' ? [] : ['-s', id])],
    // It prints nothing before the first reply.
    printedId: (output, root) => /"sessionID":"([^"]+)"/.exec(output)?.[1] ?? newestIn(root),
    gateOpeners: gateOpeners(opencodeOpeners, environment, 'config/opencode/opencode.json'),
    refusal: opencodeRefusal,
    subscribed: (env) => env,
    modelPath: CHAT_API.path,
    model: 'one',
    prompt: (steps) => scriptedPrompt(steps, { shell, overloaded: 503, tries: 1 }),
    shell: 'bash',
    commands: [],
    screen: { busy: '', ready: '', quit: '', box: () => /$^/ },
    typed: (text) => text,
    // What it wrote last is in the log of its database.
    files: (root) => [databaseOf(root), `${databaseOf(root)}-wal`].filter((path) => existsSync(path)),
    thread: () => [],
    marks: {
      called: '"status":"running"',
      returned: '"status":"completed"',
      ended: '"finish":"stop"',
      failed: '"name":"APIError"',
    },
    messages,
    received: (root, conversation) => textsOf(root, 'user', conversation),
    // A process of one turn reports a call when it is over.
    isCalling: (root, conversation) => rowsOf(root, CALLING, { id: conversation }).length > 0,
    hasSaid: (root, text) => textsOf(root, 'assistant', null).includes(text),
  };
}

const QUICK = [
  'run waits for the reply, prints only the reply, and ends the session',
  'an agent killed in the middle of a turn is resumed on the same conversation (live)',
];

export const OPENCODE_1_18 = opencode('1.18.33', { quick: QUICK });

/** A model that takes pictures. */
const SEEING = { attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } };

/** OpenCode takes its model from its settings only. */
function useModel(root: string, url: string): void {
  const options = { baseURL: `${url}/v1`, apiKey: 'none' };
  const provider = { scripted: { npm: '@ai-sdk/openai-compatible', options, models: { one: SEEING } } };
  const models = { model: 'scripted/one', small_model: 'scripted/one' };
  // It would add its schema.
  const settings = { $schema: 'https://opencode.ai/config.json', ...models, share: 'disabled', provider };
  mkdirSync(join(root, 'config/opencode'), { recursive: true });
  writeFileSync(join(root, 'config/opencode/opencode.json'), JSON.stringify(settings));
}

function environment(root: string): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_DATA_HOME: join(root, 'config/data'),
    XDG_CACHE_HOME: join(root, 'home/.cache'),
    XDG_STATE_HOME: join(root, 'home/.state'),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  };
}

function shell(command: string): object {
  return { tool: 'bash', input: { command, description: 'a step' } };
}

function databaseOf(root: string): string {
  return join(root, 'config/data/opencode/opencode.db');
}

const TEXTS = `
  SELECT json_extract(part.data, '$.text') AS text FROM part JOIN message ON message.id = part.message_id
    WHERE json_extract(message.data, '$.role') = $role AND json_extract(part.data, '$.type') = 'text'
      AND ($id IS NULL OR part.session_id = $id) ORDER BY message.id, part.id`;

/** A call that runs, or waits for an answer. */
const CALLING = `SELECT id FROM part WHERE session_id = $id AND json_extract(data, '$.state.status') = 'running'`;

function newestIn(root: string): string | null {
  const [newest] = rowsOf(root, 'SELECT id FROM session ORDER BY time_created DESC LIMIT 1', {});
  return newest === undefined ? null : String(newest.id);
}

/** The texts of one role, oldest first, read without Outlast's own reader. */
function textsOf(root: string, role: 'user' | 'assistant', conversation: string | null): string[] {
  return rowsOf(root, TEXTS, { role, id: conversation }).map(({ text }) => String(text));
}

/** The log of the database has no messages of its own. */
function messages(path: string): WrittenMessage[] {
  if (path.endsWith('-wal')) return [];
  const root = join(path, '../../../..');
  return rowsOf(root, ANSWERS, {}).map(({ id, tokens }) => ({ id: String(id), tokens: Number(tokens) }));
}

/** A message that was not finished has no tokens. */
const ANSWERS = `
  SELECT id, coalesce(json_extract(data, '$.tokens.total'), 0) AS tokens FROM message
    WHERE json_extract(data, '$.role') = 'assistant'`;

type Row = Readonly<Record<string, unknown>>;

function rowsOf(root: string, query: string, values: Record<string, string | null>): readonly Row[] {
  if (!existsSync(databaseOf(root))) return [];
  const db = new DatabaseSync(databaseOf(root), { readOnly: true, timeout: 5_000 });
  try {
    return db.prepare(query).all(values);
  } catch (error) {
    // It creates its tables when it starts for the first time.
    if (String(error).includes('no such table')) return [];
    throw error;
  } finally {
    db.close();
  }
}
