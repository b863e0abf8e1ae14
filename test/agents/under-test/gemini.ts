import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { geminiOpeners } from '../../../src/agent/gemini/gate-openers.ts';
import { GEMINI_CASES } from '../../../src/testing/agents/gemini.ts';
import { GEMINI_API, GEMINI_MODEL } from '../../e2e-real/gemini-api.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import type { AgentUnderTest, WrittenMessage } from './agent.ts';
import { gateOpeners } from './gate-openers.ts';
import { geminiRefusal } from './gemini-refusals.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

const LACKS = {
  screen: 'its screen is not driven',
  attach: 'over stdio it has one client',
  'other clients': 'only its own standard input is heard',
  steering: 'the protocol has no prompt during a turn',
  'gate by hooks': 'its hooks let calls through when they fail',
  prices: 'it tells no prices',
  poisoned: 'its model refuses nothing for ever',
  'end before exit': 'its last line comes right before it exits',
  limits: 'when a limit ends is not said',
  'overload that fails': 'it retries for longer than a story lasts',
  clear: 'its commands are not sent',
  arguments: 'it takes none',
  models: 'see src/agent/gemini/launch.test.ts',
  settings: 'settings of the folder need trust: see src/agent/gemini/launch.test.ts',
  'updates in a turn': 'it runs no hooks of ours',
  'tools at once': 'one call is like another in its output',
  'results apart': 'it records the calls of one message when all are over',
  'calls on record': 'a call is recorded when it is over',
  'failures on record': 'a failed turn is taken out of its record',
  'ends on record': 'its record does not tell an answer from the text before a call that runs',
  subagents: 'what they do is not reported',
  refusals: 'its screen between two turns is not played yet',
  'early reloads': 'its server would destroy the conversation: see test/e2e-real/gemini-gate.test.ts',
  'images in order': 'in turns it reads the files that a prompt names at the same time',
  'faults on command': 'a real agent cannot be told to misbehave',
  'fast starts': 'it starts in several seconds',
  'enclosing variables': 'see src/agent/gemini/launch.test.ts',
} as const;

/** Gemini CLI itself, with a scripted model on loopback. */
function gemini(version: string, more: Pick<AgentUnderTest, 'quick'>): AgentUnderTest {
  return {
    ...more,
    title: `Gemini CLI ${version}`,
    name: 'gemini',
    version,
    cases: GEMINI_CASES,
    lacks: LACKS,
    stays: 'server',
    storyMsMax: 240_000,
    isHere: () => agentIsHere(version, 'gemini'),
    install: (root) => {
      symlinkSync(agentProgram(version, 'gemini'), join(root, 'bin/gemini'));
      mkdirSync(join(root, 'config/.gemini'), { recursive: true });
      writeFileSync(join(root, 'config/.gemini/settings.json'), JSON.stringify(SETTINGS));
    },
    environment,
    startModel: () => startModelServer(0, GEMINI_API),
    setFaults: () => {},
    gateOpeners: gateOpeners(geminiOpeners, (root) => environment(root, null), 'config/.gemini/settings.json'),
    argv: (root) => [join(root, 'bin/gemini')],
    turnByHand: ({ is, id }) => [
      ...['--skip-trust', '-y', '-o', 'stream-json'],
      ...(is === 'new' ? ['--session-id', id] : ['--resume', id]),
    ],
    refusal: geminiRefusal,
    subscribed: (env) => env,
    modelPath: GEMINI_API.path,
    model: GEMINI_MODEL,
    prompt: (steps) => scriptedPrompt(steps, { shell, overloaded: 503, tries: 3 }),
    shell: 'run_shell_command',
    commands: ['/compress'],
    screen: { busy: '', ready: '', quit: '', box: () => /$^/ },
    typed: (text) => text,
    files,
    thread: promptsIn,
    marks: {
      // A call itself is recorded when it is over.
      called: '"type":"gemini"',
      returned: '"functionResponse"',
      ended: '"type":"gemini"',
      failed: '"type":"error"',
    },
    messages,
    received: (root, conversation) => files(root, conversation).flatMap(promptsIn),
    hasSaid: (root, text) =>
      files(root, null).some((path) => rowsOf(path).some(({ type, content }) => type === 'gemini' && content === text)),
  };
}

/** Conversations are kept, and nothing is sent but to the model. */
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { sessionRetention: { enabled: false }, enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

const QUICK = [
  'run waits for the reply, prints only the reply, and ends the session',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
];

export const GEMINI_0_61 = gemini('0.61.0', { quick: QUICK });

function environment(root: string, model: string | null): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    GEMINI_CLI_HOME: join(root, 'config'),
    GEMINI_API_KEY: 'none',
    GEMINI_MODEL,
    // One that is started by hand would start itself again as a child, and only the parent would be killed.
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GOOGLE_GEMINI_BASE_URL: model ?? '',
  };
}

function shell(command: string): object {
  return { tool: 'run_shell_command', input: { command, description: 'a step' } };
}

/** The id of a conversation is in the name of its files only in part. */
function files(root: string, conversation: string | null): string[] {
  const folder = join(root, 'config/.gemini/tmp');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const end = conversation === null ? '.jsonl' : `${conversation.slice(0, 8)}.jsonl`;
  return names.filter((name) => /\/chats\/session-/.test(name) && name.endsWith(end)).map((name) => join(folder, name));
}

interface Row {
  readonly id?: string;
  readonly tokens?: { readonly total: number };
  readonly type?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

/** The prompts in a file. What comes in a `$set` is the context that Gemini CLI adds. */
function promptsIn(path: string): string[] {
  return rowsOf(path).flatMap(({ type, content }) => {
    if (type !== 'user' || typeof content === 'string') return [];
    const texts = (content ?? []).flatMap(({ text }) => text ?? []);
    return texts.length === 0 ? [] : [texts.join('\n')];
  });
}

/** A message is written again when its calls are over. */
function messages(path: string): WrittenMessage[] {
  const all = rowsOf(path).flatMap(({ id, tokens }) =>
    id && tokens ? [[id, { id, tokens: tokens.total }] as const] : [],
  );
  return [...new Map(all).values()];
}

function rowsOf(path: string): Row[] {
  const rows = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return rows.map((text) => JSON.parse(text) as Row);
}
