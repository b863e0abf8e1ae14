import type { Owner, SpawnLimits } from './ownership.ts';
import type { RuleTexts } from './rules/rules.ts';
import type { ConversationId, SessionId, TerminalKind } from './session.ts';

/** What the caller asked for. Frozen when the session is created. */
export interface Spec {
  readonly name: string | null;
  readonly agent: string;
  /**
   * command: one run, its exit is the result. turns: a run per prompt. live: one long run that prompts are typed into.
   * server: one long run that is spoken to in messages; who asks for live gets it where the agent can do it.
   */
  readonly drive: 'command' | 'turns' | 'live' | 'server';
  readonly terminal: TerminalKind;
  readonly workspace: string;
  /** What a command session runs. Empty for agents: they make their own. */
  readonly argv: readonly string[];
  readonly size: Size;
  readonly stdin: 'open' | 'empty';
  readonly split: boolean;
  /** Nobody waits for it: it is announced when it ends. */
  readonly background: boolean;
  readonly notify: Notify;
  /** Stays idle when no prompt is left, instead of ending. */
  readonly keepOpen: boolean;
  /** What a coding agent needs besides; a command has none. */
  readonly conversation?: ConversationSpec;
  readonly policy: Policy;
  /** The session that started it; missing: somebody else did. */
  readonly owner?: Owner;
  /** How far it may go in starting others; missing: as the config says. */
  readonly spawn?: SpawnLimits;
}

/** Does its process stay between turns? */
export function isLongLived({ drive }: Spec): boolean {
  return drive === 'live' || drive === 'server';
}

/** Which conversation an agent shall have, and of what kind. */
export type ConversationSpec = ConversationChoice & ConversationWishes;

/**
 * Who chooses the id of the conversation. Ours is known before anything is started, so that the conversation can be
 * found whatever happens; the agent's own is known when it says so. Missing means us: an earlier version wrote nothing.
 */
export type ConversationChoice =
  | { readonly chosenBy?: 'us'; readonly id: ConversationId }
  | { readonly chosenBy: 'agent'; readonly id: null };

/** What kind of conversation it shall be. */
export interface ConversationWishes {
  readonly forkOf: ConversationId | null;
  /** A full id, or null for the agent's own choice. */
  readonly model: string | null;
  /** A level that the agent knows; missing: its own choice. */
  readonly thinking?: string;
  /** Who decides about its tools, where a conversation had that before it was ours; missing: nobody is asked. */
  readonly mode?: PermissionMode;
  /** The caller's own arguments for the agent, kept on every run. */
  readonly args: readonly string[];
  /** Names of the caller's variables that pass besides the usual ones. */
  readonly envNames: readonly string[];
  /** The caller's word that the agent may do there what the folder's own settings say. */
  readonly trusted: boolean;
  /** Nothing is sent before these sessions have answered. */
  readonly after: readonly SessionId[];
  /** Where a person sees it when its own runs have no screen. */
  readonly screen: Exclude<TerminalKind, 'pipe'>;
  /** Missing: tool calls are recorded, and nobody is asked about them. */
  readonly gate?: Gate;
}

/** Who decides whether a tool may be used. */
export interface Gate {
  /** watch: a call is shown for a while and then goes through. gate: nothing runs without a recorded yes. */
  readonly mode: 'watch' | 'gate';
  /** The session's own rules, besides those of the host. */
  readonly rules: RuleTexts;
}

/**
 * Who decides whether a tool may run. ask-all: a person. deny-unlisted: what nobody listed is refused. edits: a person,
 * but for changes to files. plan: nothing is changed. auto: the agent's own judgement. none: everything may.
 */
export type PermissionMode = 'ask-all' | 'deny-unlisted' | 'edits' | 'plan' | 'auto' | 'none';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** never: not announced. output: a success without output is not announced. always: it is. */
export type Notify = 'never' | 'output' | 'always';

/** Every wait in the product is one of these numbers. Steady milliseconds. */
export interface Policy {
  /** How long a run may take; null: for ever. */
  readonly runMsMax: number | null;
  /** From the request to end to the end by force. */
  readonly graceMs: number;
  readonly startMsMax: number;
  readonly acceptMsMax: number;
  readonly silenceMsMax: number;
  /** How long a command may print nothing before it is stopped; null or missing: as long as it likes. */
  readonly quietMsMax?: number | null;
  /** How long a question about a tool call waits for an answer; null: as long as it takes. */
  readonly approvalMsMax: number | null;
  /** In turns, a question that may wait as long as it takes keeps a process for so long. */
  readonly deferMs?: number;
  /** After faults, over the whole life of the session. A finished turn does not set it back. */
  readonly resumesMax: number;
  /** Resumes allowed within `resumesWindowMs`: an agent that keeps dying is given up sooner. */
  readonly resumesWindowMax?: number;
  readonly resumesWindowMs?: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  /** What is kept of the output of a run. */
  readonly outputBytesMax: number;
  /** Awake time for the whole session; null: none. */
  readonly deadlineMsMax?: number | null;
  /** A turn without a tool at work that gets on with nothing for so long hangs. */
  readonly thinkMsMax?: number;
  /** A turn with a tool at work that makes no progress for so long hangs. */
  readonly toolMsMax?: number;
  /** From the interrupt of a turn that hangs to the end of its process. */
  readonly interruptMsMax?: number;
  /** What happens at a usage limit. */
  readonly onLimit?: 'wait' | 'stop' | 'ask';
  readonly budget?: Budget;
  /** What all processes of a run may use together; null: as much as there is. */
  readonly memoryBytesMax?: number | null;
}

/** What a session may use up before a person is asked. Null: no bound. */
export interface Budget {
  readonly turns: number | null;
  readonly tokens: number | null;
  readonly usd: number | null;
}
