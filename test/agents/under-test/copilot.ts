import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { copilotOpeners } from '../../../src/agent/copilot/gate-openers.ts';
import { COPILOT_CASES } from '../../../src/testing/agents/copilot.ts';
import { COPILOT_API } from '../../e2e-real/copilot-api.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import type { AgentUnderTest, WrittenMessage } from './agent.ts';
import { copilotRefusal } from './copilot-refusals.ts';
import { gateOpeners } from './gate-openers.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

const LACKS = {
  screen: 'it is driven by turns',
  prices: 'it counts tokens only',
  'long prompts': 'it refuses what is longer than it believes its model to take',
  poisoned: 'it ends a call that was interrupted itself',
  clear: 'only its screen has commands, and a person uses that',
  models: 'see test/e2e-real/copilot.test.ts',
  arguments: 'see src/agent/copilot/launch.test.ts',
  settings: 'files of its folder are loaded only if the caller trusts it: see src/agent/copilot/launch.test.ts',
  'enclosing variables': 'see src/agent/copilot/launch.test.ts',
  'updates in a turn': 'it runs no hooks of ours after a call',
  subagents: 'its sub-agents need models of GitHub',
  'tools at once': 'see the turns of its cases in src/agent/copilot/cases/events',
  'questions at once': 'it asks about one call after the other',
  'deferred calls': 'its process waits for the answer',
  'limits in turns':
    'it retries for a minute before it says that it is at a limit: see its cases in src/agent/copilot/cases/stream',
  'overload that fails': 'it retries for a minute',
  'faults on command': 'a real agent cannot be told to misbehave',
  'fast starts': 'it starts in more than a second, and one story starts it ten times',
} as const;

/** Copilot CLI itself, with a scripted model on loopback. */
function copilot(version: string, more: Pick<AgentUnderTest, 'quick'>): AgentUnderTest {
  return {
    ...more,
    title: `Copilot CLI ${version}`,
    name: 'copilot',
    version,
    cases: COPILOT_CASES,
    lacks: LACKS,
    stays: 'live',
    storyMsMax: 180_000,
    isHere: () => agentIsHere(version, 'copilot'),
    install: (root) => symlinkSync(agentProgram(version, 'copilot'), join(root, 'bin/copilot')),
    environment: (root, model) => environment(root, model ?? ''),
    startModel: () => startModelServer(0, COPILOT_API),
    setFaults: () => {},
    argv: (root) => [join(root, 'bin/copilot')],
    turnByHand: ({ is, id }) => [...BY_HAND, is === 'new' ? `--session-id=${id}` : `--resume=${id}`],
    gateOpeners: gateOpeners(copilotOpeners, (root) => environment(root, ''), 'config/settings.json'),
    refusal: copilotRefusal,
    subscribed: (env) => env,
    modelPath: COPILOT_API.path,
    model: 'gpt-4.1',
    prompt: (steps) => scriptedPrompt(steps, { shell, overloaded: 503, tries: 6 }),
    shell: 'bash',
    commands: ['/compact'],
    screen: { busy: '', ready: '', quit: '', asks: [{ shows: 'Do you trust the files', keys: '\r' }], box: () => /$^/ },
    typed: (text) => text,
    files,
    thread: promptsIn,
    marks: {
      called: '"tool.execution_start"',
      returned: '"tool.execution_complete"',
      ended: '"toolRequests":[]',
      failed: '"session.error"',
    },
    messages,
    received: (root, conversation) => files(root, conversation).flatMap(promptsIn),
    hasSaid: (root, text) =>
      files(root, null).some((path) => readFileSync(path, 'utf8').includes(`"content":${JSON.stringify(text)}`)),
  };
}

const BY_HAND = ['--output-format', 'json', '--allow-all'];

const QUICK = [
  'run waits for the reply, prints only the reply, and ends the session',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
  'files that would allow everything change nothing of what the rules say about many calls',
];

export const COPILOT_1_0 = copilot('1.0.102', { quick: QUICK });

function environment(root: string, model: string): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COPILOT_HOME: join(root, 'config'),
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    // It masks this text wherever it prints it.
    COPILOT_PROVIDER_API_KEY: 'the-key-of-the-scripted-model',
    COPILOT_MODEL: 'gpt-4.1',
    COPILOT_AUTO_UPDATE: 'false',
  };
}

function shell(command: string): object {
  return { tool: 'bash', input: { command, description: 'a step', initial_wait: 600 } };
}

function files(root: string, conversation: string | null): string[] {
  const folder = join(root, 'config/session-state');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => conversation === null || name === conversation)
    .map((name) => join(folder, name, 'events.jsonl'))
    .filter((path) => existsSync(path));
}

interface Row {
  readonly type?: string;
  readonly id?: string;
  readonly data?: {
    readonly content?: string;
    readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  };
}

/** The prompts in a file, read without Outlast's own reader. */
function promptsIn(path: string): string[] {
  return rowsOf(path).flatMap(({ type, data }) => (type === 'user.message' ? [data?.content ?? ''] : []));
}

function messages(path: string): WrittenMessage[] {
  return rowsOf(path).flatMap(({ type, id, data }) => {
    if (type !== 'session.usage_record') return [];
    return [{ id: id ?? '', tokens: (data?.usage?.inputTokens ?? 0) + (data?.usage?.outputTokens ?? 0) }];
  });
}

function rowsOf(path: string): Row[] {
  const rows = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return rows.map((text) => JSON.parse(text) as Row);
}
