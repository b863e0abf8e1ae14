import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ECHO_CASES } from '../../../src/testing/agents/echo.ts';
import type { AgentUnderTest, TurnStep } from './agent.ts';

const PROGRAM = join(import.meta.dirname, '../../../dist/echo.js');

/** What a story needs that neither way of echo has. */
const LACKS = {
  'gate by hooks': 'it asks in messages, and only as a server: see test/integration/gate-protocol.test.ts',
  'last text': 'its reply is all that it said',
  clear: 'its conversations end with their session',
  arguments: 'it takes none',
  models: 'it has no model',
  settings: 'it reads no settings',
  'updates in a turn': 'its hooks tell it nothing',
  'tools at once': 'it does one thing after the other',
  subagents: 'it has none',
  refusals: 'its turns fail or meet a limit, and nothing else',
  model: 'it has no model',
  'faults on command': 'it has no manners: what it does wrong is in its prompts',
  'enclosing variables': 'it sets none',
  'found on the path': 'it is part of Outlast',
} as const;

const ANY_PROMPT =
  'prompts of any size and with any character are heard as they were given, but for what the agent itself changes';

/** One story for each thing that it does: the stand-in plays most of them in every run. */
const QUICK = [
  'run waits for the reply, prints it alone, and the session is over',
  'a failure of the model is a failed prompt, status 8, and the session is of use afterwards',
  `${ANY_PROMPT}, on a pty`,
  'while a person is attached prompts wait; what they type is their own; leaving gives control back',
  'an ended session comes back on the same conversation (turns)',
  'attach on a session of turns opens the screen of the agent on that conversation',
  'a conversation that is gone is held until it is back (turns)',
  'a daemon killed between paste and Enter: the prompt is neither lost nor doubled',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
  'two sessions in one folder never mix (turns)',
];

/** As a server: what it is told and asked in messages. */
const SERVER_QUICK = [
  'a prompt with --now goes into the turn that is running, and says so, as a server',
  'an interrupted turn is over though no hook says so, and the next prompt arrives alone, as a server',
  'a turn that ends while there is no daemon is answered once when there is one (live)',
  'an agent killed in the middle of a turn is resumed on the same conversation (live)',
];

/** Echo, in turns and on its own screen. */
export const ECHO: AgentUnderTest = {
  title: 'echo',
  name: 'echo',
  version: null,
  cases: ECHO_CASES,
  lacks: {
    ...LACKS,
    server: 'with a screen it is none; see the suite of echo as a server',
    steering: 'its screen takes no prompt while a turn runs',
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
  behave: () => {},
  argv: () => [process.execPath, PROGRAM],
  prompt: (steps) => steps.flatMap(linesOf).join('\n'),
  shell: 'shell',
  commands: ['/quit', '  /quit'],
  screen: { busy: '(working)', ready: '(ready)', quit: '/quit', box: (text) => new RegExp(`^> ${text}`) },
  typed: (text) => text.replaceAll('\r\n', '\n').replaceAll('\x1b', ''),
  files,
  received: (root, conversation) => files(root, conversation).flatMap((path) => entries(path).flatMap(textOf)),
  hasSaid: (root, text) =>
    files(root, null).some((path) => entries(path).some(({ type, reply }) => type === 'end' && reply === text)),
};

/** Echo as a server over stdio. Its turns are those of `ECHO`. */
export const ECHO_SERVER: AgentUnderTest = {
  ...ECHO,
  title: 'echo as a server',
  lacks: { ...LACKS, turns: 'as a server it stays between turns', screen: 'it is driven by messages' },
  stays: 'server',
  quick: SERVER_QUICK,
  typed: (text) => text,
};

function linesOf(step: TurnStep): string[] {
  if ('say' in step) return [`say ${step.say}`];
  if ('until' in step) return [`run until [ -e '${step.until}' ]; do sleep 0.02; done`];
  // What a command prints is said by echo: its reply has everything.
  if ('run' in step) return [...(step.before === undefined ? [] : [`say ${step.before}`]), `run ${step.run}`];
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
