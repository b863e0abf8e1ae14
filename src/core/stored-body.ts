import { type Actor, actorOfWord, actorText } from './actor.ts';
import type { EventBody } from './event.ts';

// An event as it is stored and shown: `by` is a word, as it always was, and `actor` beside it says exactly who.
// Versions before 0.2 wrote the word alone, and used other names for some types and fields. No other file knows the old
// forms.

type Fields = Record<string, unknown>;

/** The body as the journal, `events.jsonl` and the API have it. */
export function storedBody(body: EventBody): Fields & { readonly type: EventBody['type'] } {
  return { ...withWord(body), ...('outcome' in body && { outcome: withWord(body.outcome) }) } as Fields & {
    type: EventBody['type'];
  };
}

/** The body of an event that this version or an older one wrote. */
export function readBody(stored: unknown): EventBody {
  const fields = withNewNames(stored as Fields);
  const { outcome } = fields;
  return { ...withActor(fields), ...(isFields(outcome) && { outcome: withActor(outcome) }) } as unknown as EventBody;
}

/** What 0.1 called event types, and what they are called now. */
const TYPES: Readonly<Record<string, EventBody['type']>> = {
  'wake.queued': 'update.queued',
  'wake.offered': 'update.staged',
  'wake.told': 'update.delivered',
  'wake.withdrawn': 'update.withdrawn',
  'wake.read': 'update.read',
  'wake.stopped': 'update.suppressed',
};

/** What 0.1 called fields of events, and what they are called now. No event of today has a field of an old name. */
const FIELDS: Readonly<Record<string, string>> = {
  wake: 'update',
  offer: 'inTurnUpdate',
  mark: 'turnId',
  anew: 'startFresh',
};

function withNewNames(fields: Fields): Fields {
  const renamed = Object.entries(fields).map(([name, value]) => [FIELDS[name] ?? name, value]);
  const { type, why, ...rest } = Object.fromEntries(renamed) as Fields;
  return {
    type: TYPES[String(type)] ?? type,
    ...rest,
    ...(why !== undefined && { why: type === 'session.held' && isFields(why) ? holdOf(why) : why }),
  };
}

/** Why a session is held: `word` meant in 0.1 that it has to be resumed. */
function holdOf({ word, ...hold }: Fields): Fields {
  return word === undefined ? hold : { ...hold, needsResume: word };
}

function withWord(fields: object): object {
  const by = 'by' in fields ? (fields.by as Actor | readonly unknown[] | undefined) : undefined;
  return by === undefined || !isActor(by) ? fields : { ...fields, by: actorText(by), actor: by };
}

/** The usage of a turn by model is also called `by`: that is a list. */
function isActor(by: Actor | readonly unknown[]): by is Actor {
  return !Array.isArray(by);
}

function withActor(fields: Fields): Fields {
  const { actor, ...rest } = fields;
  if (typeof fields.by !== 'string') return fields;
  return { ...rest, by: isFields(actor) ? actor : oldActor(fields.by, fields) };
}

function oldActor(word: string, { type, rule }: Fields): Actor {
  if (type === 'approval.refused') return { is: 'program', name: word };
  const actor = actorOfWord(word);
  return actor.is === 'rule' ? { is: 'rule', rule: typeof rule === 'string' ? rule : null } : actor;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
