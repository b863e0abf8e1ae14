import type { Event, EventBody } from '../../core/event.ts';
import type { Spec } from '../../core/session.ts';
import { type Attributes, type OpenSpan, SpanMaker } from './open-span.ts';
import { type SpanRecord, spanId } from './span.ts';
import { ToolSpans } from './tool-spans.ts';
import { type TurnPlace, TurnSpans } from './turn-spans.ts';

type Body<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

/**
 * The spans of one session, made from its events in their order: session > run > turn > tool call. A span is given out
 * when it ends. What has begun is known by reading the earlier events again, so nothing but a position is stored.
 */
export class SessionTrace {
  readonly #maker: SpanMaker;
  readonly #tools: ToolSpans;
  readonly #turns: TurnSpans;
  #spec: Spec | null = null;
  #conversation: string | null = null;
  /** How often it was resumed after its end: each life has a span. */
  #life = 1;
  #own: OpenSpan | null = null;
  #run: { readonly number: number; readonly open: OpenSpan } | null = null;

  constructor(session: string, hasContent: boolean) {
    this.#maker = new SpanMaker(session, hasContent);
    this.#tools = new ToolSpans(this.#maker);
    this.#turns = new TurnSpans(this.#maker);
  }

  /** Whether a turn waits for its usage. */
  get waits(): boolean {
    return this.#turns.waits;
  }

  /** The turn that waits, as far as it is known. */
  flush(): SpanRecord[] {
    return this.#turns.flush();
  }

  /** The spans that this event ends. */
  take({ body, seq, atMs }: Event): SpanRecord[] {
    switch (body.type) {
      case 'session.created':
        return this.#created(body.spec, atMs);
      case 'session.resumed':
        this.#life += 1;
        return this.#begin(atMs);
      case 'session.switched':
        this.#maker.agent = body.to;
        this.#conversation = null;
        return [];
      case 'session.ended':
        return this.#over(body, atMs);
      case 'run.starting':
        return this.#started(body, atMs);
      case 'run.faulted':
        return this.#runOver({ 'outlast.fault': body.fault.kind }, atMs, body.fault.kind);
      case 'run.ended': {
        const status = body.exit?.status ?? null;
        const isBad = this.#maker.agent === 'command' && status !== 0;
        return this.#runOver({ 'process.exit.code': status }, atMs, isBad ? 'exit' : null);
      }
      case 'conversation.opened':
        this.#conversation = body.conversation;
        return [];
      case 'tool.called':
        return this.#tools.called(body, this.#parentOf(body.run), seq, atMs);
      case 'tool.ended':
        return this.#tools.ended(body, { ...body, seq }, this.#parentOf(body.run), atMs);
      case 'tool.denied': {
        const end = { error: body.why, tookMs: null, seq, isDenied: true } as const;
        return this.#tools.ended({ ...body, call: null }, end, this.#parentOf(body.run), atMs);
      }
      default:
        return this.#inTurn(body, seq, atMs);
    }
  }

  #inTurn(body: EventBody, seq: number, atMs: number): SpanRecord[] {
    const conversation = this.#conversation;
    switch (body.type) {
      case 'prompt.queued':
        this.#turns.queued(body);
        return [];
      case 'prompt.sending':
        return this.#turns.sending(body, this.#place(body.run), atMs);
      case 'prompt.answered':
        return this.#turns.over(body.prompt, { reply: body.reply, outcome: 'answered', conversation }, atMs);
      case 'prompt.failed':
        return this.#turns.over(body.prompt, { outcome: 'failed', text: body.error, conversation }, atMs);
      case 'prompt.interrupted':
        return this.#turns.over(body.prompt, { outcome: 'interrupted', conversation }, atMs);
      case 'prompt.dropped':
        return this.#turns.over(body.prompt, { outcome: 'dropped', conversation }, atMs);
      case 'prompt.troubled':
        return this.#turns.over(body.prompt, { outcome: body.trouble.kind, text: body.text, conversation }, atMs);
      case 'turn.started':
        return this.#turns.started(seq, body.text, this.#place(body.run), atMs);
      case 'turn.ended': {
        const outcome = body.trouble?.kind ?? 'answered';
        return this.#turns.over(null, { outcome, reply: body.reply, conversation }, atMs);
      }
      case 'usage.counted':
        return this.#turns.counted(body);
      default:
        return [];
    }
  }

  #place(run: number): TurnPlace {
    const model = this.#spec?.conversation?.model ?? null;
    return { parent: this.#runSpan(run), conversation: this.#conversation, model };
  }

  #parentOf(run: number): string {
    return this.#turns.span ?? this.#runSpan(run);
  }

  #runSpan(run: number): string {
    return spanId('run', this.#maker.session, run);
  }

  #sessionSpan(): string {
    return spanId('session', this.#maker.session, this.#life);
  }

  #created(spec: Spec, atMs: number): SpanRecord[] {
    this.#spec = spec;
    this.#maker.agent = spec.agent;
    this.#conversation = spec.conversation?.id ?? null;
    if (spec.owner !== undefined) this.#maker.useRoot(spec.owner.root);
    return this.#begin(atMs);
  }

  #begin(atMs: number): SpanRecord[] {
    const { name = null, drive = null, workspace = '', argv = [], owner } = this.#spec ?? {};
    this.#own = this.#maker.begin({
      ...{ span: this.#sessionSpan(), name: 'session', kind: 'internal', startMs: atMs },
      parent: owner === undefined ? null : spanId('session', owner.session, 1),
      attributes: { 'outlast.session.name': name, 'outlast.drive': drive },
      content: { 'outlast.workspace': workspace, 'process.command_line': argv.join(' ') },
    });
    return [];
  }

  #started({ run, how }: Body<'run.starting'>, atMs: number): SpanRecord[] {
    const left = this.#runOver({}, atMs, null);
    const open = this.#maker.begin({
      ...{ span: this.#runSpan(run), parent: this.#sessionSpan(), name: 'run', kind: 'internal', startMs: atMs },
      attributes: { 'outlast.run': run, 'outlast.run.how': how },
    });
    this.#run = { number: run, open };
    return left;
  }

  #runOver(attributes: Attributes, atMs: number, error: string | null): SpanRecord[] {
    const calls = this.#tools.over(atMs);
    const run = this.#run;
    if (run === null) return calls;
    this.#run = null;
    this.#maker.add(run.open, attributes);
    return [...calls, this.#maker.end(run.open, atMs, error)];
  }

  #over({ outcome }: Body<'session.ended'>, atMs: number): SpanRecord[] {
    const left = [...this.#turns.close(atMs), ...this.#runOver({}, atMs, null)];
    const own = this.#own;
    if (own === null) return left;
    this.#own = null;
    this.#maker.add(own, { 'outlast.outcome': outcome.kind });
    const isBad = outcome.kind === 'failed' || outcome.kind === 'abandoned';
    return [...left, this.#maker.end(own, atMs, isBad ? outcome.kind : null)];
  }
}
