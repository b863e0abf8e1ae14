import type { Counted } from '../../core/usage.ts';
import { readJsonLines } from '../seam/json.ts';
import type { RecordReader } from '../seam/record.ts';
import { contextsIn } from './context.ts';
import { keysOf } from './heard-text.ts';
import { MessagesSoFar } from './messages-so-far.ts';
import { RecordedPrompts } from './recorded-prompts.ts';
import { entriesOf } from './transcript.ts';

/** What hooks told the agent is looked for soon after they did. */
const CONTEXTS_MAX = 64;
const CONTEXTS_CHARS_MAX = 1024 * 1024;

/** What is kept of a transcript. */
interface Known {
  readonly prompts: RecordedPrompts;
  readonly messages: MessagesSoFar;
  readonly contexts: readonly string[];
}

/** Reads a transcript of Claude Code. The order of the file counts: parent ids can be wrong or go in circles. */
export const claudeRecord: RecordReader<Known> = {
  empty: { prompts: new RecordedPrompts(), messages: new MessagesSoFar(), contexts: [] },
  read: (known, text) => {
    const { lines } = readJsonLines(text);
    if (lines.length === 0) return known;
    const [heard, spoken] = [known.prompts.copy(), known.messages.copy()];
    for (const entry of lines.flatMap(entriesOf)) {
      heard.add(entry);
      spoken.add(entry);
    }
    return { prompts: heard, messages: spoken, contexts: lastOf([...known.contexts, ...lines.flatMap(contextsIn)]) };
  },
  view: ({ prompts: heard, messages: spoken, contexts }) => {
    const { isBegun, isCut, prompts, open } = heard;
    return { isBegun, isCut, prompts, messages: spoken.all, contexts, open };
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
