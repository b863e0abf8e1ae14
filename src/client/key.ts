import type { Clock } from '../base/clock.ts';

/**
 * A new idempotency key: with it, a retry after a broken connection does nothing twice. It becomes the id of a prompt,
 * so it is short: the time, then 52 random bits. It is not a secret, and crypto costs 6 ms.
 */
export function newKey(clock: Clock): string {
  const chance = Math.floor(Math.random() * 2 ** 52);
  return `${clock.wallMs().toString(36)}${chance.toString(36).padStart(11, '0')}`;
}
