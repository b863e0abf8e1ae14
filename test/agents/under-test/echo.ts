import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ECHO_CASES } from '../../../src/testing/agents/echo.ts';
import type { AgentUnderTest, TurnStep } from './agent.ts';

const PROGRAM = join(import.meta.dirname, '../../../dist/echo.js');

/** What echo lacks in every drive. */
const LACKS = {
  'gate by hooks': 'it asks by messages, and only as a server: see test/integration/gate-protocol.test.ts',
  'gate openers': 'it reads no files that could allow something',
  'last text': 'its reply is its whole output',
  clear: 'its conversations end with their session',
  arguments: 'it takes none',
  models: 'it has no model',
  settings: 'it reads no settings',
  'updates in a turn': 'its hooks return nothing',
  'tools at once': 'it does one thing at a time',
  subagents: 'it has none',
  refusals: 'its turns fail or meet a limit, and nothing else',
  model: 'it has no model',
  'faults on command': 'its faults are in its prompts',
  'enclosing variables': 'it sets none',
  'found on the path': 'it is part of Outlast',
} as const;

const ANY_PROMPT =
  'prompts of any size and with any character arrive unchanged, except for what the agent itself changes';

/** One story per behaviour: the stand-in runs most of them in every test run. */
const QUICK = [
  'run waits for the reply, prints only the reply, and ends the session',
  'a failure of the model fails the prompt with status 8, and the session stays usable',
  `${ANY_PROMPT}, on a pty`,
  'while a person is attached, prompts wait and their typing is theirs; detaching returns control',
  'an ended session is resumed on the same conversation (turns)',
  "attach to a turns session opens the agent's screen on its conversation",
  'a session whose transcript is gone is held until the file is back (turns)',
  'a daemon killed between paste and Enter neither loses nor repeats the prompt',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
  "two sessions in one folder never get each other's prompts or replies (turns)",
];

/** As a server: one story per kind of message. */
const SERVER_QUICK = [
  'a prompt with --now is sent into the running turn, and the command says so, as a server',
  'an interrupted turn ends without a report of a hook, and the next prompt arrives alone, as a server',
  'a turn that ends while no daemon runs is answered once, by the next daemon (live)',
  'an agent killed in the middle of a turn is resumed on the same conversation (live)',
];

/** Echo with turns and with its own screen. */
export const ECHO: AgentUnderTest = {
  title: 'echo',
  name: 'echo',
  version: null,
  cases: ECHO_CASES,
  lacks: {
    ...LACKS,
    gate: 'only as a server',
    server: 'not with a screen; see the suite of echo as a server',
    steering: 'its screen accepts no prompt while a turn runs',
  },
  stays: 'live',
  quick: QUICK,
  storyMsMax: 60_000,
  isHere: () => true,
  install: () => {},
  environment: (root) => ({
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ECHO_HOME: join(root, 'config'),
    ECHO_ANSWER: 'You said: ',
  }),
  startModel: () => null,
  setFaults: () => {},
  argv: () => [process.execPath, PROGRAM],
  turnByHand: ({ is, id }) => ['--turn', is === 'new' ? '--conversation' : '--resume', id],
  refusal: () => {
    throw new Error('echo has no model');
  },
  subscribed: (env) => env,
  modelPath: '',
  model: '',
  prompt: (steps) => steps.flatMap(linesOf).join('\n'),
  shell: 'shell',
  commands: ['/quit', '  /quit'],
  screen: { busy: '(working)', ready: '(ready)', quit: '/quit', box: (text) => new RegExp(`^> ${text}`) },
  typed: (text) => text.replaceAll('\r\n', '\n').replaceAll('\x1b', ''),
  files,
  received: (root, conversation) => files(root, conversation).flatMap((path) => entries(path).flatMap(textOf)),
  thread: (path) => entries(path).flatMap(textOf),
  marks: { called: '"type":"call"', returned: '"type":"result"', ended: '"type":"end"', failed: '"trouble"' },
  messages: () => [],
  hasSaid: (root, text) =>
    files(root, null).some((path) => entries(path).some(({ type, reply }) => type === 'end' && reply === text)),
};

/** Echo as a server over stdio. `ECHO` tests its turns. */
export const ECHO_SERVER: AgentUnderTest = {
  ...ECHO,
  title: 'echo as a server',
  lacks: {
    ...LACKS,
    turns: 'as a server it stays between turns',
    screen: 'it is driven by messages',
    attach: 'over stdio it has one client',
  },
  stays: 'server',
  quick: SERVER_QUICK,
  typed: (text) => text,
};

function linesOf(step: TurnStep): string[] {
  if ('say' in step) return [`say ${step.say}`];
  if ('until' in step) return [`run until [ -e '${step.until}' ]; do sleep 0.02; done`];
  // The reply of echo contains the output of its commands.
  if ('run' in step) return [...(step.before === undefined ? [] : [`say ${step.before}`]), `run ${step.run}`];
  if ('together' in step) return step.together.map((command) => `run ${command}`);
  if ('overloaded' in step) return [];
  if ('pings' in step) return ['sleep 1000'];
  if ('fail' in step) return [`fail API Error: ${step.fail}`];
  return ['sleep 1000'];
}

interface Entry {
  readonly type?: string;
  readonly text?: string;
  readonly reply?: string;
}

function files(root: string, conversation: string | null): string[] {
  const folder = join(root, 'config/conversations');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => (conversation === null ? name.endsWith('.jsonl') : name === `${conversation}.jsonl`))
    .map((name) => join(folder, name));
}

function entries(path: string): Entry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry);
}

function textOf({ type, text }: Entry): string[] {
  return type === 'prompt' && text !== undefined ? [text] : [];
}
