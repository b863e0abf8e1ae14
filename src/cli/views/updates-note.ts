import type { Session } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';

/** What somebody hears who asked to be woken: that they need not wait, or that nobody will be woken. */
export function updatesNote({ id, started }: Session): string {
  if (started?.owner) return 'You get an update when it ends: do not poll.';
  const again = started === null ? id : nameOf(started);
  return `outlast: warning: --wake has no effect outside an Outlast session; use outlast wait ${again}`;
}
