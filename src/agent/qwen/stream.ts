import type { ConversationId } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asFields, asText, type Fields, readJsonLines, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { ToolListener } from '../seam/message-tools.ts';
import type { Listener, TurnEnd } from '../seam/turns.ts';
import { failureIn, troubleOf } from './trouble.ts';

/**
 * Reads the output of a process of one turn to find out how the turn ended. The tokens in it are the total of the whole
 * conversation, so they are not counted here: the record has them for each message.
 */
export const qwenStream: LineReader<Fields | null, (nowMs: number) => TurnEnd | null> = {
  empty: null,
  read: (known, text) =>
    readJsonLines(text).lines.reduce((last, line) => (line.is === 'object' ? after(last, line.fields) : last), known),
  view: (result) => (nowMs) => (result === null ? null : endOf(result, nowMs)),
};

/** The last result, unless more followed: the end of a background task begins another turn. */
function after(last: Fields | null, line: Fields): Fields | null {
  if (line.type === 'result') return line;
  return line.type === 'assistant' && asText(line.parent_tool_use_id) === null ? null : last;
}

/** How a turn ended, by its result. */
export function endOf(result: Fields, nowMs: number): TurnEnd {
  // A result without an explicit success is an error.
  if (result.is_error === false) return { turn: 'closed', reply: asText(result.result) ?? '' };
  const said = asText(asFields(result.error)?.message) ?? asText(result.result) ?? 'no reason given';
  if (/^(operation cancelled|request (was )?cancelled|aborted)/i.test(said)) return { turn: 'interrupted', reply: '' };
  const failure = failureIn(said);
  return { turn: 'failed', reply: failure.text, trouble: troubleOf(failure, nowMs) };
}

/** Reads the output of a process of one turn: the conversation, that the prompt was received, and tool calls. */
export function qwenListener(run: number): Listener {
  const tools = new ToolListener(run);
  let seen: 'nothing' | 'conversation' | 'prompt' = 'nothing';
  return (line) => {
    if (seen === 'prompt') return tools.hear(line);
    const fields = readObject(line);
    const conversation = asText(fields?.session_id);
    if (fields === null || conversation === null) return [];
    if (fields.type === 'system') {
      const isFirst = seen === 'nothing' && fields.subtype === 'init';
      seen = isFirst ? 'conversation' : seen;
      return isFirst ? [openedBy(run, conversation)] : [];
    }
    seen = 'prompt';
    const prompted: HookReport = { type: 'hook.prompted', run, token: null, turnId: null, text: '' };
    return [prompted, ...tools.hear(line)];
  };
}

/** A fork gets its id from Qwen Code, so every run says which conversation it is in. */
export function openedBy(run: number, conversation: string): HookReport {
  const id = conversation as ConversationId;
  return { type: 'hook.opened', run, conversation: id, transcript: null, source: 'startup' };
}
