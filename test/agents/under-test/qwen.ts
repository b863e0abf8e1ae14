import { existsSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { qwenOpeners } from '../../../src/agent/qwen/gate-openers.ts';
import { QWEN_CASES } from '../../../src/testing/agents/qwen.ts';
import { CHAT_API } from '../../e2e-real/chat-api.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import type { AgentUnderTest, WrittenMessage } from './agent.ts';
import { gateOpeners } from './gate-openers.ts';
import { qwenRefusal } from './qwen-refusals.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

const LACKS = {
  'images while it stays': 'in a message it takes an image for text',
  screen: 'its screen is not driven',
  attach: 'its process has one client: a person gets its screen between two turns',
  'named transcripts': 'it does not say where it writes; Outlast looks for the file',
  'end before exit': 'a turn counts as over when its process ends; one that does not is found as a hang',
  models: 'see src/agent/qwen/launch.test.ts',
  steering: 'a second prompt would be a second turn',
  'prompts apart': 'a prompt that was interrupted before any output is sent to the model with the next one',
  'gate by hooks': 'it asks in messages',
  prices: 'it counts tokens only',
  'overload that fails': 'it asks an overloaded API again for a minute and more',
  clear: 'only its screen starts another conversation',
  arguments: 'see src/agent/qwen/launch.test.ts',
  settings: 'a folder with settings of its own is not used before it is trusted: see src/agent/qwen/launch.test.ts',
  'updates in a turn': 'it runs no hooks of ours',
  subagents: 'see docs/guides/agents.md',
  'tools at once': 'see the turns of its cases in src/agent/qwen/cases/chat',
  'results apart': 'it records the results of one message together',
  refusals: 'its screen between two turns is not played yet',
  poisoned: 'it ends a call that was interrupted itself',
  'faults on command': 'a real agent cannot be told to misbehave',
  'fast starts': 'it starts in a second, and one story starts it ten times',
  'enclosing variables': 'see src/agent/qwen/launch.test.ts',
} as const;

/** Qwen Code itself, with a scripted model on loopback. */
function qwen(version: string, more: Pick<AgentUnderTest, 'quick'>): AgentUnderTest {
  return {
    ...more,
    title: `Qwen Code ${version}`,
    name: 'qwen',
    version,
    cases: QWEN_CASES,
    lacks: LACKS,
    stays: 'server',
    storyMsMax: 180_000,
    isHere: () => agentIsHere(version, 'qwen'),
    install: (root) => {
      symlinkSync(agentProgram(version, 'qwen'), join(root, 'bin/qwen'));
      // The scripted model takes as much as a test sends.
      const model = { generationConfig: { contextWindowSize: 4_000_000 } };
      const privacy = { usageStatisticsEnabled: false };
      const settings = { $version: 4, general: { enableAutoUpdate: false }, privacy, model };
      writeFileSync(join(root, 'config/settings.json'), JSON.stringify(settings));
    },
    environment,
    startModel: () => startModelServer(0, CHAT_API),
    setFaults: () => {},
    argv: byHand,
    turnByHand: ({ is, id }) => [
      ...['--output-format', 'stream-json', '--approval-mode', 'yolo'],
      ...(is === 'new' ? ['--session-id', id] : ['--resume', id]),
    ],
    gateOpeners: gateOpeners(qwenOpeners, (root) => environment(root, null), 'config/settings.json'),
    refusal: qwenRefusal,
    subscribed: (env) => env,
    modelPath: CHAT_API.path,
    model: 'scripted-1',
    // It knows by the name that this one takes images.
    seeing: 'qwen3-vl-plus',
    prompt: (steps) => scriptedPrompt(steps, { shell, overloaded: 500, tries: 2 }),
    shell: 'run_shell_command',
    commands: ['/compress'],
    screen: { busy: '', ready: '', quit: '', box: () => /$^/ },
    typed: (text) => text,
    files,
    thread: promptsIn,
    marks: {
      called: '"functionCall"',
      returned: '"functionResponse"',
      ended: '"provenance":"assistant_output"',
      failed: '"qwen-code.api_error"',
    },
    messages,
    received: (root, conversation) => files(root, conversation).flatMap(promptsIn),
    hasSaid: (root, text) =>
      files(root, null).some((path) =>
        readFileSync(path, 'utf8').includes(`"parts":[{"text":${JSON.stringify(text)}}]`),
      ),
  };
}

const QUICK = [
  'run waits for the reply, prints only the reply, and ends the session',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
  'an approved call runs once, a denied one does not, and a later one is asked about again',
];

export const QWEN_0_24 = qwen('0.24.4', { quick: QUICK });

function environment(root: string, model: string | null): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    QWEN_HOME: join(root, 'config'),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model ?? ''}/v1`,
    OPENAI_MODEL: 'scripted-1',
  };
}

/** The process that does the work, without the two that only wait for it: killing those leaves it running. */
function byHand(root: string): readonly [string, ...string[]] {
  const script = join(dirname(realpathSync(join(root, 'bin/qwen'))), 'cli.js');
  return ['/usr/bin/env', 'QWEN_CODE_NO_RELAUNCH=true', process.execPath, script];
}

/** It refuses a command that only sleeps. The command may take as long as it needs. */
function shell(text: string): object {
  const command = text.replace(/^sleep /, 'command sleep ');
  return {
    tool: 'run_shell_command',
    input: { command, description: 'a step', is_background: false, timeout: 600_000 },
  };
}

function files(root: string, conversation: string | null): string[] {
  const folder = join(root, 'config/projects');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const end = conversation === null ? '.jsonl' : `/${conversation}.jsonl`;
  return names.filter((name) => name.includes('/chats/') && name.endsWith(end)).map((name) => join(folder, name));
}

interface Row {
  readonly uuid?: string;
  readonly type?: string;
  readonly subtype?: string;
  readonly message?: { readonly parts?: readonly { readonly text?: string }[] };
  readonly usageMetadata?: { readonly totalTokenCount?: number };
}

/** The prompts in a conversation, read without Outlast's own reader. Qwen Code adds blank lines to standard input. */
function promptsIn(path: string): string[] {
  return rowsOf(path).flatMap(({ type, subtype, message }) => {
    if (type !== 'user' || (subtype !== undefined && subtype !== 'mid_turn_user_message')) return [];
    return [
      (message?.parts ?? [])
        .map(({ text = '' }) => text)
        .join('\n')
        .trim(),
    ];
  });
}

function messages(path: string): WrittenMessage[] {
  return rowsOf(path).flatMap(({ type, uuid = '', usageMetadata }) =>
    type === 'assistant' ? [{ id: uuid, tokens: usageMetadata?.totalTokenCount ?? 0 }] : [],
  );
}

/** A line that is still being written is left out. */
function rowsOf(path: string): Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}
