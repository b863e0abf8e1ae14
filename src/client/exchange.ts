import { type OperationName, ROUTES } from '../api/routes.ts';
import { CODES, type ErrorCode, OutlastError } from '../base/errors.ts';

/** An operation as HTTP has it. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  /** As JSON; null where there is none. */
  readonly body: string | null;
}

/** Puts an operation and its input into the form that the daemon takes. */
export function askedFor(name: OperationName, input: object): Asked {
  const { method, path } = ROUTES[name];
  const rest = Object.entries(input).filter(([key, value]) => value !== undefined && !path.includes(`:${key}`));
  const given = new Map(Object.entries(input));
  const target = path.replace(/:(\w+)/, (_, key: string) => encodeURIComponent(String(given.get(key) ?? '')));
  if (method === 'POST') return { method, target, body: JSON.stringify(Object.fromEntries(rest)) };
  // A list is its key given several times.
  const pairs = rest.flatMap(([key, value]) => [value].flat().map((each): [string, string] => [key, wordOf(each)]));
  const query = new URLSearchParams(pairs).toString();
  return { method, target: query === '' ? target : `${target}?${query}`, body: null };
}

function wordOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Does it change nothing? */
export function isRead(name: OperationName): boolean {
  return ROUTES[name].method === 'GET';
}

/** May it be asked again when nobody knows whether it was heard? */
export function isRepeatable(name: OperationName, input: object): boolean {
  const { repeat } = ROUTES[name];
  return repeat === 'always' || (repeat === 'by key' && 'key' in input);
}

// These answer when something has happened, at the latest when their own time is up.
const WAITS: ReadonlySet<OperationName> = new Set([
  'session.wait', 'session.reply', 'session.follow', 'session.poll', 'approval.follow', 'tmux.wait',
]); // biome-ignore format: one glance is better than eight lines

/** How long it may take by its own words: for ever, where it waits and has no bound; 0 where it does not wait. */
export function waitMsOf(name: OperationName, input: object): number {
  const isFollowing = name === 'session.events' && 'follow' in input && input.follow === true;
  if (!WAITS.has(name) && !isFollowing) return 0;
  return 'timeoutMs' in input && typeof input.timeoutMs === 'number' ? input.timeoutMs : Number.POSITIVE_INFINITY;
}

const READ_MS_MAX = 10_000;
const CHANGE_MS_MAX = 60_000;

/** How long it is asked again when the daemon is lost under it; null: once is all there is. */
export function enduranceOf(name: OperationName, input: object): { msMax: number; unstarted: boolean } | null {
  if (!isRepeatable(name, input)) return null;
  return isRead(name) ? { msMax: READ_MS_MAX, unstarted: false } : { msMax: CHANGE_MS_MAX, unstarted: true };
}

/** What the daemon answered, or the error that it answered with. */
export function answerOf(status: number, json: string): unknown {
  const answer: unknown = JSON.parse(json);
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) {
    if (status === 200) return answer;
    throw new OutlastError('internal', `the daemon answered ${status} without an error: ${json.slice(0, 200)}`);
  }
  const { code, message } = answer.error as { code: string; message: string };
  throw new OutlastError(code in CODES ? (code as ErrorCode) : 'internal', message);
}
