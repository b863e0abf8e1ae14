import { type OperationName, ROUTES, type Route } from '../api/routes.ts';
import { CODES, type ErrorCode, OutlastError } from '../base/errors.ts';

/** An operation as an HTTP request. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  /** JSON; null where there is none. */
  readonly body: string | null;
}

/** Turns an operation and its input into the request that the daemon expects. */
export function askedFor(name: OperationName, input: object): Asked {
  const { method, path } = ROUTES[name];
  const rest = Object.entries(input).filter(([key, value]) => value !== undefined && !path.includes(`:${key}`));
  const given = new Map(Object.entries(input));
  const target = path.replace(/:(\w+)/, (_, key: string) => encodeURIComponent(String(given.get(key) ?? '')));
  if (method === 'POST') return { method, target, body: JSON.stringify(Object.fromEntries(rest)) };
  // A list is its key repeated.
  const pairs = rest.flatMap(([key, value]) => [value].flat().map((each): [string, string] => [key, wordOf(each)]));
  const query = new URLSearchParams(pairs).toString();
  return { method, target: query === '' ? target : `${target}?${query}`, body: null };
}

function wordOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Is it a pure read? */
export function isRead(name: OperationName): boolean {
  return ROUTES[name].method === 'GET';
}

/** May it be retried when it is not known whether the daemon received it? */
export function isRepeatable(name: OperationName, input: object): boolean {
  const { repeat } = ROUTES[name];
  return repeat === 'always' || (repeat === 'by key' && 'key' in input);
}

/** How long it may take: without limit where it waits and has no timeout; 0 where it does not wait. */
export function waitMsOf(name: OperationName, input: object): number {
  const { waits }: Route = ROUTES[name];
  const isFollowing = waits === 'with follow' && 'follow' in input && input.follow === true;
  if (waits !== 'always' && !isFollowing) return 0;
  return 'timeoutMs' in input && typeof input.timeoutMs === 'number' ? input.timeoutMs : Number.POSITIVE_INFINITY;
}

const READ_MS_MAX = 10_000;
const CHANGE_MS_MAX = 60_000;

/** How long it is retried when the daemon is lost during the call; null: never. */
export function enduranceOf(name: OperationName, input: object): { msMax: number; unstarted: boolean } | null {
  if (!isRepeatable(name, input)) return null;
  return isRead(name) ? { msMax: READ_MS_MAX, unstarted: false } : { msMax: CHANGE_MS_MAX, unstarted: true };
}

/** The result in an answer of the daemon; throws the error that it carries. */
export function answerOf(status: number, json: string): unknown {
  const answer: unknown = JSON.parse(json);
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) {
    if (status === 200) return answer;
    throw new OutlastError('internal', `the daemon answered ${status} without an error: ${json.slice(0, 200)}`);
  }
  const { code, message } = answer.error as { code: string; message: string };
  throw new OutlastError(code in CODES ? (code as ErrorCode) : 'internal', message);
}
