/** Tells an input from every other: each is taken once. */
export type InputId = string & { readonly brand: 'InputId' };

/** Where inputs come from that have a name of their own. Stored as the first word of the id. */
const SOURCES = [
  /** A hook of the agent. */
  'hook',
  /** What a process of one turn printed. */
  'stream',
  /** A message of the agent. */
  'server',
  // Callers, who may repeat what they asked for.
  'start',
  'prompt',
  'tell',
  'refuse',
  // The daemon, which may die before it knows that it was done.
  'wake',
  'owner',
  'show',
  'use',
  'miss',
  'unsafe',
] as const;

export type Source = (typeof SOURCES)[number];

/** The input that an event came from. once: a wish that its caller gave no key, so nobody repeats it. */
export interface Cause {
  readonly from: Source | 'once';
  readonly id: InputId;
}

/** The id of an input that has a name of its own: the same name twice is the same input. */
export function inputId(from: Source, ...name: readonly (string | number)[]): InputId {
  return [from, ...name].join(':') as InputId;
}

/** The cause as its id says. Older versions wrote the same ids. */
export function causeOf(id: InputId): Cause {
  const first = id.slice(0, Math.max(0, id.indexOf(':')));
  return { from: SOURCES.find((source) => source === first) ?? 'once', id };
}
