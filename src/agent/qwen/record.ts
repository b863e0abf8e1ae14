import type { OpenCall } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { Counted } from '../../core/usage.ts';
import { readJsonLines } from '../seam/json.ts';
import { MessageLog } from '../seam/message-log.ts';
import { NO_PROMPTS, withPrompts } from '../seam/prompt-log.ts';
import type { RecordedPrompt, RecordReader, TranscriptView } from '../seam/record.ts';
import { plainKey } from '../seam/text-key.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { type Entry, entriesOf, type Given, type Reply, replyText } from './chat.ts';
import { isTriedAgain, troubleOf } from './trouble.ts';

/** How many prompts of one turn are kept, and how many calls without a result. */
const TURN_MAX = 1_000;

/** The last turn: its prompts, its calls without a result, and how it stands. */
interface LastTurn {
  readonly prompts: readonly Omit<RecordedPrompt, keyof TurnEnd>[];
  readonly calls: ReadonlyMap<string, OpenCall>;
  readonly end: TurnEnd;
  /** The model has answered the last request to its end. */
  readonly isResponded: boolean;
}

const OPEN: TurnEnd = { turn: 'open', reply: '' };

/** The state of a conversation file. It keeps only what decides, however long the conversation gets. */
interface Known {
  readonly over: typeof NO_PROMPTS;
  readonly turn: LastTurn | null;
  readonly spoken: MessageLog;
  /** How many prompts there were. */
  readonly count: number;
  readonly isBegun: boolean;
}

/** Reads a conversation of Qwen Code. A turn is everything from one typed prompt to the next. */
export const qwenRecord: RecordReader<Known> = {
  empty: { over: NO_PROMPTS, turn: null, spoken: new MessageLog(), count: 0, isBegun: false },
  read: (known, text) => {
    const entries = readJsonLines(text).lines.flatMap(entriesOf);
    return entries.length === 0 ? known : entries.reduce(after, { ...known, spoken: known.spoken.copy() });
  },
  view,
  settle: (known, counted: Counted) => ({ ...known, spoken: known.spoken.after(counted) }),
  keysOf: (text) => [plainKey(text)],
};

function view({ over, turn, spoken, isBegun }: Known): TranscriptView {
  const isOver = turn === null || turn.end.turn !== 'open';
  return {
    isBegun,
    isCut: over.isCut,
    prompts: [...over.prompts, ...endsOf(turn)],
    messages: spoken.all,
    contexts: [],
    open: isOver ? [] : [...turn.calls.values()],
  };
}

function after(known: Known, entry: Entry): Known {
  switch (entry.is) {
    case 'prompt':
      return prompted(known, entry);
    case 'reply':
      return replied(known, entry);
    case 'results': {
      const done = new Set(entry.results.map(({ id }) => id));
      return changed(known, ({ calls }) => ({ calls: new Map([...calls].filter(([id]) => !done.has(id))) }));
    }
    case 'responded':
      return changed(known, () => ({ isResponded: true }));
    case 'refused': {
      // The process may be about to ask again.
      if (isTriedAgain(entry)) return known;
      const trouble = troubleOf(entry, entry.atMs ?? 0);
      return changed(known, () => ({ end: { turn: 'failed', reply: entry.text, trouble } }));
    }
    default:
      return known;
  }
}

function prompted(known: Known, { id, text, how, atMs }: Given): Known {
  if (how === 'nudge') return { ...known, isBegun: true };
  const isSteered = how === 'steering';
  // A process that stays does not see the turns of another one: their ids show that there are some.
  const prompt = { keys: [plainKey(text)], turnId: isSteered ? null : id, isSteered, atMs };
  const counted = { ...known, count: known.count + 1, isBegun: true };
  const { turn } = known;
  if (isSteered && turn !== null)
    return { ...counted, turn: { ...turn, prompts: [...turn.prompts, prompt].slice(-TURN_MAX), end: OPEN } };
  return {
    ...counted,
    over: withPrompts(known.over, endsOf(turn)),
    turn: { prompts: [prompt], calls: new Map(), end: OPEN, isResponded: false },
  };
}

/** An answer without a call ends the turn, unless the process was terminated in the middle of it. */
function replied(known: Known, reply: Reply): Known {
  const { message, model, tokens, byKind, atMs, blocks } = reply;
  const counted = { message, model, tokens, byKind, weight: tokens, atMs, prompt: known.count, usdBefore: 0 };
  if (tokens > 0) known.spoken.put(counted);
  const made = blocks.flatMap((block) => (block.is === 'call' ? [block] : []));
  const text = replyText(reply);
  return changed(known, ({ calls, isResponded }) => {
    const isLast = made.length === 0 && text !== '' && (isResponded || tokens > 0);
    const added = made.map(({ id, name, input }) => [id, { id, tool: name, input: inputText(input) }] as const);
    return {
      calls: new Map([...calls, ...added].slice(-TURN_MAX)),
      end: { turn: isLast ? 'closed' : 'open', reply: text },
      isResponded: false,
    };
  });
}

function changed(known: Known, change: (turn: LastTurn) => Partial<LastTurn>): Known {
  const { turn } = known;
  return turn === null ? { ...known, isBegun: true } : { ...known, turn: { ...turn, ...change(turn) } };
}

function endsOf(turn: LastTurn | null): RecordedPrompt[] {
  return turn === null ? [] : turn.prompts.map((prompt) => ({ ...prompt, ...turn.end }));
}

function inputText(input: unknown): string {
  return shortened(JSON.stringify(input) ?? '');
}
