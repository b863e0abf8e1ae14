import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly kind: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A dialog above the page: Escape and a click beside it close it, and the focus returns to where it was. */
export function Dialog({ label, kind, close, children }: Props): VNode {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const isBeside = (event: MouseEvent): boolean => event.target === box.current;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog ref={box} class={kind} aria-label={label} onClose={close} onClick={(event) => isBeside(event) && close()}>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
