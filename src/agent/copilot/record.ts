import type { Counted } from '../../core/usage.ts';
import { lineRecord } from '../seam/line-record.ts';
import { MessageLog } from '../seam/message-log.ts';
import { NO_PROMPTS, withPrompts } from '../seam/prompt-log.ts';
import type { RecordedPrompt, RecordReader, TranscriptView } from '../seam/record.ts';
import { plainKey } from '../seam/text-key.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { type Event, eventsOf, type Used } from './events.ts';
import { BEGUN, type TurnSoFar, turnAfter } from './turn.ts';

/** The last turn, as far as it is recorded. */
interface LastTurn extends TurnSoFar {
  readonly prompt: Omit<RecordedPrompt, keyof TurnEnd>;
}

/** The state of a conversation. It keeps only what decides, so it stays small however long the file gets. */
class Conversation {
  #isBegun = false;
  #over = NO_PROMPTS;
  #turn: LastTurn | null = null;
  #spoken = new MessageLog();
  #prompts = 0;

  copy(spoken = this.#spoken.copy()): Conversation {
    const copy = new Conversation();
    copy.#isBegun = this.#isBegun;
    copy.#over = this.#over;
    copy.#turn = this.#turn;
    copy.#spoken = spoken;
    copy.#prompts = this.#prompts;
    return copy;
  }

  add(event: Event): void {
    if (event.is !== 'unreadable') this.#isBegun = true;
    if (event.is === 'used') return this.#used(event);
    if (event.is === 'prompt') return this.#prompt(event.text, event.atMs);
    if (this.#turn !== null) this.#turn = { ...this.#turn, ...turnAfter(this.#turn, event) };
  }

  get view(): TranscriptView {
    const { prompts, isCut } = this.#over;
    const { calls, end } = this.#turn ?? {};
    return {
      isBegun: this.#isBegun,
      isCut,
      prompts: [...prompts, ...endsOf(this.#turn)],
      messages: this.#spoken.all,
      contexts: [],
      open: end?.turn === 'open' ? [...(calls?.values() ?? [])] : [],
    };
  }

  settled(counted: Counted): Conversation {
    const spoken = this.#spoken.after(counted);
    return spoken === this.#spoken ? this : this.copy(spoken);
  }

  #prompt(text: string, atMs: number | null): void {
    this.#over = withPrompts(this.#over, endsOf(this.#turn));
    this.#prompts += 1;
    this.#turn = { ...BEGUN, prompt: { keys: [plainKey(text)], turnId: null, isSteered: false, atMs } };
  }

  #used({ message, model, tokens, byKind, atMs }: Used): void {
    const own = { message, model, tokens, byKind, weight: tokens, atMs };
    this.#spoken.put({ ...own, prompt: this.#prompts, usdBefore: 0 });
  }
}

/** Reads the file in which Copilot records a conversation. */
export const copilotRecord: RecordReader<Conversation> = lineRecord(new Conversation(), eventsOf);

function endsOf(turn: LastTurn | null): RecordedPrompt[] {
  return turn === null ? [] : [{ ...turn.prompt, ...turn.end }];
}
