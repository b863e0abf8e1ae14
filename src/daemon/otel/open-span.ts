import { type AttributeValue, type SpanRecord, traceId } from './span.ts';

/** A span that has begun. */
export interface OpenSpan {
  readonly span: string;
  readonly parent: string | null;
  readonly name: string;
  readonly kind: SpanRecord['kind'];
  readonly startMs: number;
  readonly attributes: Record<string, AttributeValue>;
}

export type Attributes = Readonly<Record<string, AttributeValue | null | undefined>>;

/** A span that begins. */
export interface Begun extends Pick<OpenSpan, 'span' | 'parent' | 'name' | 'kind' | 'startMs'> {
  readonly attributes: Attributes;
  /** Attributes that have what was said; they are left out unless the config wants them. */
  readonly content?: Attributes;
}

/** A longer text is cut: a collector refuses what is too large. */
const TEXT_CHARS_MAX = 8_192;

/** Begins and ends the spans of one session. */
export class SpanMaker {
  readonly session: string;
  /** Its agent now; another one may take over. */
  agent = 'unknown';
  #trace: string;
  readonly hasContent: boolean;

  constructor(session: string, hasContent: boolean) {
    this.session = session;
    this.hasContent = hasContent;
    this.#trace = traceId(session);
  }

  /** A session that another one started is in the trace of the first of them. */
  useRoot(root: string): void {
    this.#trace = traceId(root);
  }

  begin({ attributes, content = {}, ...begun }: Begun): OpenSpan {
    const whose = { 'outlast.session.id': this.session, 'gen_ai.agent.name': this.agent };
    const open = { ...begun, attributes: { ...whose } };
    this.add(open, attributes, content);
    return open;
  }

  add(open: OpenSpan, attributes: Attributes, content: Attributes = {}): void {
    for (const [name, value] of Object.entries(attributes))
      if (value !== null && value !== undefined) open.attributes[name] = value;
    if (!this.hasContent) return;
    for (const [name, value] of Object.entries(content))
      if (typeof value === 'string' && value !== '') open.attributes[name] = cutText(value);
  }

  end({ startMs, attributes, ...open }: OpenSpan, endMs: number, error: string | null): SpanRecord {
    const more = error === null ? {} : { 'error.type': error };
    // The wall clock may have been set back.
    const times = { startMs, endMs: Math.max(startMs, endMs) };
    return { trace: this.#trace, ...open, ...times, error, attributes: { ...attributes, ...more } };
  }
}

/** A message as the conventions have it; null: there is none. */
export function messageText(role: 'user' | 'assistant', content: string): string | null {
  if (content === '') return null;
  // Cut before it is JSON, with room for the rest.
  return JSON.stringify([{ role, parts: [{ type: 'text', content: content.slice(0, TEXT_CHARS_MAX / 2) }] }]);
}

function cutText(text: string): string {
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
}
