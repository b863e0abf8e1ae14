/** Identifies an input: each is accepted once. */
export type InputId = string & { readonly brand: 'InputId' };

/** Sources of inputs that have ids of their own. Stored as the first word of the id: names never change. */
const SOURCES = [
  /** A hook of the agent. */
  'hook',
  /** A line printed by a process of one turn. */
  'stream',
  /** A message from the agent. */
  'server',
  // Callers, who may repeat a request.
  'start',
  'prompt',
  'tell',
  'refuse',
  // The daemon, which may die before it knows that something was done.
  'wake',
  'owner',
  'show',
  'use',
  'miss',
  'unsafe',
  'named',
] as const;

export type Source = (typeof SOURCES)[number];

/** The input that caused an event. once: a request without a key, which its caller never repeats. */
export interface Cause {
  readonly from: Source | 'once';
  readonly id: InputId;
}

/** The id of an input with a name of its own: the same name means the same input. */
export function inputId(from: Source, ...name: readonly (string | number)[]): InputId {
  return [from, ...name].join(':') as InputId;
}

/** The cause that an id stands for. Older versions wrote the same ids. */
export function causeOf(id: InputId): Cause {
  const first = id.slice(0, Math.max(0, id.indexOf(':')));
  return { from: SOURCES.find((source) => source === first) ?? 'once', id };
}
