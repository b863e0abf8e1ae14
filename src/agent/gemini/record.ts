import type { Counted } from '../../core/usage.ts';
import { readJsonLines } from '../seam/json.ts';
import { MessageLog } from '../seam/message-log.ts';
import { NO_PROMPTS, withPrompts } from '../seam/prompt-log.ts';
import type { RecordedPrompt, RecordReader, TranscriptView } from '../seam/record.ts';
import { plainKey } from '../seam/text-key.ts';
import { changeOf, type Message } from './chat.ts';
import { messagesAfter } from './messages.ts';

/** How many messages are kept, and how much text of them, except the last. */
const KEPT_MAX = 4_000;
const CHARS_MAX = 4 * 1024 * 1024;
const KEPT_MIN = 64;

/** The state of a conversation file: the last messages, and those to be counted. */
interface Known {
  readonly messages: readonly Message[];
  readonly isCut: boolean;
  readonly spoken: MessageLog;
  /** When prompts were recorded first, by their id: copies have the time of the copy. */
  readonly times: ReadonlyMap<string, number>;
  /** How many prompts there were. */
  readonly count: number;
}

/** Reads a conversation of Gemini CLI. */
export const geminiRecord: RecordReader<Known> = {
  empty: { messages: [], isCut: false, spoken: new MessageLog(), times: new Map(), count: 0 },
  read: (known, text) => {
    const all = messagesAfter(known.messages, text);
    if (all === known.messages) return known;
    const messages = bounded(all);
    const isCut = messages.length < all.length || (known.isCut && messages.length > 0);
    return { ...known, messages, isCut, ...written(known, text) };
  },
  view,
  settle: (known, counted: Counted) => ({ ...known, spoken: known.spoken.after(counted) }),
  keysOf: (text) => [plainKey(text)],
};

function view({ messages, isCut, spoken, times }: Known): TranscriptView {
  const log = withPrompts(NO_PROMPTS, promptsOf(messages, times));
  return {
    // Gemini CLI can resume it as soon as there is more than what it says about the machine itself.
    isBegun: messages.some(({ is }) => is === 'prompt' || is === 'reply'),
    isCut: isCut || log.isCut,
    prompts: log.prompts,
    messages: spoken.all,
    contexts: [],
    // Calls that run are not recorded.
    open: [],
  };
}

/**
 * The prompts and what followed them. A call is recorded when it is over, so a last answer without one may be the end
 * of the turn or not: only the output tells.
 */
function promptsOf(messages: readonly Message[], times: Known['times']): RecordedPrompt[] {
  const prompts: RecordedPrompt[] = [];
  for (const message of messages) {
    const last = prompts.at(-1);
    if (message.is === 'prompt') {
      if (last !== undefined) prompts[prompts.length - 1] = followed(last);
      const { id: turnId, texts } = message;
      // Files that a prompt names are added to it, as further texts.
      const keys = [...new Set([plainKey(texts.join('\n')), plainKey(texts[0] ?? '')])];
      prompts.push({ keys, turnId, isSteered: false, atMs: times.get(turnId) ?? 0, turn: 'open', reply: '' });
    } else if (message.is === 'reply' && last !== undefined)
      prompts[prompts.length - 1] = replied(last, message.calls.length === 0 ? message.text : '');
  }
  return prompts;
}

/** A turn that another one follows is over if it was answered. */
function followed({ mayBeOver: _, ...prompt }: RecordedPrompt): RecordedPrompt {
  return { ...prompt, turn: prompt.reply === '' ? 'open' : 'closed' };
}

function replied({ mayBeOver: _, ...prompt }: RecordedPrompt, reply: string): RecordedPrompt {
  return { ...prompt, reply, ...(reply === '' ? {} : { mayBeOver: true }) };
}

/** What was written by a turn, and not copied: what it used up stays so, even if the messages are replaced later. */
function written(known: Known, text: string): Pick<Known, 'spoken' | 'times' | 'count'> {
  const [spoken, times] = [known.spoken.copy(), new Map(known.times)];
  let { count } = known;
  for (const line of readJsonLines(text).lines) {
    const change = changeOf(line);
    const message = change?.do === 'put' ? change.message : null;
    if (message?.is === 'prompt') {
      count += 1;
      times.set(message.id, message.atMs);
      if (times.size > KEPT_MAX) times.delete(times.keys().next().value ?? '');
    }
    if (message?.is !== 'reply' || message.tokens === 0) continue;
    const { id, model, tokens, byKind, atMs } = message;
    spoken.put({ message: id, model, tokens, byKind, weight: tokens, atMs, prompt: count, usdBefore: 0 });
  }
  return { spoken, times, count };
}

/** The end of these messages, with a limited amount of text. */
function bounded(messages: readonly Message[]): readonly Message[] {
  let chars = 0;
  const from = messages.findLastIndex((message, i) => {
    chars += JSON.stringify(message).length;
    const kept = messages.length - i;
    return kept > KEPT_MAX || (chars > CHARS_MAX && kept > KEPT_MIN);
  });
  return from < 0 ? messages : messages.slice(from + 1);
}
