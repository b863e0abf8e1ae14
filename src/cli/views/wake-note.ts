import type { Session } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';

/** What somebody hears who asked to be woken: that they need not wait, or that nobody will be woken. */
export function wakeNote({ id, started }: Session): string {
  if (started?.owner) return 'You are told when it ends: do not poll.';
  const again = started === null ? id : nameOf(started);
  return `outlast: warning: no agent that Outlast runs calls, so --wake wakes nobody; use outlast wait ${again}`;
}
