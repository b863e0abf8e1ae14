/**
 * A signal that aborts with the first of these, for code that looks at `aborted` without listening. What
 * `AbortSignal.any` returns holds its sources only weakly until somebody listens: a source that has aborted and was
 * collected since is never noticed. One of the sources has to abort in the end, or it is kept for as long as they are.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const any = AbortSignal.any([...signals]);
  any.addEventListener('abort', () => {}, { once: true });
  return any;
}
