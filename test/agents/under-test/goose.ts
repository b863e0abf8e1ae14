import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { gooseOpeners } from '../../../src/agent/goose/gate-openers.ts';
import { GOOSE_CASES } from '../../../src/testing/agents/goose.ts';
import { CHAT_API } from '../../e2e-real/chat-api.ts';
import type { ModelApi } from '../../e2e-real/model-api.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import type { Message } from '../../e2e-real/story.ts';
import type { AgentUnderTest } from './agent.ts';
import { gateOpeners } from './gate-openers.ts';
import { opencodeRefusal } from './opencode-refusals.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

const LACKS = {
  screen: 'it is driven by messages',
  attach: 'over stdio it has one client',
  steering: 'the protocol has no prompt during a turn',
  'gate by hooks': 'it asks in messages',
  'transcript files': 'all conversations are in one database',
  prices: 'its usage is not counted',
  poisoned: 'its model refuses nothing for ever',
  'end before exit': 'it stays after a turn',
  limits: 'the protocol does not tell a limit, nor when it ends',
  'overload that fails': 'the protocol does not tell an overload from other errors',
  clear: 'its commands are not sent',
  arguments: 'see src/agent/acp/acp.test.ts',
  models: 'the protocol has no model',
  settings: 'it reads settings of the user only',
  'updates in a turn': 'it runs no hooks of ours',
  'tools at once': 'one call is like another in its messages',
  subagents: 'what they do is not reported',
  refusals: 'it has no screen',
  'faults on command': 'a real agent cannot be told to misbehave',
  'enclosing variables': 'see src/agent/acp/acp.test.ts',
} as const;

const MODEL = 'gpt-4o';

/** Goose adds the time and the folder after each prompt, and joins prompts that were not answered in between. */
const CONTEXT = /\s*<turn-context>[\s\S]*?<\/turn-context>\s*/;

/** The API of its model, with each prompt in a message of its own again. */
const GOOSE_API: ModelApi = {
  ...CHAT_API,
  read: (body, headers) => {
    const asked = CHAT_API.read(body, headers);
    return { ...asked, messages: asked.messages.flatMap(promptsIn) };
  },
};

function promptsIn(message: Message): Message[] {
  const { role, content } = message;
  if (role !== 'user') return [message];
  const texts = typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? []);
  const prompts = texts.join('\n').split(CONTEXT);
  return prompts.flatMap((text) => (text === '' ? [] : { role, content: [{ type: 'text', text }] }));
}

/** Goose itself, with a scripted model on loopback. */
function goose(version: string, more: Pick<AgentUnderTest, 'quick'>): AgentUnderTest {
  return {
    ...more,
    title: `Goose ${version}`,
    name: 'goose',
    version,
    cases: GOOSE_CASES,
    lacks: LACKS,
    stays: 'server',
    storyMsMax: 120_000,
    isHere: () => agentIsHere(version, 'goose'),
    install: (root) => symlinkSync(agentProgram(version, 'goose'), join(root, 'bin/goose')),
    environment,
    startModel: () => startModelServer(0, GOOSE_API),
    setFaults: () => {},
    gateOpeners: gateOpeners(gooseOpeners, (root) => environment(root, null), 'config/goose/config/permission.yaml'),
    argv: (root) => [join(root, 'bin/goose')],
    turnByHand: () => ['run', '-i', '-'],
    refusal: opencodeRefusal,
    subscribed: (env) => env,
    modelPath: CHAT_API.path,
    model: MODEL,
    prompt: (steps) => scriptedPrompt(steps, { shell, overloaded: 503, tries: 4 }),
    shell: 'shell',
    commands: [],
    screen: { busy: '', ready: '', quit: '', box: () => /$^/ },
    typed: (text) => text,
    files: (root) => [databaseOf(root), `${databaseOf(root)}-wal`].filter((path) => existsSync(path)),
    thread: () => [],
    marks: { called: '"toolRequest"', returned: '"toolResponse"', ended: '"text"', failed: 'Ran into this error' },
    messages: () => [],
    received: (root, conversation) => textsOf(root, 'user', conversation),
    hasSaid: (root, text) => textsOf(root, 'assistant', null).includes(text),
  };
}

const QUICK = [
  'an interrupted turn ends without a report of a hook, and the next prompt arrives alone, as a server',
  'an agent killed in the middle of a turn is resumed on the same conversation (live)',
  'an approved call runs once, a denied one does not, and a later one is asked about again',
];

export const GOOSE_1_52 = goose('1.52.0', { quick: QUICK });

function environment(root: string, model: string | null): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    GOOSE_PATH_ROOT: join(root, 'config/goose'),
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: MODEL,
    GOOSE_DISABLE_KEYRING: '1',
    GOOSE_TELEMETRY_ENABLED: 'false',
    OPENAI_API_KEY: 'none',
    OPENAI_HOST: model ?? '',
  };
}

function shell(command: string): object {
  return { tool: 'shell', input: { command } };
}

function databaseOf(root: string): string {
  return join(root, 'config/goose/data/sessions/sessions.db');
}

const TEXTS = `
  SELECT json_extract(part.value, '$.text') AS text FROM messages, json_each(messages.content_json) AS part
    WHERE role = $role AND json_extract(part.value, '$.type') = 'text'
      AND coalesce(json_extract(metadata_json, '$.userVisible'), 1) = 1
      AND ($id IS NULL OR session_id = $id) ORDER BY messages.id`;

/** The texts of one role, oldest first. */
function textsOf(root: string, role: 'user' | 'assistant', conversation: string | null): string[] {
  if (!existsSync(databaseOf(root))) return [];
  const db = new DatabaseSync(databaseOf(root), { readOnly: true, timeout: 5_000 });
  try {
    return db
      .prepare(TEXTS)
      .all({ role, id: conversation })
      .map(({ text }) => String(text));
  } catch (error) {
    // It creates its tables when it starts for the first time.
    if (String(error).includes('no such table')) return [];
    throw error;
  } finally {
    db.close();
  }
}
