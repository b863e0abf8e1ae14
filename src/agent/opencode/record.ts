import type { OpenCall } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { Counted } from '../../core/usage.ts';
import { lineRecord } from '../seam/line-record.ts';
import { MessageLog } from '../seam/message-log.ts';
import { NO_PROMPTS, withPrompts } from '../seam/prompt-log.ts';
import type { RecordedPrompt, RecordReader, TranscriptView } from '../seam/record.ts';
import { plainKey } from '../seam/text-key.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { type Part, type Reply, type Row, rowsOf } from './rows.ts';
import { errorText, isAborted, troubleOf } from './trouble.ts';

/** How many of the last turns are kept with their messages: their rows may still change. */
const TURNS_MAX = 4;
/** How many messages of each turn are kept: a turn may have thousands of steps. */
const REPLIES_MAX = 8;

/** The relevant content of a part. */
type Kept =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'open'; readonly call: OpenCall }
  | { readonly is: 'compacted' };

interface Message {
  readonly row: Reply | null;
  readonly parts: ReadonlyMap<string, Kept>;
}

/** A message of the user, and the messages that answer it. */
interface Turn {
  readonly isGiven: boolean;
  readonly atMs: number | null;
  readonly parts: ReadonlyMap<string, Kept>;
  readonly replies: ReadonlyMap<string, Message>;
}

const NO_TURN: Turn = { isGiven: false, atMs: null, parts: new Map(), replies: new Map() };

/**
 * The state of a conversation, from its rows. Rows are updated in place, so each may come again, and they come in the
 * order of their updates. Ids grow with time.
 */
class Rows {
  #over = NO_PROMPTS;
  /** Everything older than this was dropped. */
  #since = '';
  #turns: ReadonlyMap<string, Turn> = new Map();
  #spoken = new MessageLog();
  #prompts = 0;

  copy(spoken = this.#spoken.copy()): Rows {
    const copy = new Rows();
    copy.#over = this.#over;
    copy.#since = this.#since;
    copy.#turns = this.#turns;
    copy.#spoken = spoken;
    copy.#prompts = this.#prompts;
    return copy;
  }

  add(row: Row): void {
    if (row.is === 'unreadable') return;
    if (row.is === 'user') this.#change(row.id, { isGiven: true, atMs: row.atMs });
    if (row.is === 'reply') this.#reply(row);
    if (row.is === 'part') this.#part(row.message, row.id, row.part);
  }

  get view(): TranscriptView {
    const [last] = [...this.#turns.values()].slice(-1);
    const { prompts, isCut } = this.#over;
    return {
      isBegun: prompts.length > 0 || this.#turns.size > 0,
      isCut,
      prompts: [...prompts, ...[...this.#turns].flatMap(([id, turn]) => promptsIn(id, turn))],
      messages: this.#spoken.all,
      contexts: [],
      open: last === undefined || endOf(last).turn !== 'open' ? [] : openIn(last),
    };
  }

  settled(counted: Counted): Rows {
    const spoken = this.#spoken.after(counted);
    return spoken === this.#spoken ? this : this.copy(spoken);
  }

  #reply(row: Reply): void {
    const { id, prompt, model, tokens, byKind, usd, atMs } = row;
    const said = { message: id, model, tokens, byKind, weight: tokens, usd, atMs, usdBefore: 0 };
    if (tokens > 0) this.#spoken.put({ ...said, prompt: this.#prompts });
    const replies = this.#turns.get(prompt)?.replies ?? new Map<string, Message>();
    const parts = replies.get(id)?.parts ?? new Map<string, Kept>();
    this.#change(prompt, { replies: newest(new Map(replies).set(id, { row, parts }), REPLIES_MAX) });
  }

  /** Adds a part. Its id names its message; the role is in the message itself, which may come later. */
  #part(message: string, id: string, part: Part): void {
    const [prompt] = [...this.#turns].find(([, { replies }]) => replies.has(message)) ?? [];
    const kept = keptOf(part);
    if (prompt === undefined) {
      const { parts } = this.#turns.get(message) ?? NO_TURN;
      this.#change(message, { parts: withPart(parts, id, kept) });
      return;
    }
    const replies = new Map(this.#turns.get(prompt)?.replies);
    const known = replies.get(message);
    replies.set(message, { row: known?.row ?? null, parts: withPart(known?.parts ?? new Map(), id, kept) });
    this.#change(prompt, { replies });
  }

  #change(id: string, change: Partial<Turn>): void {
    if (id <= this.#since) return;
    const known = this.#turns.get(id);
    if (change.isGiven === true && known?.isGiven !== true) this.#prompts += 1;
    const turns = new Map(this.#turns).set(id, { ...(known ?? NO_TURN), ...change });
    // A part that came before its model message was attributed to the user.
    for (const [reply, message] of change.replies ?? []) {
      const early = turns.get(reply);
      if (early === undefined || early.isGiven) continue;
      turns.delete(reply);
      const parts = new Map([...early.parts, ...message.parts]);
      const replies = new Map(turns.get(id)?.replies).set(reply, { ...message, parts });
      turns.set(id, { ...(turns.get(id) ?? NO_TURN), replies });
    }
    this.#turns = sorted(turns);
    this.#letGo();
  }

  #letGo(): void {
    const given = [...this.#turns].filter(([, { isGiven }]) => isGiven);
    const [oldest] = given;
    if (given.length <= TURNS_MAX || oldest === undefined) return;
    const [id, turn] = oldest;
    this.#over = withPrompts(this.#over, promptsIn(id, turn));
    this.#since = id;
    this.#turns = new Map([...this.#turns].filter(([each]) => each > id));
  }
}

/** Reads the rows of an OpenCode conversation, one per line. */
export const opencodeRecord: RecordReader<Rows> = lineRecord(new Rows(), rowsOf);

function promptsIn(id: string, turn: Turn): RecordedPrompt[] {
  const parts = [...turn.parts.values()];
  const text = textIn(turn.parts);
  // A message without a text is incomplete; one that begins a compaction is not a prompt.
  if (!turn.isGiven || text === '' || parts.some(({ is }) => is === 'compacted')) return [];
  return [{ keys: [plainKey(text)], turnId: id, isSteered: false, atMs: turn.atMs, given: id, ...endOf(turn) }];
}

function endOf({ replies }: Turn): TurnEnd {
  const all = [...replies.values()];
  const last = all.findLast(({ row }) => row !== null)?.row ?? null;
  const reply = all.map(({ parts }) => textIn(parts)).findLast((text) => text !== '') ?? '';
  if (last === null) return { turn: 'open', reply };
  const { error, finish, isWhole, atMs } = last;
  if (error !== null && isAborted(error)) return { turn: 'interrupted', reply };
  if (error !== null) return { turn: 'failed', reply: errorText(error), trouble: troubleOf(error, atMs ?? 0) };
  // A reply that was stopped while the model was asked again is complete, and has neither an end nor an error.
  if (isWhole && finish === null) return { turn: 'interrupted', reply };
  return { turn: isWhole && finish !== 'tool-calls' ? 'closed' : 'open', reply };
}

function openIn({ replies }: Turn): OpenCall[] {
  const parts = [...replies.values()].flatMap((message) => [...message.parts.values()]);
  return parts.flatMap((part) => (part.is === 'open' ? part.call : []));
}

function keptOf(part: Part): Kept | null {
  if (part.is === 'text' || part.is === 'compacted') return part;
  if (part.is !== 'tool' || part.result !== null) return null;
  const { call: id, tool, input } = part;
  return { is: 'open', call: { id, tool, input: shortened(JSON.stringify(input) ?? '') } };
}

function withPart(parts: ReadonlyMap<string, Kept>, id: string, part: Kept | null): ReadonlyMap<string, Kept> {
  const all = new Map(parts);
  if (part === null) all.delete(id);
  else all.set(id, part);
  return sorted(all);
}

function textIn(parts: ReadonlyMap<string, Kept>): string {
  return [...parts.values()].flatMap((part) => (part.is === 'text' ? part.text : [])).join('\n');
}

function newest<V>(entries: ReadonlyMap<string, V>, max: number): ReadonlyMap<string, V> {
  return new Map([...sorted(entries)].slice(-max));
}

function sorted<V>(entries: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
