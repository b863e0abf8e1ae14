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
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  // The browser tells of a dialog that was taken away when something else may already be open.
  const closed = (): void => {
    if (!isGone.current) close();
  };
  const isBeside = (event: MouseEvent): boolean => event.target === box.current;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog ref={box} class={kind} aria-label={label} onClose={closed} onClick={(event) => isBeside(event) && close()}>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
