import { isTaken } from '../model/keys.ts';
import type { PageAction } from './actions.ts';

/**
 * After `g` the next key is a place, whatever that key means where a person is: at a question, `n` alone denies it.
 * Returns what ends that.
 */
export function goingKeys(actions: () => readonly PageAction[]): () => void {
  let isGoing = false;
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTaken(event.target)) return;
    if (isGoing) {
      isGoing = false;
      event.preventDefault();
      actions()
        .find(({ keys }) => keys === `g ${event.key}`)
        ?.act();
    } else if (event.key === 'g') {
      isGoing = true;
      event.preventDefault();
    }
  };
  // Before every other listener: those leave alone what is taken.
  addEventListener('keydown', press, { capture: true });
  return () => removeEventListener('keydown', press, { capture: true });
}
