import type { OpenCall } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { Counted, LimitWindow } from '../../core/usage.ts';
import { lineRecord } from '../seam/line-record.ts';
import { MessageLog } from '../seam/message-log.ts';
import { NO_PROMPTS, withPrompts } from '../seam/prompt-log.ts';
import type { RecordedPrompt, RecordReader, TranscriptView } from '../seam/record.ts';
import { plainKey } from '../seam/text-key.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { asPasted } from './pasted.ts';
import { type Entry, entriesOf, type Given, type Used } from './rollout.ts';
import { troubleOf } from './trouble.ts';

type Prompt = Omit<RecordedPrompt, keyof TurnEnd>;

/** How many prompts of one turn are kept, and how many calls without a result. */
const TURN_MAX = 1_000;

/** The last turn, as far as it is recorded. */
interface LastTurn {
  readonly turnId: string | null;
  readonly prompts: readonly Prompt[];
  /** The last text of the model. */
  readonly reply: string;
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** Null: the end of the turn is not recorded. */
  readonly end: TurnEnd | null;
}

/** The state of a rollout. It keeps only what decides, so it stays small however long the conversation gets. */
class Rollout {
  #isBegun = false;
  #over = NO_PROMPTS;
  #turn: LastTurn | null = null;
  #spoken = new MessageLog();
  #model: string | null = null;
  #prompts = 0;
  #resetsAtMs: number | null = null;
  #windows: readonly LimitWindow[] = [];

  copy(spoken = this.#spoken.copy()): Rollout {
    const copy = new Rollout();
    copy.#isBegun = this.#isBegun;
    copy.#over = this.#over;
    copy.#turn = this.#turn;
    copy.#spoken = spoken;
    copy.#model = this.#model;
    copy.#prompts = this.#prompts;
    copy.#resetsAtMs = this.#resetsAtMs;
    copy.#windows = this.#windows;
    return copy;
  }

  add(entry: Entry): void {
    switch (entry.is) {
      case 'begun':
        return this.#begin(entry.turn);
      case 'prompt':
        return this.#prompt(entry);
      case 'text':
        return this.#change({ reply: entry.text });
      case 'call':
        return this.#called(entry);
      case 'result':
        return this.#change({ calls: without(this.#turn?.calls, entry.result.id) });
      case 'ended':
        return this.#end(entry);
      case 'aborted':
        return this.#change({ end: { turn: 'interrupted', reply: this.#turn?.reply ?? '' } });
      case 'used':
        return this.#used(entry);
      case 'model':
        this.#model = entry.model ?? this.#model;
        return;
      case 'limits':
        this.#resetsAtMs = entry.resetsAtMs ?? this.#resetsAtMs;
        this.#windows = entry.windows;
    }
  }

  get view(): TranscriptView {
    const { prompts, isCut } = this.#over;
    const open = [...(this.#turn?.calls.values() ?? [])];
    return {
      isBegun: this.#isBegun,
      isCut,
      prompts: [...prompts, ...endsOf(this.#turn)],
      messages: this.#spoken.all,
      contexts: [],
      open: this.#turn?.end === null ? open : [],
      ...(this.#windows.length > 0 && { windows: this.#windows }),
    };
  }

  settled(counted: Counted): Rollout {
    const spoken = this.#spoken.after(counted);
    return spoken === this.#spoken ? this : this.copy(spoken);
  }

  #begin(turnId: string | null): void {
    this.#isBegun = true;
    this.#over = withPrompts(this.#over, endsOf(this.#turn));
    this.#turn = { turnId: turnId, prompts: [], reply: '', calls: new Map(), end: null };
  }

  #prompt({ text, isItem, given, atMs }: Given): void {
    // The end of a long rollout may begin in the middle of a turn.
    if (this.#turn === null) this.#begin(null);
    const { prompts = [], turnId = null } = this.#turn ?? {};
    const keys = [plainKey(text)];
    const last = prompts.at(-1);
    if (isItem && last !== undefined && last.keys[0] === keys[0]) {
      // It was recorded as a model message just before.
      if (given !== null) this.#change({ prompts: [...prompts.slice(0, -1), { ...last, given }] });
      return;
    }
    this.#prompts += 1;
    const own = { keys, turnId: turnId, isSteered: prompts.length > 0, atMs, ...(given !== null && { given }) };
    // Text before the prompt is not a reply to it.
    this.#change({ prompts: [...prompts, own].slice(-TURN_MAX), reply: '' });
  }

  #called({ id, name, input }: Extract<Entry, { is: 'call' }>): void {
    const calls = new Map(this.#turn?.calls).set(id, { id, tool: name, input: textOf(input) });
    if (calls.size <= TURN_MAX) this.#change({ calls });
  }

  #end({ reply, failure, atMs }: Extract<Entry, { is: 'ended' }>): void {
    const said = reply ?? this.#turn?.reply ?? '';
    if (failure === null) return this.#change({ end: { turn: 'closed', reply: said } });
    const trouble = troubleOf({ ...failure, resetsAtMs: this.#resetsAtMs }, atMs);
    this.#change({ end: { turn: 'failed', reply: failure.text, trouble } });
  }

  #used({ message, tokens, byKind, atMs }: Used): void {
    const own = { message, model: this.#model, tokens, byKind, weight: tokens, atMs };
    this.#spoken.put({ ...own, prompt: this.#prompts, usdBefore: 0 });
  }

  #change(change: Partial<LastTurn>): void {
    if (this.#turn !== null) this.#turn = { ...this.#turn, ...change };
  }
}

/** Reads a rollout of Codex. */
export const codexRecord: RecordReader<Rollout> = lineRecord(new Rollout(), entriesOf, (text) => [
  // What is typed on a screen arrives without control characters.
  ...new Set([plainKey(text), plainKey(asPasted(text))]),
]);

function endsOf(turn: LastTurn | null): RecordedPrompt[] {
  if (turn === null) return [];
  const { prompts, reply, end } = turn;
  return prompts.map((prompt) => ({ ...prompt, ...(end ?? { turn: 'open', reply }) }));
}

function without(calls: ReadonlyMap<string, OpenCall> | undefined, id: string): ReadonlyMap<string, OpenCall> {
  const open = new Map(calls);
  open.delete(id);
  return open;
}

function textOf(input: unknown): string {
  return shortened(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''));
}
