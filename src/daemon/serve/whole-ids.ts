import type { OperationName } from '../../api/routes.ts';
import { OutlastError } from '../../base/errors.ts';
import { isIdPrefix } from '../../base/ids.ts';
import type { EventBody } from '../../core/event.ts';
import { nameOf } from '../../core/name.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import type { Session } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Handlers } from './http.ts';

/** The dependencies of the replacement. */
export interface WholeIdParts {
  readonly journal: Pick<Journal, 'find' | 'beginning' | 'session'>;
  readonly sessions: { asking(): readonly Session[] };
}

type Kind = 'session' | 'prompt' | 'approval';

/** Fields with ids besides `session`, which means one everywhere. */
const FIELDS: { readonly [N in OperationName]?: Readonly<Record<string, Kind>> } = {
  'session.start': { fork: 'session', after: 'session' },
  'session.list': { below: 'session', owner: 'session', before: 'session' },
  'session.reply': { prompt: 'prompt' },
  'session.drop': { prompt: 'prompt' },
  'session.turn': { prompt: 'prompt' },
  'approval.decide': { which: 'approval' },
};

/** Anyone can compute the id that a tool call would get, so an approval has to be named by most of it. */
const APPROVAL_PREFIX = /^[a-hjkmnp-z2-9]{6,7}$/;

/** How many matches a refusal lists. */
const LISTED = 8;

interface Match {
  readonly id: string;
  readonly text: string;
}

/**
 * Wraps the handlers so that the beginning of an id is replaced by the id, if it fits exactly one. This happens once,
 * before a handler waits for anything: from then on the call is about that one, whatever starts in the meantime.
 * Whole ids and names come first.
 */
export function withWholeIds(parts: WholeIdParts, handlers: Handlers): Handlers {
  const wrapped = Object.entries(handlers).map(([name, handler]) => {
    const fields = { session: 'session' as const, ...FIELDS[name as OperationName] };
    const handle = handler as (input: unknown, signal: AbortSignal) => unknown;
    return [name, (input: object, signal: AbortSignal) => handle(withIds(parts, fields, input), signal)];
  });
  return Object.fromEntries(wrapped) as Handlers;
}

function withIds(parts: WholeIdParts, fields: Readonly<Record<string, Kind>>, input: object): object {
  const whole: Record<string, unknown> = { ...input };
  for (const [field, kind] of Object.entries(fields)) {
    const given = whole[field];
    if (typeof given === 'string') whole[field] = idOf(parts, kind, given, whole);
    else if (Array.isArray(given)) whole[field] = given.map((word) => idOf(parts, kind, word, whole));
  }
  return whole;
}

/** The id that a word begins; else the word as it is, which the handler judges. */
function idOf(parts: WholeIdParts, kind: Kind, word: string, input: Record<string, unknown>): string {
  const matches = matchesOf(parts, kind, word, input);
  const [one, other] = matches;
  if (one === undefined) return word;
  if (other !== undefined) throw ambiguous(kind, word, matches);
  if (kind === 'approval' && input.alike === true)
    throw new OutlastError('input_invalid', `--all-like needs the whole id: ${one.id}`);
  return one.id;
}

function matchesOf(parts: WholeIdParts, kind: Kind, word: string, { session }: Record<string, unknown>): Match[] {
  switch (kind) {
    case 'session':
      return sessionsOf(parts, word);
    case 'prompt':
      return typeof session === 'string' ? promptsOf(parts, session, word) : [];
    case 'approval':
      return approvalsOf(parts, word);
  }
}

function sessionsOf({ journal }: WholeIdParts, word: string): Match[] {
  if (!isIdPrefix(word) || journal.find(word) !== null) return [];
  return journal.beginning(word, LISTED + 1).map(({ session }) => {
    const { id, spec } = session;
    return { id, text: spec.name === null ? id : `${id} (${spec.name})` };
  });
}

function promptsOf({ journal }: WholeIdParts, session: string, word: string): Match[] {
  const found = isIdPrefix(word) ? journal.find(session)?.session : undefined;
  if (found === undefined) return [];
  const given = journal.session(found.id).events.flatMap(({ body }) => promptOf(body) ?? []);
  const open = [...found.prompts.map(({ id }) => String(id)), found.turn.last?.prompt ?? ''];
  const all = [...new Set([...given, ...open])];
  return all.includes(word) ? [] : all.filter((id) => id.startsWith(word)).map((id) => ({ id, text: id }));
}

function promptOf(body: EventBody): string | null {
  return body.type === 'prompt.queued' ? body.prompt : null;
}

function approvalsOf(parts: WholeIdParts, word: string): Match[] {
  const open = parts.sessions
    .asking()
    .flatMap((session) => openQuestionsOf(session).map(({ id, tool }) => ({ id, tool, name: nameOf(session) })));
  if (open.some(({ id }) => id === word) || parts.journal.find(word) !== null) return [];
  const own = APPROVAL_PREFIX.test(word) ? open.filter(({ id }) => id.startsWith(word)) : [];
  return [...own.map(({ id, tool, name }) => ({ id, text: `${id} (${tool} of ${name})` })), ...sessionsOf(parts, word)];
}

function ambiguous(kind: Kind, word: string, matches: readonly Match[]): OutlastError {
  const shown = matches.slice(0, LISTED).map(({ text }) => text);
  const more = matches.length > LISTED ? ', and more' : '';
  return new OutlastError('id_ambiguous', `"${word}" begins more than one ${kind}: ${shown.join(', ')}${more}`);
}
