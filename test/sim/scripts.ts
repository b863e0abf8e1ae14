// The scripts of the simulator's stories. Each is played once without faults, then with the supervisor killed or the
// power cut at every crash point, at every pair of points, and at random ones.
import { person } from '../../src/core/actor.ts';
import type { EventBody, Input } from '../../src/core/event.ts';
import { COMMAND } from '../../src/core/policy.ts';
import type { ConversationSpec, Outcome, Spec } from '../../src/core/session.ts';
import type { AfterSnapshot } from '../../src/core/snapshot.ts';
import { CONVERSATION } from '../../src/testing/sessions.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';
import type { WireKind } from './server-adapter.ts';
import type { TurnOutcome } from './turn-outcomes.ts';

/** What triggers an input or an action: an event in the journal, or the agent's screen. */
export interface Trigger {
  readonly after: EventBody['type'] | 'drawn';
  /** Which of these events; the first by default. */
  readonly nth?: number;
  readonly ms?: number;
}

/** What a person does at the terminal. Without ms: at once, before the supervisor does anything else. */
export interface PersonAction extends Trigger {
  readonly does:
    | 'attach'
    | 'detach'
    | 'draft'
    | 'erase'
    | 'escape'
    | 'exit'
    | 'kill'
    /** The terminal dies, and the agent exits with 0. */
    | 'hangup'
    | 'prompt'
    | 'dialog'
    | 'answer'
    /** Denies the call in the dialog about a tool. */
    | 'deny'
    | Elsewhere
    | Loss;
}

/** Another process opens the conversation, and closes it after a turn of its own. */
export type Elsewhere = 'openElsewhere' | 'closeElsewhere';

/** The transcript is deleted; the workspace is gone, or is back. */
export type Loss = 'deleteTranscript' | 'unmount' | 'mount';

/** An input of a caller, and when it is submitted. */
export type TimedInput = ({ readonly atMs: number } | Trigger) & { readonly input: Input };

/** How a prompt may end; none: the session ended first. */
export type PromptEnd = 'answered' | 'failed' | 'interrupted' | 'dropped' | 'none';

/** The one thing that goes wrong in a story by itself, besides the injected faults. It happens once. */
export type Glitch =
  /** The process dies in its first turn. */
  | 'crash'
  /** The process dies in its first call, before the agent has written down that it received a prompt. */
  | 'crashUnwritten'
  /** The process dies right after its reply, and its Stop hook is lost. */
  | 'crashAfterReply'
  /** The process dies right after its tool has ended. */
  | 'crashAfterTool'
  /** The hook has read the staged updates, and the agent dies before it receives them. */
  | 'crashAfterTake'
  | 'hang'
  | 'swallowedEnter'
  /** The first three Enters are swallowed. */
  | 'swallowedEnters'
  /** The process dies and leaves a child process behind. */
  | 'orphan'
  /** The output of the run is cut off. */
  | 'cut'
  /** The agent ignores the first prompt. */
  | 'deaf'
  /** The first turn fails. */
  | 'fails'
  /** The program does not exist. */
  | 'missing'
  /** The first Stop hook is lost. */
  | 'lostStop'
  /** The process does not exit after its reply. */
  | 'doesNotExit'
  /** The hook that reports the first prompt is lost. */
  | 'lostPrompted'
  /** The daemon sends not one byte of the first prompt. */
  | 'unsent'
  /** The connection is lost after the first prompt, while both sides are alive. */
  | 'disconnected'
  | Unnamed;

/**
 * The first process ends before it reports the id of its conversation: before it receives the prompt, in the turn, or
 * with the reply in the transcript.
 */
export type Unnamed = 'unnamedDeaf' | 'unnamedCrash' | 'unnamedAnswer';

export interface Script {
  readonly name: string;
  readonly spec: Spec;
  readonly glitch?: Glitch;
  /** The wire of an agent that is driven by messages; missing: it is not. */
  readonly wire?: WireKind;
  /** The agent sends unknown requests, stray answers, and messages that cannot be parsed. */
  readonly sendsUnknown?: boolean;
  /** The agent numbers its questions from one for each connection. */
  readonly numbersQuestions?: boolean;
  /**
   * The agent chooses the id of its conversation. What a search for it finds at first, and for how long. inOutput: the
   * output of the run contains the reply.
   */
  readonly ownIds?: { readonly first?: 'several' | 'unknown'; readonly ms?: number; readonly inOutput?: true };
  /** The agent has no transcript that can be read. */
  readonly unrecorded?: boolean;
  /** The outcome of each turn that a prompt of the daemon starts; forever: the last one repeats. */
  readonly turnOutcomes?: readonly TurnOutcome[];
  readonly forever?: boolean;
  /** What another session of the account has met, and for how long. */
  readonly account?: {
    readonly is: 'limited' | 'failed' | 'probing';
    readonly ms: number;
    /** When another session gets a reply. */
    readonly answeredMs?: number;
  };
  /** How long the machine sleeps while the session is limited. */
  readonly sleepMs?: number;
  /** The number of resumes of other sessions on the host. */
  readonly hostResumes?: number;
  /** Every turn uses ten tokens and half a dollar. */
  readonly usesTokens?: boolean;
  /** Runs that are gone ended in a planned restart. */
  readonly planned?: boolean;
  /** The kernel killed what ends with a bad status, for its memory. */
  readonly oom?: boolean;
  /** The agent reports the start and the end of its tool calls. */
  readonly tool?: boolean;
  /** How long a sub-agent keeps working after each turn. */
  readonly subagentMs?: number;
  /** A child process of the agent uses the CPU. */
  readonly computing?: boolean;
  /** The fault and the bound with which the session is abandoned. */
  readonly abandonedWith?: RegExp;
  /** Patterns that prompts must match, by token, in a history without injected faults. */
  readonly promptPatterns?: Readonly<Record<string, RegExp>>;
  /** Every hook reports twice. */
  readonly hooksReportTwice?: boolean;
  /** Nobody decides the approval: it must time out as a denial. */
  readonly nobodyAnswers?: boolean;
  /** The agent asks about its call, and makes it without waiting for the decision. */
  readonly doesNotWait?: boolean;
  /** The agent shows a dialog about its call, while one of its hooks waits for the decision. */
  readonly asksOnScreen?: boolean;
  /**
   * Calls are deferred. waiting: they are decided after the process has exited. told: they are decided while the hook
   * is being told to defer. never: calls with this prefix are never decided.
   */
  readonly defers?: { readonly decide: 'waiting' | 'told'; readonly never?: string };
  /**
   * The agent waits half a second for an answer, and then goes on without the call. over: its question is decided after
   * the turn. during: at once. again: when it asks again. ignores: it does not make the call that was allowed.
   */
  readonly postpones?: {
    readonly decide: 'over' | 'during' | 'again';
    readonly allow?: boolean;
    readonly ignores?: boolean;
  };
  /** When the agent accepts a prompt that was typed; later than acceptMsMax in one story. */
  readonly acceptMs?: number;
  /** How long its tool runs. */
  readonly workMs?: number;
  /** Its hooks deliver no updates, as those of an older version. */
  readonly deliversNoUpdates?: boolean;
  /** How long the agent works after the hook of its tool. */
  readonly afterMs?: number;
  readonly slowStart?: boolean;
  /** How long a look takes. What happens during it was not ingested before it. */
  readonly lookMs?: number;
  /** How far the transcript lags behind. */
  readonly lagMs?: number;
  /** The agent shows a trust dialog, which a person confirms after this time. */
  readonly trustMs?: number;
  readonly personActions?: readonly PersonAction[];
  /** After the first of these events the journal is restored, and another supervisor starts on it. */
  readonly restoredAfter?: EventBody['type'];
  /** There is no free slot when the session is created. */
  readonly queued?: boolean;
  /** The command runs until it is stopped. */
  readonly runsForever?: boolean;
  /** The command leaves a child process behind. */
  readonly leavesChild?: boolean;
  readonly inputs?: readonly TimedInput[];
  /** The result of the sessions that this one follows, and when it is known. */
  readonly follows?: { readonly ms: number; readonly snapshot: AfterSnapshot };
  /** The text with which each prompt must be sent, where it is not the submitted one. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The outcome without injected faults, then the other outcomes that are allowed with them. */
  readonly ends: readonly [Outcome['kind'], ...Outcome['kind'][]];
  /** How each prompt ends without injected faults, then how else it may end with them. */
  readonly prompts?: Readonly<Record<string, readonly [PromptEnd, ...PromptEnd[]]>>;
  /**
   * A reply may be attributed to the wrong prompt: no hook reported the end of a turn, and the next one started before
   * a look. A snapshot of the transcript shows the last turn only, so the two cannot be told apart.
   */
  readonly mayMixReplies?: boolean;
  /** Events that a history without injected faults must contain, in this order. */
  readonly expectedEvents?: readonly EventBody['type'][];
  /** Events that a history without injected faults must not contain. */
  readonly forbiddenEvents?: readonly EventBody['type'][];
}

/** A story of an agent that is driven by messages. Default: the spec `server`. */
export type ServerScript = Omit<Script, 'name' | 'spec'> & { readonly spec?: Spec };

export const policy = {
  ...COMMAND,
  startMsMax: 1_000,
  acceptMsMax: 200,
  silenceMsMax: 5_000,
  approvalMsMax: 3_000,
  resumesMax: 12,
  interruptMsMax: 1_000,
  backoffMsMin: 100,
  backoffMsMax: 1_000,
};

export const command: Spec = { ...COMMAND_SPEC, name: 'sim', policy: { ...policy, resumesMax: 0 } };
/** Behind a gate: the agent asks before it uses a tool. */
export const conversation: ConversationSpec = { ...CONVERSATION, gate: { mode: 'gate', rules: {} } };
export const live: Spec = {
  ...command,
  agent: 'fake',
  drive: 'live',
  terminal: 'tmux',
  argv: [],
  conversation,
  policy,
};
export const turns: Spec = { ...live, drive: 'turns', terminal: 'pipe' };
/** A spec whose agent chooses the id of its conversation. */
export const ownIds = (spec: Spec): Spec => ({
  ...spec,
  conversation: { ...conversation, chosenBy: 'agent', id: null },
});
export const server: Spec = ownIds({ ...turns, drive: 'server' });
export const stop: Input = { type: 'stop', by: person('ana') };
