import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Props<M> {
  readonly load: () => Promise<M>;
  readonly draw: (module: M) => ComponentChildren;
}

/** A part of the page that is loaded when it is first shown. */
export function Lazy<M>({ load, draw }: Props<M>): VNode {
  const [module, setModule] = useState<M | null>(null);
  useEffect(() => {
    let isHere = true;
    load().then((loaded) => isHere && setModule(() => loaded));
    return () => {
      isHere = false;
    };
  }, []);
  return <>{module === null ? null : draw(module)}</>;
}
