import type { Owner, SpawnLimits } from './ownership.ts';
import type { RuleTexts } from './rules/rules.ts';
import type { ConversationId, SessionId, TerminalKind } from './session.ts';

/** What the caller asked for. Only a switch to another agent changes it: its agent, drive and conversation. */
export interface Spec {
  readonly name: string | null;
  readonly agent: string;
  /**
   * command: one run, its exit is the result. turns: a run per prompt. live: one long run that prompts are typed into.
   * server: one long run that is driven by messages; `live` selects it if the agent supports it.
   */
  readonly drive: 'command' | 'turns' | 'live' | 'server';
  readonly terminal: TerminalKind;
  readonly workspace: string;
  /** What a command session runs. Empty for agents: their adapters make it. */
  readonly argv: readonly string[];
  readonly size: Size;
  readonly stdin: 'open' | 'empty';
  readonly split: boolean;
  /** No caller waits for it: its end is announced. */
  readonly background: boolean;
  readonly notify: Notify;
  /** The shell from which a person started it, and which is told about it; missing: none. */
  readonly shell?: Shell;
  /** Stays idle when no prompt is left, instead of ending. */
  readonly keepOpen: boolean;
  /** What a coding agent needs in addition; a command has none. */
  readonly conversation?: ConversationSpec;
  readonly policy: Policy;
  /** The session that started it; missing: a person or program did. */
  readonly owner?: Owner;
  /** Limits on starting other sessions; missing: those of the config. */
  readonly spawn?: SpawnLimits;
  /** The schedule that started it; missing: none did. */
  readonly schedule?: FromSchedule;
}

/** Identifies a schedule. */
export type ScheduleId = string & { readonly brand: 'ScheduleId' };

/** Which schedule started a session, and for which of its planned times. */
export interface FromSchedule {
  readonly id: ScheduleId;
  readonly name: string | null;
  readonly plannedMs: number;
}

/** An interactive shell that runs our prompt hook. */
export interface Shell {
  /** Its pid and a random number. */
  readonly id: string;
  /** When its process started, as the kernel prints it: a pid alone is reused after a while. */
  readonly start: string;
}

/** Does its process stay between turns? */
export function isLongLived({ drive }: Spec): boolean {
  return drive === 'live' || drive === 'server';
}

/** Which conversation the agent uses, and its settings. */
export type ConversationSpec = ConversationChoice & ConversationWishes;

/**
 * Who chooses the id of the conversation. Ours is known before anything is started, so that the conversation can always
 * be found; the agent's is known when it reports it. Missing means ours: earlier versions did not record it.
 */
export type ConversationChoice =
  | { readonly chosenBy?: 'us'; readonly id: ConversationId }
  | { readonly chosenBy: 'agent'; readonly id: null };

/** The settings of a conversation. */
export interface ConversationWishes {
  readonly forkOf: ConversationId | null;
  /** A full id, or null for the agent's default. */
  readonly model: string | null;
  /** A level that the agent knows; missing: its default. */
  readonly thinking?: string;
  /** The permission mode that a conversation had before it became ours; missing: none. */
  readonly mode?: PermissionMode;
  /** The agent's own word for that mode, passed on unchanged: it may mean none of ours; missing: it had none. */
  readonly modeWord?: string;
  /** The caller's own arguments for the agent, passed to every run. */
  readonly args: readonly string[];
  /** Names of the caller's variables that are passed in addition to the usual ones. */
  readonly envNames: readonly string[];
  /** The caller trusts the folder's own settings. */
  readonly trusted: boolean;
  /** Nothing is sent before these sessions have answered. */
  readonly after: readonly SessionId[];
  /** The terminal for a person's visit, if its own runs have no screen. */
  readonly screen: Exclude<TerminalKind, 'pipe'>;
  /** Missing: tool calls are recorded, without approval. */
  readonly gate?: Gate;
}

/** How tool calls are approved. */
export interface Gate {
  /** watch: a call is shown for a while and then allowed. gate: nothing runs without a recorded approval. */
  readonly mode: 'watch' | 'gate';
  /** The session's own rules, besides those of the host. */
  readonly rules: RuleTexts;
}

/**
 * Who decides whether a tool may run. ask-all: a person. deny-unlisted: what is not listed is denied. edits: a person,
 * except for changes to files. plan: nothing is changed. auto: the agent itself. none: everything is allowed.
 */
export type PermissionMode = 'ask-all' | 'deny-unlisted' | 'edits' | 'plan' | 'auto' | 'none';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** never: not announced. output: a success without output is not announced. always: announced. */
export type Notify = 'never' | 'output' | 'always';

/** Every wait in the product is one of these numbers. Steady milliseconds. */
export interface Policy {
  /** Time limit of a run; null: none. */
  readonly runMsMax: number | null;
  /** Grace period between TERM and KILL. */
  readonly graceMs: number;
  readonly startMsMax: number;
  readonly acceptMsMax: number;
  /** A process that is driven by messages is ended after this much idle time; null or missing: never. */
  readonly idleMsMax?: number | null;
  readonly silenceMsMax: number;
  /** A command that prints nothing for this long is stopped; null or missing: no limit. */
  readonly quietMsMax?: number | null;
  /** How long a question about a tool call waits for an answer; null: no timeout. */
  readonly approvalMsMax: number | null;
  /** In turns, a question without a timeout keeps its process for this long. */
  readonly deferMs?: number;
  /** Automatic resumes after faults, over the whole life of the session. A finished turn does not reset it. */
  readonly resumesMax: number;
  /** Resumes allowed within `resumesWindowMs`: an agent that keeps dying is abandoned sooner. */
  readonly resumesWindowMax?: number;
  readonly resumesWindowMs?: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  /** How much output of a run is kept. */
  readonly outputBytesMax: number;
  /** Time limit for the whole session, without sleep; null: none. */
  readonly deadlineMsMax?: number | null;
  /** A turn without a running tool that makes no progress for this long hangs. */
  readonly thinkMsMax?: number;
  /** A turn with a running tool that makes no progress for this long hangs. */
  readonly toolMsMax?: number;
  /** From the interrupt of a turn that hangs to the end of its process. */
  readonly interruptMsMax?: number;
  /** What happens at a usage limit. */
  readonly onLimit?: OnLimit;
  /** After a switch for a usage limit: the earlier agent takes over again when its limit is over. */
  readonly switchBack?: boolean;
  readonly budget?: Budget;
  /** Memory limit of all processes of a run together; null: none. */
  readonly memoryBytesMax?: number | null;
}

/** switch: the first of these agents that can take over does, otherwise it waits. */
export type OnLimit = 'wait' | 'stop' | 'ask' | `${typeof SWITCH}${string}`;

const SWITCH = 'switch:';

/** The agents that may take over at a usage limit, in this order. */
export function successors({ onLimit = 'wait' }: Pick<Policy, 'onLimit'>): readonly string[] {
  return onLimit.startsWith(SWITCH) ? onLimit.slice(SWITCH.length).split(',') : [];
}

/** What a session may use before a person is asked. Null: no limit. */
export interface Budget {
  readonly turns: number | null;
  readonly tokens: number | null;
  readonly usd: number | null;
}
