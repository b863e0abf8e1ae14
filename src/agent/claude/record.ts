import type { Counted } from '../../core/usage.ts';
import { readJsonLines } from '../seam/json.ts';
import type { RecordReader } from '../seam/record.ts';
import { contextsIn } from './context.ts';
import { MessagesSoFar } from './messages-so-far.ts';
import { keysOf } from './prompt-text.ts';
import { RecordedPrompts } from './recorded-prompts.ts';
import { entriesOf } from './transcript.ts';

/** Contexts that hooks added are looked up soon after. */
const CONTEXTS_MAX = 64;
const CONTEXTS_CHARS_MAX = 1024 * 1024;

/** The state of the reader of a transcript. */
interface Known {
  readonly prompts: RecordedPrompts;
  readonly messages: MessagesSoFar;
  readonly contexts: readonly string[];
}

/** Reads a transcript of Claude Code in the order of the file: parent ids can be wrong or form cycles. */
export const claudeRecord: RecordReader<Known> = {
  empty: { prompts: new RecordedPrompts(), messages: new MessagesSoFar(), contexts: [] },
  read: (known, text) => {
    const { lines } = readJsonLines(text);
    if (lines.length === 0) return known;
    const [prompts, messages] = [known.prompts.copy(), known.messages.copy()];
    for (const entry of lines.flatMap(entriesOf)) {
      prompts.add(entry);
      messages.add(entry);
    }
    return { prompts, messages, contexts: lastOf([...known.contexts, ...lines.flatMap(contextsIn)]) };
  },
  view: ({ prompts: recorded, messages, contexts }) => {
    const { isBegun, isCut, prompts, open } = recorded;
    return { isBegun, isCut, prompts, messages: messages.all, contexts, open };
  },
  settle: (known, counted: Counted) => ({ ...known, messages: known.messages.after(counted) }),
  keysOf,
};

function lastOf(contexts: readonly string[]): readonly string[] {
  let chars = 0;
  const from = contexts.findLastIndex((text, i) => {
    chars += text.length;
    return i < contexts.length - CONTEXTS_MAX || (chars > CONTEXTS_CHARS_MAX && i < contexts.length - 1);
  });
  return from < 0 ? contexts : contexts.slice(from + 1);
}
