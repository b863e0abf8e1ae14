import type { SessionView } from '../../api/shapes.ts';

type Owned = Pick<SessionView, 'id' | 'owner' | 'phase'>;

/** What happens to the sessions that a session started, and to theirs, when it ends. */
export interface Ends<S> {
  /** They are stopped with it. */
  readonly stopped: readonly S[];
  /** They go on, without an owner or with the owner's owner. */
  readonly kept: readonly S[];
}

/** What else ends when a session is stopped; only what is not over already. */
export function endsWith<S extends Owned>(session: string, rows: Iterable<S>): Ends<S> {
  const children = Map.groupBy(
    [...rows].filter(({ phase }) => phase !== 'ended'),
    ({ owner }) => owner?.session ?? null,
  );
  const stopped: S[] = [];
  const kept: S[] = [];
  const seen = new Set([session]);
  const visit = (id: string): void => {
    for (const child of children.get(id) ?? []) {
      if (seen.has(child.id)) continue;
      seen.add(child.id);
      if (child.owner?.onEnd !== 'stop') {
        kept.push(child);
        continue;
      }
      stopped.push(child);
      visit(child.id);
    }
  };
  visit(session);
  return { stopped, kept };
}
