import { assert } from '../../base/assert.ts';
import type { Spec } from '../../core/session.ts';
import type { Agent, RunPlan, ScreenRead, StateRead, Surroundings, Talk } from '../seam/agent.ts';
import { claudeConversations } from './conversations.ts';
import { answerText, askedOf } from './gate.ts';
import { bare, isPlaceholder, isSameText } from './heard-text.ts';
import { holdOf } from './holds.ts';
import { hookSettings } from './hook-settings.ts';
import { type ConversationPlan, claudeLaunch } from './launch.ts';
import { refusals } from './launch-args.ts';
import { isFullId, MODELS } from './models.ts';
import { claudeRecord } from './record.ts';
import { reportsOf } from './reports.ts';
import { readScreen } from './screen.ts';
import { seenCalls } from './seen-calls.ts';
import { spentSince } from './spent.ts';
import { readStateFile } from './state-file.ts';
import { streamEnd } from './stream-end.ts';
import { claudeListener } from './stream-tools.ts';
import { THINKING } from './thinking.ts';
import { trialAnswer, trialPrompt } from './trial.ts';
import { turnReader } from './turns.ts';
import { claudeVerdict } from './verdict.ts';

/** What differs between Claude Code and what speaks like it. */
export interface Dialect {
  readonly name: string;
  /** The words that start it. */
  readonly program: readonly [string, ...string[]];
  /** Variables that it needs on top. */
  readonly env: Readonly<Record<string, string>>;
  /** How to get it. */
  readonly install: string;
  /** Where it keeps its files when the caller does not say. */
  readonly home: (env: Readonly<Record<string, string>>) => string;
}

/** The oldest version that the tests run. */
const OLDEST = '2.1.197';

/** Claude Code. */
export const claude: Agent = claudeLike({
  name: 'claude',
  program: ['claude'],
  env: {},
  install: 'Install it with `npm install --global @anthropic-ai/claude-code` (Node 22 or newer).',
  home: (env) => `${env.HOME ?? ''}/.claude`,
});

/** An agent that has the command line, hooks, files and screen of Claude Code. */
export function claudeLike(dialect: Dialect): Agent {
  return {
    name: dialect.name,
    launch: (...given) => launch(dialect, ...given),
    talk: talkOf(dialect),
    verdict: claudeVerdict,
    conversations: claudeConversations(dialect),
  };
}

function launch(
  dialect: Dialect,
  spec: Spec,
  { env, umask }: Surroundings,
  plan: RunPlan,
): ReturnType<Agent['launch']> {
  const wanted = spec.conversation;
  assert(wanted !== undefined, `a session of ${dialect.name} has a conversation`);
  const isLive = spec.drive === 'live' || plan.how === 'visit';
  const [program, ...words] = dialect.program;
  const made = claudeLaunch({
    program,
    drive: isLive ? 'live' : 'turns',
    conversation: conversationPlan(spec, plan),
    mode: plan.ask?.strict ? 'manual' : (wanted.mode ?? 'bypassPermissions'),
    settings: hookSettings(plan.hook, isLive ? 'live' : 'turns', plan),
    isGated: plan.ask?.strict ?? false,
    asker: isLive ? null : askerOf(plan),
    model: wanted.model,
    thinking: wanted.thinking ?? null,
    extra: wanted.args,
    env,
    envNames: wanted.envNames,
  });
  assert(made.ok, 'arguments are checked when a session is started');
  const [first, ...rest] = made.argv;
  return {
    argv: [first, ...words, ...rest],
    // The one way to trust a folder that leaves no trace in the settings of the person.
    env: { ...made.env, ...dialect.env, ...(wanted.trusted ? { CLAUDE_CODE_SANDBOXED: '1' } : {}) },
    cwd: spec.workspace,
    umask,
    stdin: isLive ? 'open' : plan.promptPath === null ? 'empty' : { path: plan.promptPath },
    split: !isLive,
  };
}

/** It is given the command that puts the second question. */
function askerOf({ ask }: RunPlan): readonly [string, ...string[]] | null {
  return ask?.asker ? [...ask.asker, ask.confirm] : null;
}

function conversationPlan(spec: Spec, plan: RunPlan): ConversationPlan {
  const id = plan.conversation ?? spec.conversation?.id ?? '';
  if (plan.how === 'resume' || (plan.how === 'visit' && plan.conversation !== null)) return { is: 'resume', id };
  const from = plan.origin ?? spec.conversation?.forkOf ?? null;
  return from === null ? { is: 'new', id } : { is: 'fork', from, id };
}

function talkOf(dialect: Dialect): Talk {
  const folder = (env: Readonly<Record<string, string>>): string => env.CLAUDE_CONFIG_DIR || dialect.home(env);
  return {
    models: MODELS,
    isModelId: isFullId,
    thinking: THINKING,
    refusals: (args, isGated) => refusals(args, isGated).map(({ arg, why }) => `${arg}: ${why}`),
    isCommand: (text, isTyped) => /^\s*[/!]/.test(text) || (isTyped && /^(exit|quit|:q!?|:wq!?)$/.test(text.trim())),
    // A backslash at the end makes Enter a line break; blanks at the end are cut anyway.
    typed: (text) => (text.trimEnd().endsWith('\\') ? `${text.trimEnd()} ` : text),
    isSameText,
    isPlaceholder,
    boxText: (text) => bare(text).replaceAll(/\s+/g, ''),
    asked: askedOf,
    answer: answerText,
    seenCalls,
    hook: reportsOf,
    screen: screenOf,
    stateFile: (env, pid) => `${folder(env)}/sessions/${pid}.json`,
    state: stateOf,
    transcripts: (env) => `${folder(env)}/projects`,
    record: claudeRecord,
    sideTranscripts: (path) => `${path.replace(/\.jsonl$/, '')}/subagents`,
    spent: spentSince,
    account: (env) => accountOf(dialect, env),
    listener: claudeListener,
    stream: streamEnd,
    turns: turnReader,
    keys: { interrupt: ['Escape'], clear: clearKeys },
    compact: '/compact',
    quit: '/exit',
    ownFiles: ['.claude', '.mcp.json'],
    program: {
      name: dialect.program[0],
      versionArgs: [...dialect.program.slice(1), '--version'],
      oldest: OLDEST,
      install: dialect.install,
      alone,
      trial: (calls) => ({ prompt: trialPrompt(calls), answer: (body) => trialAnswer(calls, body) }),
    },
  };
}

/** Nobody listens on this port, and nobody waits for long. */
function alone(home: string, model = 'http://127.0.0.1:9'): Readonly<Record<string, string>> {
  return {
    CLAUDE_CONFIG_DIR: `${home}/config`,
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    IS_SANDBOX: '1',
  };
}

/** Each deletes one row of the box. Ctrl-C would be quicker, but the second one within a second is the end of it. */
function clearKeys(text: string): string[] {
  return Array<string>(Math.min(Math.ceil(text.length / ROW_CHARS_MIN) + text.split('\n').length + 1, 5_000)).fill(
    'C-u',
  );
}

const ROW_CHARS_MIN = 40;

/** Where the login lies, and what replaces it. */
function accountOf({ name, home }: Dialect, env: Readonly<Record<string, string>>): string {
  const words = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  return [name, env.CLAUDE_CONFIG_DIR || home(env), ...words.map((word) => env[word] ?? '')].join('\n');
}

function screenOf(rows: readonly string[]): ScreenRead {
  const screen = readScreen(rows);
  switch (screen.is) {
    case 'ready':
    case 'busy': {
      const tokens = screen.tokens === undefined ? {} : { tokens: screen.tokens };
      return { is: screen.is, draft: screen.draft ?? null, ...tokens };
    }
    case 'dialog':
      return { is: 'dialog', why: holdOf(screen.dialog ?? 'other') };
    case 'unknown':
      return { is: 'unknown' };
  }
}

function stateOf(text: string): StateRead | null {
  const file = readStateFile(text);
  if (file === null) return null;
  // A shell that goes on in the background keeps nobody from the next prompt.
  const is = file.status === 'shell' ? 'idle' : file.status;
  return { pid: file.pid, is, conversation: file.conversation };
}
