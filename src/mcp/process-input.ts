import * as z from 'zod';
import { OutlastError } from '../base/errors.ts';
import type { Answer, Call } from './tool.ts';

const POLL_MS_MAX = 120_000;

/** The actions of `process`: reading needs one grant, changing another. */
export const ACTIONS = {
  list: 'read', poll: 'read', log: 'read', write: 'exec', 'send-keys': 'exec',
  submit: 'exec', paste: 'exec', kill: 'exec', clear: 'exec', remove: 'exec',
} as const; // biome-ignore format: one glance is better than a dozen lines

const NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];

/** More lines or bytes than any output has; a larger number means all of them. */
const LINES_MAX = 1_000_000_000_000;

const whole = z.number().transform((value) => Math.min(Math.max(Math.floor(value), 0), LINES_MAX));

/** The arguments of `process`. */
export const PROCESS_INPUT = {
  action: z
    .enum(NAMES, { error: `Invalid process action. Expected one of: ${NAMES.join(', ')}` })
    .describe('What to do.'),
  sessionId: z.string().optional().describe('Id or name; required by every action except list.'),
  timeout: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: 'expected a number of milliseconds' })
    .transform((ms) => Math.min(Math.max(Math.floor(ms), 0), POLL_MS_MAX))
    .optional()
    .describe(`poll: milliseconds to wait for output or the end, at most ${POLL_MS_MAX}.`),
  offset: whole.optional().describe('log: first line, counted from 0.'),
  from: whole.optional().describe('log: first byte, to continue where a page ended.'),
  limit: whole.optional().describe('log: how many lines.'),
  data: z.string().optional().describe('write: what to write.'),
  eof: z.boolean().optional().describe('write: close the input after it.'),
  keys: z.array(z.string()).optional().describe('send-keys: keys like Enter, C-c, Up.'),
  hex: z.array(z.string()).optional().describe('send-keys: bytes like 1b.'),
  literal: z.string().optional().describe('send-keys: text, before hex and keys.'),
  text: z.string().optional().describe('paste: what to paste.'),
  bracketed: z.boolean().default(true).describe('paste: use bracketed paste, if the program supports it.'),
};

/** What the actions get. */
export type ProcessInput = z.output<z.ZodObject<typeof PROCESS_INPUT>> & { readonly sessionId: string };

/** An error result with its reason. */
export function failed(text: string, details: object = {}): Answer {
  return { text, details: { status: 'failed', ...details }, isError: true };
}

/**
 * A caller that may type into the terminal of an agent may also answer its questions: that is more than running
 * commands.
 */
export async function mayType(call: Call, sessionId: string, instead = 'session_prompt'): Promise<string> {
  const { session } = await call.outlast.show(sessionId, call.signal);
  if (session.drive === 'command' || call.grants.has('admin')) return session.id;
  throw new OutlastError(
    'not_supported',
    `${sessionId} is an agent session: use ${instead}; typing into it needs the grant admin`,
  );
}
