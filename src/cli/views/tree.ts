import type { SessionView } from '../../api/shapes.ts';

/** Sessions in tree order, each with its depth below the one that started it. */
export function treeOf<S extends Pick<SessionView, 'id' | 'owner'>>(
  sessions: readonly S[],
): { readonly each: S; readonly under: number }[] {
  const known = new Set(sessions.map(({ id }) => id));
  const below = (id: string | null, under: number): { each: S; under: number }[] =>
    sessions
      .filter(({ owner }) => (owner !== null && known.has(owner.session) ? owner.session : null) === id)
      .flatMap((each) => [{ each, under }, ...below(each.id, under + 1)]);
  return below(null, 0);
}
