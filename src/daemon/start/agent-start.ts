import { randomUUID } from 'node:crypto';
import { DEFAULT_AGENT } from '../../agent/all.ts';
import { checkImages, checkPrompt, driveFor, driveOf, type KnownAgent, knownAgent } from '../../agent/known.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import type { HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import type {
  ConversationChoice,
  ConversationId,
  ConversationSpec,
  PermissionMode,
  SessionId,
  Spec,
  TerminalKind,
} from '../../core/session.ts';
import type { Row } from '../../journal/journal.ts';
import { findOnPath } from '../config/config.ts';
import type { Config } from '../config/schema.ts';
import { programOf } from '../gate/agent-version.ts';
import { settingsRefusals } from '../gate/settings-refusals.ts';
import { askPolicy, gatedText, gateModeOf, gateOf, ungatedText, watchedText } from './gate-start.ts';
import { modelOf } from './model.ts';
import { agentPolicy } from './policy.ts';
import { trustOf } from './trust.ts';

type StartInput = HandlerInput<'session.start'>;

export interface AgentStartParts {
  readonly config: Config;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly find: (word: string) => Row;
  readonly nowMs: number;
  /** The user id of the caller: root gets a warning about the risk. */
  readonly uid: number;
}

/** A conversation that was started elsewhere, and its permission mode. */
export interface TakeOver {
  readonly conversation: string;
  readonly mode: PermissionMode;
  /** The agent's own word for that; null: it did not say. */
  readonly modeWord: string | null;
}

export interface AgentStart {
  readonly spec: Spec;
  /** The first prompt, which quotes other sessions by their ids. */
  readonly prompt: string | null;
  readonly warnings: readonly string[];
}

/** Validates a request to start an agent, and fills in all defaults. */
export function readAgentStart(
  input: StartInput,
  env: Readonly<Record<string, string>>,
  parts: AgentStartParts,
  over: TakeOver | null = null,
): AgentStart {
  const { config } = parts;
  const agent = knownAgent(parts.agents, input.agent || config.agent || DEFAULT_AGENT);
  if (input.argv !== undefined || input.shell !== undefined) throw invalid('give a command or an agent, not both');
  checkArgs(parts.agents, agent, input, gateModeOf(input, config) === 'gate');
  const drive = driveIn(agent, input);
  const isLive = drive === 'live';
  const after = input.after.map((word) => ({ word, id: agentSession(parts, word, '--after').session.id }));
  const prompt = input.prompt === undefined ? null : quoted(input.prompt, after);
  if (after.length > 0 && prompt === null) throw invalid('--after needs a prompt to send');
  const trusted = isTrusted(input, agent, parts);
  const gate = gateOf(input, config, { workspace: input.cwd, trusted });
  const ask = askPolicy(input, config, env);
  const screen = input.terminal === 'pty' || findOnPath('tmux', env.PATH) === null ? 'pty' : 'tmux';
  const spec: Spec = {
    name: input.name ?? null,
    agent: agent.name,
    drive,
    terminal: isLive ? liveTerminal(input.terminal ?? screen) : 'pipe',
    workspace: input.cwd,
    argv: [],
    size: { columns: input.columns ?? LIMITS.columns, rows: input.rows ?? LIMITS.rows },
    stdin: 'open',
    split: !isLive,
    background: input.background,
    notify: input.notify,
    keepOpen: input.keepOpen,
    conversation: {
      ...conversationSpec(input, parts, over),
      trusted,
      after: after.map(({ id }) => id),
      screen,
      ...gate.spec,
    },
    policy: { ...agentPolicy(input, config), ...ask.policy, ...runPolicy(input, config), ...deferPolicy(agent) },
  };
  const warnings = [
    ...missingOf(agent, input, env, after.length > 0),
    ...warningsOf(agent, spec, env, parts.uid),
    ...gate.warnings,
    ...ask.warnings,
  ];
  for (const why of settingsRefusals(agent, env)) throw invalid(why);
  return { spec, prompt, warnings };
}

/** The conversation that is begun, forked or taken over, and how its agent is run. */
function conversationSpec(input: StartInput, parts: AgentStartParts, over: TakeOver | null) {
  const { config } = parts;
  const agent = knownAgent(parts.agents, input.agent || config.agent || DEFAULT_AGENT);
  return {
    ...choiceOf(agent, over),
    forkOf: input.fork === undefined ? null : conversationOf(parts, input.fork, agent),
    model: input.model === undefined ? null : modelOf(input.model, agent, parts),
    ...(input.thinking === undefined ? {} : { thinking: thinkingOf(input.thinking, agent) }),
    ...(over === null ? {} : modeIn(over)),
    args: input.agentArgs,
    envNames: [...input.envNames, ...Object.keys(input.set)],
  };
}

function modeIn({ mode, modeWord }: TakeOver): Pick<ConversationSpec, 'mode'> & { modeWord?: string } {
  return { mode, ...(modeWord === null ? {} : { modeWord }) };
}

/** Who chooses the id of a conversation, and the id if that is us. */
export function choiceOf({ program }: KnownAgent, over: TakeOver | null): ConversationChoice {
  if (over === null && program.idsChosenBy === 'agent') return { chosenBy: 'agent', id: null };
  return { chosenBy: 'us', id: (over?.conversation ?? randomUUID()) as ConversationId };
}

/** Whether the agent may use settings in the folder itself. */
function isTrusted(input: StartInput, agent: KnownAgent, { config, nowMs }: AgentStartParts): boolean {
  const place = { state: config.state, workspace: input.cwd, ownFiles: agent.program.ownFiles, nowMs };
  return trustOf({ ...place, says: input.trust, asks: driveIn(agent, input) === 'live' }).trusted;
}

/** An agent that cannot defer a call keeps its process while it waits. */
function deferPolicy({ gate }: KnownAgent): { deferMs?: number } {
  return gate?.asks === 'hooks' && gate.defers !== true ? { deferMs: Number.MAX_SAFE_INTEGER } : {};
}

/** The limits of one run. */
function runPolicy(input: StartInput, config: Config) {
  return {
    runMsMax: input.timeoutMs ?? null,
    graceMs: input.graceMs ?? config.graceMs,
    outputBytesMax: input.outputBytesMax ?? config.outputBytesMax,
  };
}

function checkArgs(agents: AgentStartParts['agents'], agent: KnownAgent, input: StartInput, isGated: boolean): void {
  const refused = agent.program.refusals(input.agentArgs, isGated);
  if (refused.length > 0) throw invalid(`cannot pass on to ${agent.name}: ${refused.join('; ')}`);
  const how = driveIn(agent, input);
  const drive = driveOf(agent, how);
  const { prompt, images } = input;
  if (prompt !== undefined) checkPrompt(drive, prompt, input.asCommand);
  if (images.length > 0 && prompt === undefined) throw invalid('images go with a prompt; add one');
  checkImages(agents, { agent: agent.name, drive: how }, images, prompt !== undefined && drive.isCommand(prompt));
  if (input.split) throw invalid('--split is for commands');
}

/** The drive of a session. A caller that names a terminal wants the agent's own screen. */
export function driveIn(agent: Agent, { drive, tui, terminal }: Pick<StartInput, 'drive' | 'tui' | 'terminal'>) {
  return driveFor(agent, drive, tui || terminal !== undefined);
}

function liveTerminal(terminal: TerminalKind): TerminalKind {
  if (terminal === 'pipe') throw invalid('a live agent needs a screen: --tmux or --pty');
  return terminal;
}

/** Checks a thinking level: agents silently ignore an unknown one. */
export function thinkingOf(word: string, { name, program: { thinking = [] } }: KnownAgent): string {
  const level = thinking.find((each) => each === word.trim().toLowerCase());
  if (level !== undefined) return level;
  if (thinking.length === 0) throw invalid(`${name} has no thinking levels; leave out --thinking`);
  throw invalid(`there is no thinking level "${word}"; use one of: ${thinking.join(', ')}`);
}

function agentSession({ find }: AgentStartParts, word: string, flag: string): Row {
  const row = find(word);
  if (row.session.spec.drive === 'command') throw invalid(`${flag}: ${word} is a command, not an agent`);
  return row;
}

function conversationOf(parts: AgentStartParts, word: string, { name, fork }: KnownAgent): ConversationId {
  const { session } = agentSession(parts, word, '--fork');
  if (session.spec.agent !== name)
    throw invalid(`--fork: ${word} is a session of ${session.spec.agent}, not of ${name}`);
  if (fork === undefined) throw invalid(`--fork: ${name} cannot copy a conversation`);
  const { id } = session.conversation;
  if (id === null || session.turn.last === null) throw invalid(`--fork: ${word} has no conversation yet`);
  return id;
}

/** Replaces names in quotes by ids, because a name may be given to another session later. */
function quoted(text: string, after: readonly { readonly word: string; readonly id: SessionId }[]): string {
  // Without --after the braces are literal text.
  if (after.length === 0) return text;
  return text.replaceAll(/\{\{\s*([^\s{}.]+)\.reply\s*\}\}/g, (_, word: string) => {
    const known = after.find((one) => one.word === word || one.id === word);
    if (known === undefined) throw invalid(`the prompt quotes the reply of "${word}": add --after ${word}`);
    return `{{${known.id}.reply}}`;
  });
}

/** Why an agent's program is missing; an agent that starts later may have it by then. */
export function missingOf(
  { name, program }: KnownAgent,
  { agentArgs: [given = ''] }: Pick<StartInput, 'agentArgs'>,
  { PATH }: Readonly<Record<string, string>>,
  isLater: boolean,
): string[] {
  const found = program.isGiven ? { ...program, name: given } : program;
  if (programOf(found, PATH ?? '') !== null) return [];
  const text = `there is no ${program.isGiven ? given : name} on your PATH. ${program.install}`;
  if (isLater) return [text];
  throw new OutlastError('agent_missing', text);
}

function warningsOf(
  { name, program }: KnownAgent,
  spec: Spec,
  env: Readonly<Record<string, string>>,
  uid: number,
): string[] {
  const { gate, mode: own = 'none' } = spec.conversation ?? {};
  if (gate?.mode === 'gate') return [gatedText(name)];
  // A resumed conversation keeps its rights.
  if (own !== 'none') return [];
  const said = gate?.mode === 'watch' ? watchedText(name, spec.policy) : ungatedText(name);
  const asRoot = uid === 0 ? ['as root, that is anything on this machine'] : [];
  return [[said, ...asRoot, ...(uid === 0 ? rootText(program, env) : [])].join('; ')];
}

function rootText({ environment: { asRoot } }: KnownAgent['program'], env: Readonly<Record<string, string>>): string[] {
  return asRoot === undefined || env[asRoot] !== undefined
    ? []
    : [`it may refuse to start as root unless ${asRoot} is set`];
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
