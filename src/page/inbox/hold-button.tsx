import type { VNode } from 'preact';
import { type Hold, useHold } from './armed.ts';

interface HoldProps {
  readonly word: string;
  readonly hold: Hold;
  readonly isOff: boolean;
}

/** A button that acts only after it was held: where a look is easily wrong. */
export function HoldButton({ word, hold, isOff }: HoldProps): VNode {
  const isPress = (key: string): boolean => key === 'Enter' || key === ' ';
  return (
    <button
      type="button"
      class={`primary hold ${hold.isHeld ? 'held' : ''}`}
      aria-disabled={isOff}
      onPointerDown={() => !isOff && hold.begin()}
      onPointerUp={hold.end}
      onPointerLeave={hold.end}
      onPointerCancel={hold.end}
      onKeyDown={(event) => isPress(event.key) && !event.repeat && !isOff && hold.begin()}
      onKeyUp={(event) => isPress(event.key) && hold.end()}
      // A pointer has held it; what has none presses it twice.
      onClick={(event) => event.detail === 0 && event.clientX === 0 && !isOff && hold.press()}
    >
      {word}
    </button>
  );
}

interface AllowProps {
  readonly word: string;
  readonly isOff: boolean;
  readonly isHeld: boolean;
  readonly allow: () => void;
}

/** The yes of a form in which something was written; it has to be held where the plain yes has to be. */
export function AllowButton({ word, isOff, isHeld, allow }: AllowProps): VNode {
  const hold = useHold(allow);
  if (isHeld) return <HoldButton word={word} hold={hold} isOff={isOff} />;
  return (
    <button type="button" class="primary" aria-disabled={isOff} onClick={allow}>
      {word}
    </button>
  );
}
