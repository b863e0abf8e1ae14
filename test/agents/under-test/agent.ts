import type { Manners } from '../../../src/agent/claude/stand-in/manners.ts';
import type { Capability } from '../../../src/agent/seam/capabilities.ts';
import type { Says } from '../../../src/agent/seam/gate-openers.ts';
import type { GoldenSet } from '../../../src/testing/agent-suite.ts';
import type { ModelServer } from '../../e2e-real/model-server.ts';
import type { Refusal, RefusalReason } from '../model-proxy.ts';
import type { Need } from './needs.ts';

/** One step of a turn; every agent translates it into its own kind of prompt. */
export type TurnStep =
  /**
   * delayMs: before the first byte. pace: time between two pieces of the text. held: the model holds it back until it
   * is told to go on, as a whole or from the middle of a paced text on; but not from another process.
   */
  | { readonly say: string; readonly delayMs?: number; readonly pace?: number; readonly held?: 'whole' | 'half' }
  /** A shell command. before: the text before it. held: as above. */
  | { readonly run: string; readonly before?: string; readonly held?: 'whole' }
  /** A shell command that runs until this file is there. */
  | { readonly until: string }
  /** Shell commands that run in parallel. */
  | { readonly together: readonly string[] }
  /** The model fails with this status, and so does the turn. As the last step it fails every retry too. */
  | { readonly fail: 400 | 404 }
  /** The API is overloaded, for this number of requests. */
  | { readonly overloaded: number }
  /** The model only keeps the connection open, for this number of requests. */
  | { readonly pings: number }
  /** The model sends nothing until the turn is interrupted. */
  | { readonly silent: true };

/** How an agent is installed for a stage. */
export interface InstallOptions {
  /** Whether the workspace is trusted in the agent's own settings. */
  readonly isTrusted: boolean;
  /** The URL of its scripted model; null: it has none. */
  readonly model: string | null;
}

/** The conversation of a turn without Outlast. An agent that chooses its own id ignores the one of a new one. */
export type ByHand = { readonly is: 'new' | 'resume'; readonly id: string };

/** Texts in a transcript that show how far a turn got. */
export interface TranscriptMarks {
  /** A tool was called. */
  readonly called: string;
  /** A tool has returned. */
  readonly returned: string;
  /** A turn was answered. */
  readonly ended: string;
  /** A turn failed. */
  readonly failed: string;
}

/** A message of the model in a transcript. */
export interface WrittenMessage {
  readonly id: string;
  readonly tokens: number;
}

/** Attempts to get round the gate of an agent. What they run of their own writes into the file `made`. */
export interface GateOpeners {
  /** Writes files of the user and of the workspace that allow everything. */
  write(root: string): void;
  /** The settings of the user, which a gated run must not change. */
  settings(root: string): string;
  /** A program that answers the open question of the run `{"run": FOLDER}`, its argument. Absent: only Outlast can. */
  otherClient?(says: Says): string;
}

/** What the screen of an agent asks a person before it can be used, and the keys of an answer. */
export interface ScreenQuestion {
  readonly shows: string;
  readonly keys: string;
}

/** Texts on the screen of an agent. */
export interface ScreenWords {
  /** Shown while a turn runs. */
  readonly busy: string;
  /** Shown while it waits for a prompt. */
  readonly ready: string;
  /** The command that exits it. */
  readonly quit: string;
  readonly asks?: readonly ScreenQuestion[];
  /** Matches the row of its input box with this text. */
  box(text: string): RegExp;
}

/**
 * An agent that runs the stories: how it is installed and scripted, and how its transcripts are read. It answers a
 * prompt without steps with `You said: ` and the text.
 */
export interface AgentUnderTest {
  /** Its name in test titles. */
  readonly title: string;
  /** Its name in Outlast. */
  readonly name: string;
  /** Null: it is part of Outlast. */
  readonly version: string | null;
  readonly cases: GoldenSet;
  /** What it lacks in addition to `src/agent/support.ts`, and why. */
  readonly lacks: Readonly<Partial<Record<Need, string>>>;
  /** The drive of its long-running process. */
  readonly stays: Extract<Capability, 'live' | 'server'>;
  /** The stories of every test run, if they differ from the family's choice. The others run in campaigns. */
  readonly quick?: readonly string[];
  readonly storyMsMax: number;
  /** Whether it can be installed here. */
  isHere(): boolean;
  /** Installs it into a folder that has `workspace`, `config`, `home` and `bin`. */
  install(root: string, options: InstallOptions): void;
  /** The environment of its caller. `model`: the URL of its scripted model; it replaces the one of the installation. */
  environment(root: string, model: string | null): Record<string, string>;
  /** Null: it has no model. */
  startModel(): Promise<ModelServer> | null;
  /** Changes how it behaves from its next process on, if it misbehaves on command. */
  setFaults(root: string, faults: Partial<Manners>): void;
  /** The command line that starts it without Outlast. */
  argv(root: string): readonly [string, ...string[]];
  /** The arguments for one turn without Outlast, with the prompt on standard input. */
  turnByHand(conversation: ByHand): readonly string[];
  /** The id in the output of such a turn, or in its store; null: none so far. Absent: the agent accepts ours. */
  printedId?(output: string, root: string): string | null;
  /** Absent: none are known. */
  readonly gateOpeners?: GateOpeners;
  /** How the API of its model refuses. */
  refusal(reason: RefusalReason): Refusal;
  /** The environment of an account with usage limits, from the one of its caller. */
  subscribed(env: Record<string, string>): Record<string, string>;
  /** The path of a request to its model. */
  readonly modelPath: string;
  /** The model that it uses by default. */
  readonly model: string;
  /** The model for prompts with images, whose images are encoded again. Absent: any, and they reach it unchanged. */
  readonly seeing?: string;
  /** A prompt that makes it play these steps in one turn. */
  prompt(steps: readonly TurnStep[]): string;
  /** The name of its shell tool. */
  readonly shell: string;
  /** Texts that are commands of the agent, not prompts. */
  readonly commands: readonly string[];
  readonly screen: ScreenWords;
  /** A typed text as it appears in its transcript. */
  typed(text: string): string;
  /** The transcript files of this conversation; without one, of all conversations. */
  files(root: string, conversation: string | null): string[];
  /** The prompts in its transcripts, oldest first, read without Outlast's own reader. */
  received(root: string, conversation: string | null): string[];
  /** The prompts that the last reply of a transcript follows, oldest first. */
  thread(path: string): string[];
  readonly marks: TranscriptMarks;
  /** The messages of the model in a transcript. */
  messages(path: string): WrittenMessage[];
  /** Whether a call of this conversation runs, by its transcripts. Absent: it reports every call when it begins. */
  isCalling?(root: string, conversation: string | null): boolean;
  /** Whether a transcript has this text as a reply. */
  hasSaid(root: string, text: string): boolean;
}
