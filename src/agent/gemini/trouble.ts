import type { Trouble } from '../../core/session.ts';

const TOO_LONG = /exceeds the maximum number of tokens allowed/i;
const LIMIT = /exhausted your (daily )?(quota|capacity)|quota exceeded/i;
const BILLING = /billing|prepayment|credits are depleted/i;
const CODE = /"code":\s*(\d{3})/;
const PASSING = /overloaded|unavailable|rate limit|fetch failed|timed? ?out|ECONN|socket/i;

/** The kind of trouble. The class of an error is `unknown` every time, so its text decides. */
export function troubleOf(text: string): Trouble {
  const code = Number(CODE.exec(text)?.[1] ?? Number.NaN);
  if (TOO_LONG.test(text)) return { kind: 'too-long' };
  // When a quota is full again is not said.
  if (LIMIT.test(text)) return { kind: 'limited', untilMs: null };
  if (BILLING.test(text)) return { kind: 'billing' };
  if (code === 401 || code === 403) return { kind: 'login' };
  if (code >= 400) return { kind: code === 429 || code >= 500 ? 'overloaded' : 'other' };
  return { kind: PASSING.test(text) ? 'overloaded' : 'other' };
}
