import type { Event } from '../../core/event.ts';
import { isContinuation } from '../../core/say.ts';
import { PromptTexts } from '../logs/prompt-texts.ts';
import type { Recorded } from '../logs/recorded.ts';

/** For each recorded turn the prompt that it is for: its own, or that of the turn which it continues. */
export function turnPrompts(recorded: Recorded, events: readonly Event[]): (string | null)[] {
  const texts = new PromptTexts();
  for (const { body } of events) texts.hear(body);
  const taken = new Set<string>();
  let before: string | null = null;
  return recorded.turns.map(({ prompt }, turn) => {
    if (isContinuation(prompt)) return before;
    const found = texts.find(
      (text) => recorded.beganWith(turn, text),
      (id) => taken.has(id),
    );
    if (found !== null) taken.add(found);
    before = found;
    return found;
  });
}
