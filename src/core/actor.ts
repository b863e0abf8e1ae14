import { unreachable } from '../base/assert.ts';
import type { SessionId } from './session.ts';

// Who did something. The daemon makes it from who called; a caller gives a name, and nothing but a name.

/** Whoever did something to a session. */
export type Actor =
  /** Null: nobody said who. `at`: they did it at the agent's own screen, or left there. */
  | { readonly is: 'person'; readonly name: string | null; readonly at?: 'screen' | 'terminal' }
  | { readonly is: 'program'; readonly name: string }
  /** The session that started it. Null: an older version did not write which. */
  | { readonly is: 'owner'; readonly session: SessionId | null }
  /** A rule of the gate, as it was written. Null: none decided, but what holds without one. */
  | { readonly is: 'rule'; readonly rule: string | null }
  | { readonly is: 'policy'; readonly bound: Bound }
  | { readonly is: 'host'; readonly why: HostReason };

/** A bound of a policy that was reached. */
export type Bound = keyof typeof BOUNDS;

/** Why the daemon did something that nobody asked for at that moment. */
export type HostReason = keyof typeof REASONS;

/** How each bound is named to people, in the journal and in the audit. */
const BOUNDS = { timeout: 'timeout', silence: 'silence', hang: 'a hang', retention: 'retention' } as const;

const REASONS = {
  'turn-over': 'the end of its turn',
  'owner-ended': 'the end of its owner',
  'caller-left': 'caller left',
  /** A session that is held for its login tries whether it works again. */
  probe: 'a probe',
  /** The account gets answers again, so a limit is over before its time. */
  answered: 'an answer to its account',
  /** A person has solved at the agent's own screen what the session was held for. */
  visit: 'a visit',
  rebuilt: 'the journal was rebuilt',
  restarted: 'daemon restarted',
} as const;

const PLACES = { screen: 'a person at its screen', terminal: 'a person at its terminal' } as const;
const PERSON = 'a person';
const OWNER = 'its owner';
const RULES = 'rules';

/** Programs that give these names. Any other name is taken for a person's. */
const PROGRAMS: readonly string[] = ['caller', 'mcp', 'prune', 'remove'];

/** Every word that names no caller, with the actor that it names. */
const WORDS: ReadonlyMap<string, Actor> = new Map<string, Actor>([
  [PERSON, { is: 'person', name: null }],
  ...keysOf(PLACES).map((at) => [PLACES[at], { is: 'person', name: null, at }] as const),
  [OWNER, { is: 'owner', session: null }],
  [RULES, { is: 'rule', rule: null }],
  ...keysOf(BOUNDS).map((bound) => [BOUNDS[bound], { is: 'policy', bound }] as const),
  ...keysOf(REASONS).map((why) => [REASONS[why], { is: 'host', why }] as const),
]);

/** A person, by name if they gave one. */
export function person(name: string | null): Actor {
  return { is: 'person', name };
}

/** The bound of a policy. */
export function byPolicy(bound: Bound): Actor {
  return { is: 'policy', bound };
}

/** The daemon itself. */
export function byHost(why: HostReason): Actor {
  return { is: 'host', why };
}

/** Was it this bound of its policy? */
export function isBound(actor: Actor | undefined, bound: Bound): boolean {
  return actor?.is === 'policy' && actor.bound === bound;
}

/** The actor of a caller who gave this name; null: it names the daemon, a policy or a rule, and is not theirs. */
export function named(name: string): Actor | null {
  const known = WORDS.get(name);
  if (known !== undefined) return name === PERSON ? known : null;
  return PROGRAMS.includes(name) ? { is: 'program', name } : { is: 'person', name };
}

/** The actor that an older version wrote as a word. */
export function actorOfWord(word: string): Actor {
  return WORDS.get(word) ?? named(word) ?? person(word);
}

/** An actor in a word or two, for people. */
export function actorText(actor: Actor): string {
  switch (actor.is) {
    case 'person':
      return actor.name ?? (actor.at === undefined ? PERSON : PLACES[actor.at]);
    case 'program':
      return actor.name;
    case 'owner':
      return OWNER;
    case 'rule':
      return RULES;
    case 'policy':
      return BOUNDS[actor.bound];
    case 'host':
      return REASONS[actor.why];
    default:
      return unreachable(actor);
  }
}

function keysOf<T extends object>(of: T): (keyof T)[] {
  return Object.keys(of) as (keyof T)[];
}
