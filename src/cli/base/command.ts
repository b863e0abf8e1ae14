import type { Clock } from '../../client/clock.ts';
import type { Outlast } from '../../client/index.ts';
import { COLOURS, type Print } from './print.ts';

/** One option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly sentence: string;
  readonly short?: string;
  readonly multiple?: true;
  /** What the value is called in the help. */
  readonly value?: string;
  /** Its value may be omitted, and is empty then: the next word is the value only when it matches this. */
  readonly optional?: RegExp;
  /** The default, for the help. */
  readonly otherwise?: string;
  /** Its earlier name, which is still accepted and not shown. */
  readonly was?: string;
  /** What its value stands for, so that the shell can complete it. */
  readonly completes?: Completes;
}

/** What a word stands for; a list has the words themselves. */
export type Completes =
  | 'agent'
  | 'approval'
  | 'command'
  | 'ended session'
  | 'event'
  | 'live session'
  | 'model'
  | 'session'
  | 'wait'
  | readonly string[];

/** Matches nothing: the value is given after `=` or not at all. */
export const INLINE = /(?!)/;

export type Options = Readonly<Record<string, Option>>;

/** The values of options as the command line gave them. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K]['type'] extends 'boolean'
    ? boolean
    : O[K]['multiple'] extends true
      ? readonly string[]
      : string | undefined;
};

/** What a command gets to run. */
export interface Context<O extends Options = Options> {
  readonly values: Values<O>;
  /** Arguments that are not options. With `rest`, everything from the first one on. */
  readonly words: readonly string[];
  /** Those of the words that are behind `--`. */
  readonly behind: readonly string[];
  readonly json: boolean;
  readonly print: Print;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Connects; with `start: false` a missing daemon is an error. `tell` gets what is otherwise printed on stderr. */
  connect(options?: { start?: boolean; tell?: (text: string) => void }): Outlast;
}

/** One command: its help, its options and arguments, and what it does. `run` returns the exit status. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  /** Its arguments: how many, and what they are. */
  readonly words: { readonly min: number; readonly max: number; readonly are: string };
  /** What an argument stands for, so that the shell can complete it. */
  readonly completes?: Completes;
  /** Options end at the first argument: the rest belongs to the program that is run. */
  readonly rest?: true;
  /** Exit status of our own failures, where it must differ from the command's own statuses. */
  readonly failure?: number;
  readonly options: O;
  readonly examples: readonly (readonly [line: string, sentence: string])[];
  run(context: Context<O>): Promise<number>;
}

/** Every command has these. */
export const COMMON = {
  json: { type: 'boolean', sentence: 'Print JSON, for programs.' },
  color: {
    type: 'string',
    value: 'WHEN',
    sentence: 'Use colours: auto, always or never.',
    otherwise: 'auto',
    was: 'colour',
    completes: COLOURS,
  },
  help: { type: 'boolean', short: 'h', sentence: 'Show this help.' },
} as const satisfies Options;

/** Makes a command whose `run` knows the types of its options; from outside all commands have the same type. */
export function command<const O extends Options>(spec: Command<O>): Command {
  return spec as unknown as Command;
}

/** No arguments. */
export const NO_WORDS = { min: 0, max: 0, are: '' } as const;

/** How an argument names a session. */
export const SESSION = 'S is the name of a session, its id, or the beginning of its id.';

/** Exactly one session. */
export const ONE_SESSION = { min: 1, max: 1, are: SESSION } as const;
