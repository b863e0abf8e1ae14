import * as z from 'zod';
import type { Grant } from '../api/grants.ts';
import { type OperationName, ROUTES } from '../api/routes.ts';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import type { Outlast } from '../client/index.ts';
import { withSessionId } from '../compat/session-id.ts';

/** What a tool gets for one call. */
export interface Call {
  readonly outlast: Outlast;
  readonly clock: Clock;
  /** The folder for what it starts, when the caller names none. */
  readonly cwd: string;
  readonly grants: ReadonlySet<Grant>;
  /** Fires when the caller cancels the call, or disconnects. */
  readonly signal: AbortSignal;
  /** How long a call may wait: callers that get no progress reports give up after a minute. */
  readonly waitMsMax: number;
  /** Reports the progress of a wait; it is sent only if the caller asked for it. */
  progress(sofar: { progress: number; total: number; message: string }): void;
}

/** The result of a tool. */
export interface Answer {
  readonly text: string;
  /** The result for programs, sent beside the text. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** One tool: its name, who may call it, its arguments and what it does. */
export interface Tool<S extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** At least one of these is needed. */
  readonly grants: readonly Grant[];
  /** Arguments that need the grant `admin`. */
  readonly reserved?: readonly (keyof S & string)[];
  /** What it does for its caller. That a tool marks what was read as read is not listed. */
  readonly operations: readonly OperationName[];
  /** It asks for a dry run, which changes nothing. */
  readonly dryRun?: true;
  readonly input: S;
  /** Earlier names of arguments, which are still accepted and not shown. */
  readonly was?: Readonly<Record<string, keyof S & string>>;
  run(input: z.output<z.ZodObject<S>>, call: Call): Promise<Answer>;
}

/** Makes a tool whose `run` knows the types of its arguments; from outside all tools have the same type. */
export function tool<S extends z.ZodRawShape>(spec: Tool<S>): Tool {
  return spec as unknown as Tool;
}

/** Does it change nothing? */
export function isReadOnly({ operations, dryRun }: Tool): boolean {
  return dryRun === true || operations.every((name) => ROUTES[name].does === 'reads');
}

/** Does this connection have what the tool needs? */
export function isAllowed({ grants }: Tool, has: ReadonlySet<Grant>): boolean {
  return grants.some((grant) => has.has(grant));
}

/** The arguments by their present names, or what is wrong with them. */
export function renamed({ name, was = {} }: Tool, given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const entries = Object.entries(given).map(
    ([key, value]) => [Object.hasOwn(was, key) ? was[key] : key, value] as const,
  );
  const keys = entries.map(([key]) => key);
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice === undefined) return Object.fromEntries(entries);
  throw new OutlastError('input_invalid', `${name}: ${twice} is given twice, also by its earlier name; leave one out`);
}

/** The arguments that a connection may pass, as a schema that accepts no others. */
export function schemaOf({ input, reserved = [] }: Tool, has: ReadonlySet<Grant>): z.ZodObject {
  const isOpen = (key: string): boolean => has.has('admin') || !reserved.includes(key);
  const shape = withSessionId(Object.fromEntries(Object.entries(input).filter(([key]) => isOpen(key))));
  const takes = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const shut = issue.keys.filter((key) => reserved.includes(key));
      if (shut.length > 0) return `${shut.join(', ')} needs the grant admin, which this connection lacks`;
      return `unknown argument ${issue.keys.map((key) => `"${key}"`).join(', ')}; it accepts ${takes}`;
    },
  });
}
