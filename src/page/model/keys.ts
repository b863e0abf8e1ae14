import { useEffect } from 'preact/hooks';

/** What a key does; false: nothing now, and others may take it. */
export type KeyMap = Readonly<Record<string, () => unknown>>;

/** Is a person typing, or is a dialog open? Then letters are letters. */
export function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const MOVING = new Set(['j', 'k']);

/**
 * Keys of a part of the page, as long as it is there. `first`: it has its keys before the list of sessions, unless the
 * focus is in that list.
 */
export function useKeys(keys: KeyMap, how: 'usual' | 'first' = 'usual'): void {
  const isFirst = how === 'first';
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isFirst && event.target instanceof HTMLElement && event.target.closest('.list') !== null) return;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      // A key that is held moves on, but does nothing more than once: what is shown by then is something else.
      if (event.repeat && !MOVING.has(event.key)) return;
      const act = isTaken(event.target) ? undefined : keys[event.key];
      if (act === undefined || act() === false) return;
      event.preventDefault();
    };
    addEventListener('keydown', press, isFirst);
    return () => removeEventListener('keydown', press, isFirst);
  });
}
