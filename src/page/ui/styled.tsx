import type { ComponentChildren, VNode } from 'preact';
import { loadLaterStyles } from './later-styles.ts';
import { Lazy } from './lazy.tsx';

interface StyledProps<M> {
  readonly load: () => Promise<M>;
  readonly draw: (module: M) => ComponentChildren;
}

/** A part that is loaded when it is first shown, with the styles that it needs. */
export function Styled<M>({ load, draw }: StyledProps<M>): VNode {
  const both = async (): Promise<M> => {
    const [module] = await Promise.all([load(), loadLaterStyles()]);
    return module;
  };
  return <Lazy load={both} draw={draw} />;
}
