import type { Trouble } from '../../core/session.ts';

const TOO_LONG =
  /context.?(window|length|limit).*(exceed|too|long)|prompt is too long|exceeds the maximum number of tokens/i;
const BILLING = /insufficient.?(quota|credit|funds)|credit balance|billing|payment required|\b402\b/i;
const LOGIN = /\b40[13]\b|unauthori[sz]ed|authentication|invalid api key|incorrect api key|log ?in/i;
const PASSING = /overloaded|at capacity|rate.?limit|too many requests|\b(429|5\d\d)\b|timed? ?out|connection|network/i;

/** The kind of trouble. The protocol has no classes of errors and no times, so the text alone decides. */
export function troubleOf(text: string): Trouble {
  if (TOO_LONG.test(text)) return { kind: 'too-long' };
  if (BILLING.test(text)) return { kind: 'billing' };
  if (LOGIN.test(text)) return { kind: 'login' };
  return { kind: PASSING.test(text) ? 'overloaded' : 'other' };
}
