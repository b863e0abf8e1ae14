import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { STRINGS } from '../words/strings.ts';

interface Props<M> {
  readonly load: () => Promise<M>;
  readonly draw: (module: M) => ComponentChildren;
}

/** A part of the page that is loaded when it is first shown. */
export function Lazy<M>({ load, draw }: Props<M>): VNode {
  const [module, setModule] = useState<M | null>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let isHere = true;
    load().then(
      (loaded) => isHere && setModule(() => loaded),
      () => isHere && setLost(true),
    );
    return () => {
      isHere = false;
    };
  }, []);
  // A module that failed to load once fails for as long as the page is open.
  if (isLost)
    return (
      <p class="none" role="alert">
        {STRINGS.lost}{' '}
        <button type="button" class="quiet" onClick={() => location.reload()}>
          {STRINGS.reload}
        </button>
      </p>
    );
  return <>{module === null ? null : draw(module)}</>;
}
