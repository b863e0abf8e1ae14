import { person } from '../../src/core/actor.ts';
// The stories the simulator tells. Each is told once undisturbed, then with the supervisor killed or the power cut
// at every point, at every pair of points, and at random ones.
import type { EventBody, Input } from '../../src/core/event.ts';
import { COMMAND } from '../../src/core/policy.ts';
import type { ConversationSpec, Outcome, Spec } from '../../src/core/session.ts';
import type { AfterSnapshot } from '../../src/core/snapshot.ts';
import { CONVERSATION } from '../../src/testing/sessions.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';
import type { Lot } from './lots.ts';
import type { WireKind } from './server-adapter.ts';

/** Something a caller or a person waits for: an event in the journal, or the agent's screen. */
export interface When {
  readonly after: EventBody['type'] | 'drawn';
  /** The first one, unless told otherwise. */
  readonly nth?: number;
  readonly ms?: number;
}

/** What a person does at the terminal. With ms 0: at the very moment, before the supervisor does anything else. */
export interface Deed extends When {
  readonly does:
    | 'attach'
    | 'leave'
    | 'draft'
    | 'erase'
    | 'escape'
    | 'exit'
    | 'kill'
    /** Its terminal dies, and it leaves with 0. */
    | 'hangup'
    | 'prompt'
    | 'dialog'
    | 'answer'
    /** Says no in the dialog about a tool. */
    | 'deny'
    | Elsewhere
    | Loss;
}

/** Another process opens the conversation, and leaves it with a turn of its own. */
export type Elsewhere = 'open' | 'shut';

/** The agent's own file is deleted; the folder it works in is gone, or is back. */
export type Loss = 'lose' | 'unmount' | 'mount';

/** What a caller wants, and when. */
export type Wish = ({ readonly atMs: number } | When) & { readonly input: Input };

/** How a prompt may end; none: it was not over when the session was. */
export type End = 'answered' | 'failed' | 'interrupted' | 'dropped' | 'none';

export type Trouble =
  | 'crash'
  | 'crashAfterReply'
  /** The hook has taken the staged updates; the agent dies before it receives them. */
  | 'crashAfterTake'
  | 'hang'
  | 'swallowedEnter'
  /** The first three of them. */
  | 'swallowedEnters'
  | 'orphan'
  | 'cut'
  | 'deaf'
  | 'fails'
  | 'missing'
  | 'lostStop'
  | 'stays'
  | 'lostPrompted'
  /** Not one byte of the first prompt leaves us. */
  | 'unsent'
  /** The connection is lost after the first prompt, and both sides live. */
  | 'disconnected'
  | Unnamed;

/**
 * Its first process ends before it names its conversation: before it hears the prompt, in the turn, or with the answer
 * written down.
 */
export type Unnamed = 'unnamedDeaf' | 'unnamedCrash' | 'unnamedAnswer';

export interface Script {
  readonly name: string;
  readonly spec: Spec;
  readonly trouble?: Trouble;
  /** How the agent is driven by messages; missing: it is not. */
  readonly wire?: WireKind;
  /** It sends unknown requests, stray answers, and messages that cannot be parsed. */
  readonly strange?: boolean;
  /** It numbers its questions from one for each connection. */
  readonly counts?: boolean;
  /**
   * It chooses the id of its conversation. What a search for that says at first, and for how long. said:
   * its output tells of its answer.
   */
  readonly ownIds?: { readonly first?: 'several' | 'unknown'; readonly ms?: number; readonly said?: true };
  /** Nobody can read what the agent writes down. */
  readonly unrecorded?: boolean;
  /** What becomes of each turn of ours; forever: of all others as of the last. */
  readonly lots?: readonly Lot[];
  readonly forever?: boolean;
  /** The trouble of another session of its account, and its duration. */
  readonly account?: {
    readonly is: 'limited' | 'failed' | 'probing';
    readonly ms: number;
    /** When another one gets an answer. */
    readonly answeredMs?: number;
  };
  /** How long the machine sleeps when it is limited. */
  readonly napMs?: number;
  /** Resumes of other sessions on its host. */
  readonly hostResumes?: number;
  /** Every turn uses up ten tokens and half a dollar. */
  readonly uses?: boolean;
  /** Whoever is gone went in a planned restart. */
  readonly planned?: boolean;
  /** What ends with a bad status was ended by the kernel, for its memory. */
  readonly oom?: boolean;
  /** It says that it calls a tool, and that the tool has ended. */
  readonly tool?: boolean;
  /** A sub-agent of it works on for so long after each turn. */
  readonly subagentMs?: number;
  /** What it started uses the processor. */
  readonly computing?: boolean;
  /** The fault and the bound that it is given up with. */
  readonly givenUp?: RegExp;
  /** Patterns that the texts for the agent must match, by token, in an undisturbed history. */
  readonly says?: Readonly<Record<string, RegExp>>;
  /** Every hook reports twice. */
  readonly doubled?: boolean;
  /** Nobody decides the approval; it must time out, as a denial. */
  readonly nobodyAnswers?: boolean;
  /** The agent asks about its call, and makes it without waiting for the answer. */
  readonly rushes?: boolean;
  /** The agent shows a dialog about its call, and one of its hooks waits for the answer meanwhile. */
  readonly onScreen?: boolean;
  /**
   * Questions are put off. waiting: they are decided when there is no process any more. told: while the agent is being
   * told. A question about such calls is never decided.
   */
  readonly defers?: { readonly decide: 'waiting' | 'told'; readonly never?: string };
  /** When the agent takes what was typed; later than acceptMsMax in one story. */
  readonly acceptMs?: number;
  /** How long it works after its tool call. */
  readonly workMs?: number;
  /** Its hooks deliver no updates: its run is older than they are. */
  readonly takesNothing?: boolean;
  /** And after the hook of its tool. */
  readonly afterMs?: number;
  readonly slowStart?: boolean;
  /** How long a look takes: what happens meanwhile happens after what was reported before is ingested. */
  readonly lookMs?: number;
  /** How far the agent's own file is behind. */
  readonly lagMs?: number;
  /** It asks a person for permission, and gets a yes after this time. */
  readonly trustMs?: number;
  readonly deeds?: readonly Deed[];
  /** After the first of these the journal is restored, and another supervisor begins with it. */
  readonly restored?: EventBody['type'];
  /** There is no place for it when it is created. */
  readonly queued?: boolean;
  /** The command runs until it is stopped, or leaves a child behind. */
  readonly never?: boolean;
  readonly leaves?: boolean;
  readonly wishes?: readonly Wish[];
  /** What becomes of the sessions it comes after, and when. */
  readonly comesAfter?: { readonly ms: number; readonly snapshot: AfterSnapshot };
  /** What the agent must be told, by prompt; what was asked for, unless told otherwise. */
  readonly texts?: Readonly<Record<string, string>>;
  /** How it ends undisturbed; then how it may end besides. */
  readonly ends: readonly [Outcome['kind'], ...Outcome['kind'][]];
  /** The same for each prompt. */
  readonly prompts?: Readonly<Record<string, readonly [End, ...End[]]>>;
  /**
   * Nobody told of the end of a turn, and nobody looked while the next was begun: a snapshot of the transcript is about
   * the last turn only, so the two cannot be kept apart.
   */
  readonly mayMix?: boolean;
  /** What an undisturbed history must have in it, in this order. */
  readonly tells?: readonly EventBody['type'][];
  /** What it must not have in it. */
  readonly lacks?: readonly EventBody['type'][];
}

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
/** The same agents, which choose the ids of their conversations. */
export const ownIds = (spec: Spec): Spec => ({
  ...spec,
  conversation: { ...conversation, chosenBy: 'agent', id: null },
});
export const server: Spec = ownIds({ ...turns, drive: 'server' });
export const stop: Input = { type: 'stop', by: person('ana') };
