import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE_CASES } from '../../../src/testing/agents/claude.ts';
import type { AgentUnderTest, TurnStep } from './agent.ts';
import { messages, promptsIn, thread } from './claude-received.ts';
import { claudeRefusal, subscribed } from './claude-refusals.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

type Common = Pick<
  AgentUnderTest,
  | 'cases'
  | 'stays'
  | 'turnByHand'
  | 'refusal'
  | 'subscribed'
  | 'modelPath'
  | 'model'
  | 'shell'
  | 'commands'
  | 'screen'
  | 'typed'
  | 'files'
  | 'received'
  | 'thread'
  | 'marks'
  | 'messages'
  | 'hasSaid'
>;

const MODEL = 'claude-sonnet-4-6';
const PRINT = ['--print', '--output-format', 'stream-json', '--verbose', '--model', MODEL].concat([
  '--permission-mode',
  'bypassPermissions',
]);

/** What Claude Code and its stand-in have in common. */
export const CLAUDE_LIKE: Common = {
  cases: CLAUDE_CASES,
  stays: 'live',
  turnByHand: ({ is, id }) => [...PRINT, is === 'new' ? '--session-id' : '--resume', id],
  refusal: claudeRefusal,
  subscribed,
  modelPath: '/v1/messages',
  model: MODEL,
  shell: 'Bash',
  commands: ['/clear', '!ls', '  /clear'],
  screen: {
    busy: 'esc to interrupt',
    ready: '❯',
    quit: '/exit',
    box: (text) => new RegExp(`❯\\s+${text}`),
  },
  typed: (text) => text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').replaceAll('\x1b', ''),
  files,
  thread,
  marks: { called: '"tool_use"', returned: '"tool_result"', ended: '"end_turn"', failed: 'API Error' },
  messages,
  received: (root, conversation) => files(root, conversation).flatMap(promptsIn),
  hasSaid: (root, text) =>
    files(root, null).some((path) => readFileSync(path, 'utf8').includes(`"text":${JSON.stringify(text)}`)),
};

function files(root: string, conversation: string | null): string[] {
  const projects = join(root, 'config', 'projects');
  const folders = existsSync(projects) ? readdirSync(projects) : [];
  return folders
    .flatMap((folder) => readdirSync(join(projects, folder)).map((name) => join(projects, folder, name)))
    .filter((path) => path.endsWith(conversation === null ? '.jsonl' : `/${conversation}.jsonl`));
}

/** The steps for the scripted model. `tries`: how often the agent asks a model that fails. */
export function claudePrompt(steps: readonly TurnStep[], tries: number): string {
  return scriptedPrompt(steps, { shell: bash, overloaded: 529, tries });
}

function bash(command: string): object {
  return { tool: 'Bash', input: { command, description: 'x' } };
}
