import type { OpenCall } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import { NO_PROMPTS, withPrompts } from '../seam/prompt-log.ts';
import type { RecordedPrompt } from '../seam/record.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { keysOf } from './prompt-text.ts';
import { isOfTurn, Standing } from './standing.ts';
import { stateOf } from './transcript.ts';
import type { Entry, Given } from './transcript-entry.ts';
import { troubleOf } from './trouble.ts';

/** How many prompts of one turn are kept. */
const PENDING_MAX = 1_000;

interface Pending {
  readonly prompt: Omit<RecordedPrompt, keyof TurnEnd>;
  /** Where its own records begin; null: where those of the turn do, or it has none. */
  readonly own: Standing | null;
  /** It waits in the queue for a turn. */
  readonly isKept: boolean;
}

/**
 * The prompts in a transcript and their results, record by record. A turn spans from one typed prompt to the next;
 * a prompt that is steered into it ends with it, so both are judged by the same records. Only the end of a finished
 * turn is kept.
 */
export class RecordedPrompts {
  /** There is a conversation to resume: Claude Code does not know one without a message. */
  isBegun = false;
  #over = NO_PROMPTS;
  /** The state of the last turn; null before the first typed prompt. */
  #turn: Standing | null = null;
  #pending: Pending[] = [];

  copy(): RecordedPrompts {
    const copy = new RecordedPrompts();
    copy.isBegun = this.isBegun;
    copy.#over = this.#over;
    copy.#turn = this.#turn?.copy() ?? null;
    copy.#pending = this.#pending.map((each) => ({ ...each, own: each.own?.copy() ?? null }));
    return copy;
  }

  add(entry: Entry): void {
    if (entry.sidechain !== null || entry.is === 'noise') return;
    this.isBegun ||= isOfTurn(entry);
    if (entry.is === 'prompt') this.#prompt(entry);
    this.#turn?.add(entry);
    for (const { own } of this.#pending) own?.add(entry);
  }

  /** Oldest first. */
  get prompts(): readonly RecordedPrompt[] {
    return [...this.#over.prompts, ...this.#ends()];
  }

  /** Some prompts were dropped. */
  get isCut(): boolean {
    return this.#over.isCut;
  }

  /** The calls of the last turn without a recorded result. */
  get open(): readonly OpenCall[] {
    const calls = this.#turn?.openCalls ?? [];
    return calls.map(({ id, name, input }) => ({ id, tool: name, input: shortened(JSON.stringify(input) ?? '') }));
  }

  #prompt({ text, turnId, atMs, how }: Given): void {
    if (how === 'typed') this.#close();
    if (how !== 'typed' && how !== 'steering' && how !== 'kept') return;
    const prompt = { keys: keysOf(text), turnId, atMs, isSteered: how !== 'typed' };
    // The end of a long transcript may begin in the middle of a turn.
    const own = how === 'steering' && this.#turn === null ? new Standing() : null;
    this.#pending.push({ prompt, own, isKept: how === 'kept' });
    if (this.#pending.length <= PENDING_MAX) return;
    this.#pending.shift();
    this.#over = { ...this.#over, isCut: true };
  }

  /** Closes the turn when the next one begins. */
  #close(): void {
    this.#over = withPrompts(this.#over, this.#ends());
    this.#pending = [];
    this.#turn = new Standing();
  }

  #ends(): RecordedPrompt[] {
    const end = this.#turn === null ? OPEN : turnEnd(this.#turn);
    return this.#pending.map(({ prompt, own, isKept }) => ({
      ...prompt,
      ...(isKept ? OPEN : own === null ? end : turnEnd(own)),
    }));
  }
}

const OPEN: TurnEnd = { turn: 'open', reply: '' };

function turnEnd(turn: Standing): TurnEnd {
  const { is, why, reply } = stateOf(turn);
  if (is === 'complete') return { turn: 'closed', reply: reply ?? '' };
  if (is === 'failed' || is === 'limited') return { turn: 'failed', reply: why, trouble: troubleIn(turn) };
  const { lastOfTurn } = turn;
  return {
    turn: lastOfTurn === 'interrupted' || lastOfTurn === 'deferred' ? lastOfTurn : 'open',
    reply: reply ?? '',
  };
}

function troubleIn({ lastFailure }: Standing): NonNullable<TurnEnd['trouble']> {
  if (lastFailure === null) return { kind: 'other' };
  const { error, text, atMs } = lastFailure;
  return troubleOf({ error, text }, atMs ?? 0);
}
