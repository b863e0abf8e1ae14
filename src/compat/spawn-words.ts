import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import { OutlastError } from '../base/errors.ts';

// The argument names of OpenClaw for a spawn, so that prompts written for it work.

const seconds = z.number().optional();
const { prompt } = CONTRACT['session.start'].input.shape;

/** Each beside our own argument that means the same. */
export const SPAWN_WORDS = {
  task: prompt.describe('Same as prompt.'),
  label: z.string().max(200).optional().describe('Same as name, with any characters.'),
  agentId: z.string().max(63).optional().describe('Same as agent.'),
  runTimeoutSeconds: seconds.describe('Same as timeoutMs, in seconds; 0: none.'),
  timeoutSeconds: seconds.describe('Same as runTimeoutSeconds.'),
};

/** What can be given under both names. */
export interface Asked {
  readonly prompt?: string | undefined;
  readonly name?: string | undefined;
  readonly agent?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Merges the arguments under either name. */
export function askedOf(
  { prompt, name, agent, timeoutMs }: Asked,
  words: z.output<z.ZodObject<typeof SPAWN_WORDS>>,
): Asked & { readonly prompt: string } {
  const text = oneOf('prompt', prompt, 'task', words.task);
  if (text === undefined) throw invalid('prompt is missing: say what the session must do');
  const ms = oneOf('runTimeoutSeconds', words.runTimeoutSeconds, 'timeoutSeconds', words.timeoutSeconds);
  return {
    prompt: text,
    name: oneOf('name', name, 'label', nameOf(words.label)),
    agent: oneOf('agent', agent, 'agentId', words.agentId?.trim().toLowerCase()),
    timeoutMs: oneOf('timeoutMs', timeoutMs, 'runTimeoutSeconds', ms === undefined ? undefined : msOf(ms)),
  };
}

/** A label may be anything; a name keeps only the characters that a name may have. */
function nameOf(label: string | undefined): string | undefined {
  const name = label
    ?.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? undefined : name;
}

function msOf(seconds: number): number {
  return Math.max(0, Math.floor(seconds)) * 1_000;
}

function oneOf<T>(word: string, value: T | undefined, other: string, same: T | undefined): T | undefined {
  if (value !== undefined && same !== undefined) throw invalid(`${word} and ${other} are the same; pass one of them`);
  return value ?? same;
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
