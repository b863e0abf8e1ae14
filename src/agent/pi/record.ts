import type { OpenCall } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { Counted } from '../../core/usage.ts';
import { lineRecord } from '../seam/line-record.ts';
import { MessageLog } from '../seam/message-log.ts';
import { NO_PROMPTS, withPrompts } from '../seam/prompt-log.ts';
import type { RecordedPrompt, RecordReader, TranscriptView } from '../seam/record.ts';
import { plainKey } from '../seam/text-key.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { type Entry, entriesOf } from './entries.ts';
import { type Reply, textOf, type Used } from './message.ts';
import { troubleOf } from './trouble.ts';

/** How many calls without a result are kept. */
const CALLS_MAX = 1_000;

/** The last turn, as far as it is recorded. */
interface LastTurn {
  readonly prompt: Omit<RecordedPrompt, keyof TurnEnd>;
  readonly calls: ReadonlyMap<string, OpenCall>;
  readonly end: TurnEnd;
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

  add(entry: Entry): void {
    if (entry.is !== 'unreadable') this.#isBegun = true;
    if (entry.is === 'used') this.#used(entry.id, null, entry.used, entry.atMs);
    if (entry.is !== 'message') return;
    const { id, message, atMs } = entry;
    switch (message.is) {
      case 'prompt':
        return this.#prompt(message.text, atMs);
      case 'reply':
        this.#used(id, message.model, message.used, atMs);
        return this.#reply(message, atMs ?? 0);
      case 'result':
        return this.#change({ calls: without(this.#turn?.calls, message.result.id) });
    }
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
    const prompt = { keys: [plainKey(text)], turnId: null, isSteered: false, atMs };
    this.#turn = { prompt, calls: new Map(), end: { turn: 'open', reply: '' } };
  }

  #reply(reply: Reply, atMs: number): void {
    const calls = new Map<string, OpenCall>();
    for (const part of reply.parts.slice(0, CALLS_MAX))
      if (part.is === 'call')
        calls.set(part.id, { id: part.id, tool: part.name, input: shortened(JSON.stringify(part.input) ?? '') });
    this.#change({ calls, end: endOf(reply, atMs) });
  }

  #used(message: string, model: string | null, { tokens, byKind, usd }: Used, atMs: number | null): void {
    if (tokens === 0) return;
    const own = { message, model, tokens, byKind, weight: tokens, atMs, prompt: this.#prompts, usdBefore: 0 };
    // A model without a price costs nothing, as far as pi knows.
    this.#spoken.put(usd > 0 ? { ...own, usd } : own);
  }

  #change(change: Partial<LastTurn>): void {
    if (this.#turn !== null) this.#turn = { ...this.#turn, ...change };
  }
}

/** How a turn ended whose last response is this one. What pi retries by itself is followed by another response. */
export function endOf(reply: Reply, nowMs: number): TurnEnd {
  const text = textOf(reply);
  switch (reply.reason) {
    case 'stop':
    case 'length':
      return { turn: 'closed', reply: text };
    case 'aborted':
      return { turn: 'interrupted', reply: text };
    case 'error': {
      const why = reply.error ?? 'the turn failed';
      return { turn: 'failed', reply: why, trouble: troubleOf(why, nowMs) };
    }
    default:
      return { turn: 'open', reply: text };
  }
}

/** Reads the file in which pi records a conversation. */
export const piRecord: RecordReader<Conversation> = lineRecord(new Conversation(), entriesOf);

function endsOf(turn: LastTurn | null): RecordedPrompt[] {
  return turn === null ? [] : [{ ...turn.prompt, ...turn.end }];
}

function without(calls: ReadonlyMap<string, OpenCall> | undefined, id: string): ReadonlyMap<string, OpenCall> {
  const open = new Map(calls);
  open.delete(id);
  return open;
}
