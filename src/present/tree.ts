import type { SessionView } from '../api/shapes.ts';

/** Sessions in tree order, each with its depth below the one that started it. */
export function treeOf<S extends Pick<SessionView, 'id' | 'owner'>>(
  sessions: readonly S[],
): { readonly each: S; readonly under: number }[] {
  const known = new Set(sessions.map(({ id }) => id));
  const children = Map.groupBy(sessions, ({ owner }) => (owner && known.has(owner.session) ? owner.session : null));
  const below = (id: string | null, under: number): { each: S; under: number }[] =>
    (children.get(id) ?? []).flatMap((each) => [{ each, under }, ...below(each.id, under + 1)]);
  return below(null, 0);
}
