import type { StartInput } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import { INLINE, type Values } from '../base/command.ts';
import { wrongCall } from '../base/parse.ts';
import { GATE_OPTIONS, gateInput } from './gate-options.ts';
import { POLICY_OPTIONS, policyInput } from './policy-options.ts';
import { parseSize } from './size.ts';
import { SPAWN_OPTIONS, spawnInput } from './spawn-options.ts';

/** Options of both `run` and `start`. */
export const AGENT_OPTIONS = {
  agent: { type: 'string', value: 'NAME', sentence: 'The agent to run.', otherwise: 'claude', completes: 'agent' },
  live: { type: 'boolean', sentence: 'One process with a screen, instead of one process per prompt.' },
  name: { type: 'string', value: 'NAME', sentence: 'A name for it: a-z, 0-9 and -.', otherwise: 'none' },
  workspace: {
    type: 'string',
    value: 'DIR',
    sentence: 'Folder it works in.',
    otherwise: 'the current one',
    was: 'cwd',
  },
  worktree: {
    type: 'string',
    value: 'BRANCH',
    optional: INLINE,
    sentence: 'Give it its own git worktree; with =BRANCH on that branch.',
  },
  model: {
    type: 'string',
    value: 'M',
    sentence: 'A short name such as opus, or a full id.',
    otherwise: 'agent default',
    completes: 'model',
  },
  thinking: {
    type: 'string',
    value: 'LEVEL',
    sentence: 'How much it thinks, such as low or high; an unknown level is refused.',
    otherwise: 'agent default',
    completes: ['low', 'medium', 'high', 'max'],
  },
  'prompt-file': { type: 'string', value: 'FILE', sentence: 'Read the prompt from this file.' },
  command: { type: 'boolean', sentence: 'Allow the prompt to begin with / or !, as a command to the agent.' },
  'agent-arg': { type: 'string', value: 'X', multiple: true, sentence: 'An argument for the agent, also on resume.' },
  env: {
    type: 'string',
    value: 'NAME[=V]',
    multiple: true,
    sentence: 'Pass one of your variables to the agent, or set one.',
  },
  trust: { type: 'boolean', sentence: "Trust this folder's settings." },
  fork: { type: 'string', value: 'S', sentence: 'Start with a copy of the conversation of S.', completes: 'session' },
  after: {
    type: 'string',
    value: 'S',
    multiple: true,
    sentence: 'Send the prompt when S has answered; {{S.reply}} is replaced.',
    completes: 'session',
  },
  tui: { type: 'boolean', sentence: 'With --live: run its own screen, even if it could be driven without one.' },
  pty: { type: 'boolean', sentence: 'Show its screen on a pty.' },
  tmux: { type: 'boolean', sentence: 'Show its screen in tmux.' },
  size: { type: 'string', value: 'COLSxROWS', sentence: 'Size of its screen.', otherwise: '120x30' },
  'no-notify': { type: 'boolean', sentence: 'Send no notices about its end.' },
  ...GATE_OPTIONS,
  ...POLICY_OPTIONS,
  ...SPAWN_OPTIONS,
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

// Not given: the config decides, else it is claude.
const DEFAULT_AGENT = '';

/** The agent whose command line is behind `--`. */
const LINE_AGENT = 'acp';

/** The words that are a prompt, and not the command line of an agent. */
export function promptWords({
  values,
  words,
  behind,
}: {
  readonly values: { readonly agent?: string | undefined };
  readonly words: readonly string[];
  readonly behind: readonly string[];
}): readonly string[] {
  return values.agent === LINE_AGENT ? words.slice(0, words.length - behind.length) : words;
}

/** The start input from the command line, without the prompt. */
export function agentInput(
  name: string,
  values: Values<typeof AGENT_OPTIONS>,
  env: Environment,
  behind: readonly string[] = [],
): StartInput {
  if (values.pty && values.tmux) throw wrongCall(`${name}: choose one of --pty and --tmux`);
  const terminal = values.pty ? 'pty' : values.tmux ? 'tmux' : undefined;
  return {
    agent: values.agent ?? DEFAULT_AGENT,
    drive: values.live ? 'live' : 'turns',
    // A batch recognizes finished sessions by a hash of this input, so an option of a later version is left out unless
    // it is given.
    ...(values.tui ? { tui: true } : {}),
    cwd: path.resolve(values.workspace ?? '.'),
    asCommand: values.command,
    agentArgs: [...(values.agent === LINE_AGENT ? behind : []), ...values['agent-arg']],
    trust: values.trust,
    after: [...values.after],
    notify: values['no-notify'] ? 'never' : 'output',
    ...variables(values.env, env),
    ...gateInput(name, values, policyInput(values, env)),
    ...spawnInput(values),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.worktree === undefined ? {} : { worktree: values.worktree }),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(values.thinking === undefined ? {} : { thinking: values.thinking }),
    ...(values.fork === undefined ? {} : { fork: values.fork }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(values.size === undefined ? {} : parseSize(values.size)),
  };
}

function variables(words: readonly string[], env: Environment): { envNames: string[]; set: Record<string, string> } {
  const envNames: string[] = [];
  const set: Record<string, string> = {};
  for (const word of words) {
    const [variable = ''] = word.split('=');
    if (!/^[A-Za-z_]\w*$/.test(variable))
      throw wrongCall(`--env: "${word}" is not a variable; write it like NAME to pass yours, or NAME=value`);
    if (word.includes('=')) set[variable] = word.slice(variable.length + 1);
    else if (env[variable] === undefined)
      throw wrongCall(`--env: ${variable} is not set here; write ${variable}=value`);
    else envNames.push(variable);
  }
  return { envNames, set };
}
