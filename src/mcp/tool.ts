import * as z from 'zod';
import type { Clock } from '../base/clock.ts';
import type { Outlast } from '../client/index.ts';
import { withSessionId } from '../compat/session-id.ts';
import type { Grant } from './grants.ts';

/** What a tool gets to work with, for one call. */
export interface Call {
  readonly outlast: Outlast;
  readonly clock: Clock;
  /** Where things run when the caller names no folder. */
  readonly cwd: string;
  readonly grants: ReadonlySet<Grant>;
  /** Fires when the caller takes the call back, or is gone. */
  readonly signal: AbortSignal;
  /** So long a call may wait: callers that are not told how far it is give up after a minute. */
  readonly waitMsMax: number;
  /** Says how far a wait is; nobody hears it unless the caller asked for it. */
  progress(sofar: { progress: number; total: number; message: string }): void;
}

/** What a tool says. */
export interface Answer {
  readonly text: string;
  /** The result for programs, sent beside the text. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** One tool: what it is called, who may call it, what it takes and what it does. */
export interface Tool<S extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One of these is needed. */
  readonly grants: readonly Grant[];
  /** Arguments that only `admin` may give. */
  readonly reserved?: readonly (keyof S & string)[];
  /** Does it change nothing? */
  readonly readOnly: boolean;
  readonly input: S;
  run(input: z.output<z.ZodObject<S>>, call: Call): Promise<Answer>;
}

/** Makes a tool whose `run` knows the types of its arguments; to the outside they are all alike. */
export function tool<S extends z.ZodRawShape>(spec: Tool<S>): Tool {
  return spec as unknown as Tool;
}

/** Does this connection have what the tool needs? */
export function isAllowed({ grants }: Tool, has: ReadonlySet<Grant>): boolean {
  return grants.some((grant) => has.has(grant));
}

/** The arguments a connection may give, as a schema that knows no others. */
export function schemaOf({ input, reserved = [] }: Tool, has: ReadonlySet<Grant>): z.ZodObject {
  const isOpen = (key: string): boolean => has.has('admin') || !reserved.includes(key);
  const shape = withSessionId(Object.fromEntries(Object.entries(input).filter(([key]) => isOpen(key))));
  const takes = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const shut = issue.keys.filter((key) => reserved.includes(key));
      if (shut.length > 0) return `${shut.join(', ')} needs the grant admin, which this connection lacks`;
      return `unknown argument ${issue.keys.map((key) => `"${key}"`).join(', ')}; it takes ${takes}`;
    },
  });
}
