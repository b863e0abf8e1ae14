import type { EventBody } from '../../core/event.ts';
import { sumOfKinds, type TokenKinds } from '../../core/usage.ts';
import { messageText, type OpenSpan, type SpanMaker } from './open-span.ts';
import { type SpanRecord, spanId } from './span.ts';

interface OpenTurn {
  readonly open: OpenSpan;
  /** Null: it is not a prompt of ours. */
  readonly prompt: string | null;
}

interface EndedTurn extends OpenTurn {
  readonly endMs: number;
  readonly error: string | null;
}

/** What a turn is and where. */
export interface TurnPlace {
  readonly parent: string;
  readonly conversation: string | null;
  readonly model: string | null;
}

/** How a turn ended. */
interface TurnEnd {
  readonly outcome: string;
  readonly reply?: string;
  readonly text?: string;
  readonly conversation: string | null;
}

/** After another outcome the prompt is sent again. */
const FINAL: readonly string[] = ['answered', 'failed', 'interrupted', 'dropped'];

/** The turns of a session. One that has ended waits for its usage, which is counted right after it. */
export class TurnSpans {
  readonly #maker: SpanMaker;
  readonly #texts = new Map<string, string>();
  #turn: OpenTurn | null = null;
  #ended: EndedTurn | null = null;

  constructor(maker: SpanMaker) {
    this.#maker = maker;
  }

  /** The span of the running turn. */
  get span(): string | null {
    return this.#turn?.open.span ?? null;
  }

  /** Whether one waits for its usage. */
  get waits(): boolean {
    return this.#ended !== null;
  }

  queued({ prompt, text }: Extract<EventBody, { type: 'prompt.queued' }>): void {
    if (this.#maker.hasContent) this.#texts.set(prompt, text);
  }

  sending({ prompt, turn }: Extract<EventBody, { type: 'prompt.sending' }>, place: TurnPlace, atMs: number) {
    const text = this.#texts.get(prompt) ?? '';
    return this.#begin({ what: [prompt, turn], prompt, text, tries: turn }, place, atMs);
  }

  /** A person typed a prompt, or the agent goes on by itself. */
  started(seq: number, text: string, place: TurnPlace, atMs: number): SpanRecord[] {
    return this.#begin({ what: ['own', seq], prompt: null, text, tries: 1 }, place, atMs);
  }

  over(prompt: string | null, { outcome, reply = '', text = '', conversation }: TurnEnd, atMs: number): SpanRecord[] {
    const turn = this.#turn;
    if (prompt !== null && FINAL.includes(outcome)) this.#texts.delete(prompt);
    if (turn === null || turn.prompt !== prompt) return [];
    this.#turn = null;
    this.#maker.add(
      turn.open,
      { 'outlast.outcome': outcome, 'gen_ai.conversation.id': conversation },
      { 'gen_ai.output.messages': messageText('assistant', reply), 'exception.message': text },
    );
    const left = this.flush();
    this.#ended = { ...turn, endMs: atMs, error: outcome === 'answered' ? null : outcome };
    // Usage is counted for prompts of ours.
    return prompt === null ? [...left, ...this.flush()] : left;
  }

  counted({ prompt, by = [] }: Extract<EventBody, { type: 'usage.counted' }>): SpanRecord[] {
    if (this.#ended === null || this.#ended.prompt !== prompt) return [];
    const tokens = by.reduce((sum, each) => sum + each.tokens, 0);
    const usd = by.reduce((sum, each) => sum + (each.usd ?? 0), 0);
    const kinds = sumOfKinds(by.map(({ byKind }) => byKind));
    const [most] = by.toSorted((one, other) => other.tokens - one.tokens);
    this.#maker.add(this.#ended.open, {
      'gen_ai.response.model': most?.model,
      'outlast.usage.tokens': by.length === 0 ? null : tokens,
      ...tokenAttributes(kinds),
      'outlast.usage.cost_usd': by.some((each) => each.usd !== null) ? usd : null,
    });
    return this.flush();
  }

  /** The turn that waits, as far as it is known. */
  flush(): SpanRecord[] {
    const turn = this.#ended;
    this.#ended = null;
    return turn === null ? [] : [this.#maker.end(turn.open, turn.endMs, turn.error)];
  }

  /** The session has ended, or sends the prompt again. */
  close(atMs: number): SpanRecord[] {
    const turn = this.#turn;
    this.#turn = null;
    return [...this.flush(), ...(turn === null ? [] : [this.#maker.end(turn.open, atMs, 'unfinished')])];
  }

  #begin(
    { what, prompt, text, tries }: { what: (string | number)[]; prompt: string | null; text: string; tries: number },
    { parent, conversation, model }: TurnPlace,
    atMs: number,
  ): SpanRecord[] {
    const left = this.close(atMs);
    const { session, agent } = this.#maker;
    const open = this.#maker.begin({
      ...{ span: spanId('turn', session, ...what), parent, kind: 'client', startMs: atMs },
      name: `invoke_agent ${agent}`,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': agent,
        'gen_ai.conversation.id': conversation,
        'gen_ai.request.model': model,
        'outlast.turn.try': tries,
      },
      content: { 'gen_ai.input.messages': messageText('user', text) },
    });
    this.#turn = { open, prompt };
    return left;
  }
}

/** By the GenAI conventions the input includes what was read from the cache and written to it. */
function tokenAttributes(kinds: TokenKinds | undefined): Record<string, number> {
  if (kinds === undefined) return {};
  const { input, output, cacheRead, cacheWrite } = kinds;
  return {
    'gen_ai.usage.input_tokens': input + cacheRead + cacheWrite,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
  };
}
