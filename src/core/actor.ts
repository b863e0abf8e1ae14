import { unreachable } from '../base/assert.ts';
import type { SessionId } from './session.ts';

// Who did something. The daemon derives it from the caller; a caller chooses its name and nothing else.

/** Who did something to a session. */
export type Actor =
  /** Null: the person gave no name. `at`: done at the agent's own screen, or at the terminal it was left from. */
  | { readonly is: 'person'; readonly name: string | null; readonly at?: 'screen' | 'terminal' }
  | { readonly is: 'program'; readonly name: string }
  /** The session that started it. Null: written by an older version, which did not record it. */
  | { readonly is: 'owner'; readonly session: SessionId | null }
  /** A rule of the gate, as it was written. Null: the default of the gate decided. */
  | { readonly is: 'rule'; readonly rule: string | null }
  | { readonly is: 'policy'; readonly bound: Bound }
  | { readonly is: 'host'; readonly why: HostReason };

/** A limit of a policy. */
export type Bound = keyof typeof BOUNDS;

/** Why the daemon acted by itself. */
export type HostReason = keyof typeof REASONS;

/** How each limit is called in the journal, in the audit and to people. */
const BOUNDS = {
  timeout: 'timeout',
  silence: 'silence',
  hang: 'a hang',
  retention: 'retention',
  limit: 'a usage limit',
} as const;

const REASONS = {
  'turn-over': 'the end of its turn',
  'owner-ended': 'the end of its owner',
  /** The agent made an allowed call again before it was told to. */
  'asked-again': 'a repeated call',
  'caller-left': 'caller left',
  /** A session held for its login checks whether the login works again. */
  probe: 'a probe',
  /** The account gets replies again, so a usage limit ended early. */
  answered: 'an answer to its account',
  /** A person solved, at the agent's own screen, what the session was held for. */
  visit: 'a visit',
  rebuilt: 'the journal was rebuilt',
  restarted: 'daemon restarted',
} as const;

const PLACES = { screen: 'a person at its screen', terminal: 'a person at its terminal' } as const;
const PERSON = 'a person';
const OWNER = 'its owner';
const RULES = 'rules';

/** Names that belong to programs. Any other name is taken as a person's. */
const PROGRAMS: readonly string[] = ['caller', 'mcp', 'prune', 'remove'];

/** Every reserved word, with the actor it stands for. Callers may not use them as names. */
const WORDS: ReadonlyMap<string, Actor> = new Map<string, Actor>([
  [PERSON, { is: 'person', name: null }],
  ...keysOf(PLACES).map((at) => [PLACES[at], { is: 'person', name: null, at }] as const),
  [OWNER, { is: 'owner', session: null }],
  [RULES, { is: 'rule', rule: null }],
  ...keysOf(BOUNDS).map((bound) => [BOUNDS[bound], { is: 'policy', bound }] as const),
  ...keysOf(REASONS).map((why) => [REASONS[why], { is: 'host', why }] as const),
]);

/** A person, by name if given. */
export function person(name: string | null): Actor {
  return { is: 'person', name };
}

/** A limit of the policy. */
export function byPolicy(bound: Bound): Actor {
  return { is: 'policy', bound };
}

/** The daemon itself. */
export function byHost(why: HostReason): Actor {
  return { is: 'host', why };
}

/** Did this limit of its policy do it? */
export function isBound(actor: Actor | undefined, bound: Bound): boolean {
  return actor?.is === 'policy' && actor.bound === bound;
}

/** The actor for a caller with this name; null: the name is reserved for the daemon, a policy or a rule. */
export function named(name: string): Actor | null {
  const known = WORDS.get(name);
  if (known !== undefined) return name === PERSON ? known : null;
  return PROGRAMS.includes(name) ? { is: 'program', name } : { is: 'person', name };
}

/** The actor that an older version stored as a word. */
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
