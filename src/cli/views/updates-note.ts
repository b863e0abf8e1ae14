import type { Session } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';

/** The note for a caller that used --wake: it need not wait, or --wake has no effect. */
export function updatesNote({ id, started }: Session): string {
  if (started?.owner) return 'You get an update when it ends: do not poll.';
  const again = started === null ? id : nameOf(started);
  return `outlast: warning: --wake has no effect outside an Outlast session; use outlast wait ${again}`;
}
