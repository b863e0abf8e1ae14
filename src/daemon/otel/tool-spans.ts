import type { EventBody } from '../../core/event.ts';
import type { OpenSpan, SpanMaker } from './open-span.ts';
import { type SpanRecord, spanId } from './span.ts';

interface OpenCall extends OpenSpan {
  readonly tool: string;
}

/** A call for which no event of its beginning is known has no input. */
type Called = { readonly call: string | null; readonly input?: string; readonly subagent?: string | null };

/** How a call ended. */
interface End {
  readonly error: string | null;
  readonly tookMs: number | null;
  readonly seq: number;
  /** It was not allowed. */
  readonly isDenied?: true;
}

/** An agent that never reports the end of a call does not fill the memory. */
const CALLS_MAX = 1_000;

/** The tool calls of a session that have begun. */
export class ToolSpans {
  readonly #maker: SpanMaker;
  readonly #calls = new Map<string, OpenCall>();

  constructor(maker: SpanMaker) {
    this.#maker = maker;
  }

  /** A call begins. `parent`: the turn, or the run. */
  called(body: Extract<EventBody, { type: 'tool.called' }>, parent: string, seq: number, atMs: number): SpanRecord[] {
    const key = body.call ?? `#${seq}`;
    const left = this.#calls.size >= CALLS_MAX ? this.#forget(atMs) : [];
    this.#calls.set(key, this.#open(key, body, { parent, run: body.run, atMs }, body));
    return left;
  }

  /** A call ends. One whose beginning was not reported has the time that it took. */
  ended(
    { tool, call, run }: { tool: string; call: string | null; run: number },
    end: End,
    parent: string,
    atMs: number,
  ): SpanRecord[] {
    const key = call ?? [...this.#calls].find(([, open]) => open.tool === tool)?.[0] ?? `#${end.seq}`;
    const place = { parent, run, atMs: atMs - (end.tookMs ?? 0) };
    const open = this.#calls.get(key) ?? this.#open(key, { tool }, place, { call });
    this.#calls.delete(key);
    this.#maker.add(open, {}, { 'exception.message': end.error });
    const error = end.isDenied ? 'denied' : 'tool_error';
    return [this.#end(open, atMs, end.error === null ? null : error)];
  }

  /** Their run is over. */
  over(atMs: number): SpanRecord[] {
    const left = [...this.#calls.values()].map((call) => this.#end(call, atMs, 'unfinished'));
    this.#calls.clear();
    return left;
  }

  #open(
    key: string,
    { tool }: { tool: string },
    { parent, run, atMs }: { parent: string; run: number; atMs: number },
    { call, input, subagent }: Called,
  ): OpenCall {
    const begun = this.#maker.begin({
      ...{ span: spanId('tool', this.#maker.session, run, key), parent, kind: 'internal', startMs: atMs },
      name: `execute_tool ${tool}`,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.id': call,
        'outlast.subagent': (subagent ?? null) === null ? null : true,
      },
      content: { 'gen_ai.tool.call.arguments': input },
    });
    return { ...begun, tool };
  }

  #end({ tool: _, ...open }: OpenCall, atMs: number, error: string | null): SpanRecord {
    return this.#maker.end(open, atMs, error);
  }

  #forget(atMs: number): SpanRecord[] {
    const [oldest] = this.#calls;
    if (oldest === undefined) return [];
    this.#calls.delete(oldest[0]);
    return [this.#end(oldest[1], atMs, 'unfinished')];
  }
}
