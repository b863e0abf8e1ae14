import type { Session } from './session.ts';

interface Named {
  readonly id: string;
  readonly spec: Pick<Session['spec'], 'name'>;
}

/** The name people gave a session or a schedule, or its id. */
export function nameOf({ id, spec }: Named): string {
  return spec.name ?? id;
}
