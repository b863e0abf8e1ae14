import type { Manners } from '../../../src/agent/claude/stand-in/manners.ts';
import type { Capability } from '../../../src/agent/seam/capabilities.ts';
import type { GoldenSet } from '../../../src/testing/agent-suite.ts';
import type { ModelServer } from '../../e2e-real/model-server.ts';
import type { Need } from './needs.ts';

/** One thing that an agent does in a turn, in words that every agent is given in its own way. */
export type TurnStep =
  | { readonly say: string }
  /** A shell command. before: what it says first. */
  | { readonly run: string; readonly before?: string }
  /** A shell command that runs until this file is there. */
  | { readonly until: string }
  /** The model fails with this status, and the turn with it. A failure that nothing follows stays. */
  | { readonly fail: 400 | 404 }
  /** Nothing at all comes from the model until the turn is interrupted. */
  | { readonly silent: true };

/** How an agent comes to a stage. */
export interface InstallOptions {
  /** Has a person said in the agent itself that the workspace is trusted? */
  readonly isTrusted: boolean;
}

/** What a person sees on the screen of an agent. */
export interface ScreenWords {
  /** It is at work. */
  readonly busy: string;
  /** It waits for a prompt. */
  readonly ready: string;
  /** What a person types to leave it. */
  readonly quit: string;
  /** This text is in its input box. */
  box(text: string): RegExp;
}

/**
 * An agent that plays the stories: how it is installed, scripted and asked what it received. A prompt that carries no
 * steps it answers with `You said: ` and the text.
 */
export interface AgentUnderTest {
  /** What it is called in the tests. */
  readonly title: string;
  /** What Outlast calls it. */
  readonly name: string;
  /** Null: it is part of Outlast. */
  readonly version: string | null;
  readonly cases: GoldenSet;
  /** What it lacks besides what `src/agent/support.ts` says, and why. */
  readonly lacks: Readonly<Partial<Record<Need, string>>>;
  /** How a process of it that stays is run. */
  readonly stays: Extract<Capability, 'live' | 'server'>;
  /** The stories of every run, if they are not those of the family. The others are for campaigns. */
  readonly quick?: readonly string[];
  readonly storyMsMax: number;
  /** Can it be installed here? */
  isHere(): boolean;
  /** Installs it into a folder that has `workspace`, `config`, `home` and `bin`. */
  install(root: string, options: InstallOptions): void;
  /** What its caller has around it. `model`: where its scripted model listens. */
  environment(root: string, model: string | null): Record<string, string>;
  /** Null: it has no model. */
  startModel(): Promise<ModelServer> | null;
  /** Changes how it behaves from its next process on, if it misbehaves on command. */
  behave(root: string, manners: Partial<Manners>): void;
  /** The words that start it without Outlast. */
  argv(root: string): readonly [string, ...string[]];
  /** A prompt that makes it do this in one turn. */
  prompt(steps: readonly TurnStep[]): string;
  /** What its tool for shell commands is called. */
  readonly shell: string;
  /** Texts that it takes for a command of its own, so that they are no prompt. */
  readonly commands: readonly string[];
  readonly screen: ScreenWords;
  /** A text as it writes it down when it was typed. */
  typed(text: string): string;
  /** The files in which it wrote this conversation down; without one, all. */
  files(root: string, conversation: string | null): string[];
  /** The prompts that it wrote down, oldest first, read without the product's own reader. */
  received(root: string, conversation: string | null): string[];
  /** Did it write this down as what it said? */
  hasSaid(root: string, text: string): boolean;
}
