import type { Fields } from './json.ts';
import type { Step } from './story.ts';

/** A failed API request. */
export interface Failure {
  readonly status: number;
  /** Its class, such as rate_limit. */
  readonly error: string;
  readonly text: string;
  readonly limit: Limit | null;
}

/** A usage limit, and when it ends in seconds since 1970. */
export interface Limit {
  readonly type: string;
  readonly resetsAt: number;
}

const LATER = 'This is a server-side issue, usually temporary — try again in a moment.';

/** The failure for an HTTP status. It is not retried; the real agent would retry for three minutes. */
export function failureOf(step: Step & { readonly is: 'status' }): Failure {
  const { status, headers } = step;
  const body = step.body ?? `scripted ${status}`;
  const limit = limitOf(status, headers);
  if (limit !== null) return { status, error: 'rate_limit', text: limitText(limit), limit };
  return { status, ...said(status, body), limit: null };
}

function said(status: number, body: string): { error: string; text: string } {
  if (status === 0) return { error: 'server_error', text: 'API Error: Connection dropped (ECONNRESET).' };
  if (status === 429) return { error: 'rate_limit', text: `API Error: Request rejected (429) · ${body}` };
  if (status === 401 || status === 403)
    return { error: 'authentication_failed', text: `Failed to authenticate. API Error: ${status} ${body}` };
  if (status >= 500) return { error: 'server_error', text: `API Error: ${status} ${body}. ${LATER}` };
  return { error: 'unknown', text: `API Error: ${status} ${body}` };
}

function limitOf(status: number, headers: Fields): Limit | null {
  const of = (name: string): unknown => headers[`anthropic-ratelimit-unified-${name}`];
  if (status !== 429 || of('status') !== 'rejected') return null;
  return { type: String(of('representative-claim') ?? 'five_hour'), resetsAt: Number(of('reset') ?? 0) };
}

function limitText({ type, resetsAt }: Limit): string {
  const at = new Date(resetsAt * 1000);
  const hours = at.getUTCHours();
  const time = `${hours % 12 === 0 ? 12 : hours % 12}:${String(at.getUTCMinutes()).padStart(2, '0')}`;
  const clock = `${time}${hours < 12 ? 'am' : 'pm'} (UTC)`;
  if (type !== 'seven_day') return `You've hit your 5-hour limit · resets ${clock}`;
  const day = at.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return `You've hit your weekly limit · resets ${day}, ${clock}`;
}
