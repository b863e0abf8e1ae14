import type { Session } from './session.ts';

/** The name people gave it, or its id. */
export function nameOf({ id, spec }: Pick<Session, 'id' | 'spec'>): string {
  return spec.name ?? id;
}
