import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { piOpeners } from '../../../src/agent/pi/gate-openers.ts';
import { PI_CASES } from '../../../src/testing/agents/pi.ts';
import { CHAT_API } from '../../e2e-real/chat-api.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import type { AgentUnderTest, WrittenMessage } from './agent.ts';
import { gateOpeners } from './gate-openers.ts';
import { piRefusal } from './pi-refusals.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

const LACKS = {
  screen: 'it is driven by turns',
  prices: 'the scripted model has none',
  'results apart': 'it records the results of one message together',
  'known holders': 'its processes hide their arguments, and open a file only to write a line',
  'early prompts': 'it writes nothing down before the first reply of a conversation',
  poisoned: 'it ends a call that was interrupted itself',
  clear: 'only its screen has commands, and a person uses that',
  models: 'see test/e2e-real/pi.test.ts',
  arguments: 'see src/agent/pi/launch.test.ts',
  settings: 'files of its folder are loaded only if the caller trusts it: see src/agent/pi/launch.test.ts',
  'enclosing variables': 'see src/agent/pi/launch.test.ts',
  'updates in a turn': 'it runs no hooks of ours after a call',
  subagents: 'it has none',
  'questions at once': 'it asks about one call after the other, also if they run in parallel',
  'deferred calls': 'its process waits for the answer',
  'tools at once': 'see the turns of its cases in src/agent/pi/cases/session',
  'faults on command': 'a real agent cannot be told to misbehave',
} as const;

/** pi itself, with a scripted model on loopback. */
function pi(version: string, more: Pick<AgentUnderTest, 'quick'>): AgentUnderTest {
  return {
    ...more,
    title: `pi ${version}`,
    name: 'pi',
    version,
    cases: PI_CASES,
    lacks: LACKS,
    stays: 'live',
    storyMsMax: 120_000,
    isHere: () => agentIsHere(version, 'pi'),
    install: (root, { model }) => {
      symlinkSync(agentProgram(version, 'pi'), join(root, 'bin/pi'));
      useModel(root, model ?? '');
    },
    environment: (root, model) => {
      useModel(root, model ?? '');
      return environment(root);
    },
    startModel: () => startModelServer(0, CHAT_API),
    setFaults: () => {},
    argv: (root) => [join(root, 'bin/pi')],
    turnByHand: ({ id }) => ['--mode', 'json', '--print', '--session-id', id],
    gateOpeners: gateOpeners(piOpeners, environment, 'config/pi/settings.json'),
    refusal: piRefusal,
    subscribed: (env) => env,
    modelPath: CHAT_API.path,
    model: 'scripted/one-1',
    prompt: (steps) => scriptedPrompt(steps, { shell, overloaded: 503, tries: 2 }),
    shell: 'bash',
    commands: ['/compact'],
    screen: { busy: '', ready: '', quit: '', box: () => /$^/ },
    typed: (text) => text,
    files,
    thread: promptsIn,
    marks: {
      called: '"toolCall"',
      returned: '"toolResult"',
      ended: '"stopReason":"stop"',
      failed: '"stopReason":"error"',
    },
    messages,
    received: (root, conversation) => files(root, conversation).flatMap(promptsIn),
    hasSaid: (root, text) =>
      files(root, null).some((path) => readFileSync(path, 'utf8').includes(`"text":${JSON.stringify(text)}`)),
  };
}

const QUICK = [
  'run waits for the reply, prints only the reply, and ends the session',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
  'files that would allow everything change nothing of what the rules say about many calls',
  'an agent killed while a command runs is resumed, and its prompt names the command',
];

export const PI_0_87 = pi('0.87.1', { quick: QUICK });

/** pi takes its model from its files only. Nothing is retried, so that a failure is played once. */
function useModel(root: string, url: string): void {
  const home = join(root, 'config/pi');
  mkdirSync(home, { recursive: true });
  const models = [
    { id: 'one-1', input: ['text', 'image'] },
    { id: 'two-2', reasoning: true },
  ];
  const scripted = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'none', models };
  writeFileSync(join(home, 'models.json'), JSON.stringify({ providers: { scripted } }));
  const settings = { defaultProvider: 'scripted', defaultModel: 'one-1', retry: { enabled: false } };
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
}

function environment(root: string): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    PI_CODING_AGENT_DIR: join(root, 'config/pi'),
    PI_OFFLINE: '1',
    PI_SKIP_VERSION_CHECK: '1',
  };
}

function shell(command: string): object {
  return { tool: 'bash', input: { command } };
}

function files(root: string, conversation: string | null): string[] {
  const folder = join(root, 'config/pi/sessions');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const end = conversation === null ? '.jsonl' : `_${conversation}.jsonl`;
  return names.filter((name) => name.endsWith(end)).map((name) => join(folder, name));
}

interface Row {
  readonly id?: string;
  readonly message?: {
    readonly role?: string;
    readonly content?: readonly { readonly text?: string }[];
    readonly usage?: { readonly totalTokens?: number };
  };
}

/** The prompts in a file, read without Outlast's own reader. */
function promptsIn(path: string): string[] {
  return rowsOf(path).flatMap(({ message }) =>
    message?.role === 'user' ? [(message.content ?? []).map(({ text }) => text ?? '').join('\n')] : [],
  );
}

/** A response that failed used nothing. */
function messages(path: string): WrittenMessage[] {
  return rowsOf(path).flatMap(({ id, message }) => {
    const tokens = message?.role === 'assistant' ? (message.usage?.totalTokens ?? 0) : 0;
    return tokens === 0 ? [] : [{ id: id ?? '', tokens }];
  });
}

function rowsOf(path: string): Row[] {
  const rows = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return rows.map((text) => JSON.parse(text) as Row);
}
