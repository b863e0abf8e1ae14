/** What of a key event decides about Enter. */
export interface EnterKey {
  readonly key: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

/** What came before it. */
export interface EnterContext {
  /** Since an input method has ended a composition. */
  readonly sinceCompositionMs: number;
  /** A touch screen has no Shift beside Enter: there it begins a line, and the button sends. */
  readonly isTouch: boolean;
}

/** An input method reports its own keys with this code. */
const COMPOSING_CODE = 229;
/** Some browsers end the composition before the Enter that has ended it. */
const COMPOSITION_MS = 50;

/** What a key in the composer means: to send, to add to the running turn, or nothing special. */
export function enterMeans(key: EnterKey, { sinceCompositionMs, isTouch }: EnterContext): 'send' | 'now' | null {
  if (key.key !== 'Enter' || key.isComposing || key.keyCode === COMPOSING_CODE) return null;
  if (sinceCompositionMs < COMPOSITION_MS) return null;
  if (key.shiftKey || key.altKey) return null;
  if (key.ctrlKey || key.metaKey) return 'now';
  return isTouch ? null : 'send';
}
