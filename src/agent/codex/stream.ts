import type { ConversationId } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { Listener, TurnEnd } from '../seam/turns.ts';
import { toolOf } from './items.ts';
import { failureOf } from './rollout.ts';
import { troubleOf } from './trouble.ts';

/** The state of the reader of a stream. */
interface Known {
  /** The last text of the model. */
  readonly reply: string;
  /** Null until something final was reported. Errors before that are retried. */
  readonly end: { readonly is: 'completed' } | { readonly is: 'failed'; readonly error: Fields } | null;
}

/**
 * Reads the output of `codex exec --json` to find out how the turn ended. The tokens in it are the total of the whole
 * conversation, so they are not counted here: the rollout has them for each message.
 */
export const codexStream: LineReader<Known, (nowMs: number) => TurnEnd | null> = {
  empty: { reply: '', end: null },
  read: (known, text) =>
    readJsonLines(text).lines.reduce((all, line) => (line.is === 'object' ? after(all, line.fields) : all), known),
  view:
    ({ reply, end }) =>
    (nowMs) => {
      if (end === null) return null;
      if (end.is === 'completed') return { turn: 'closed', reply };
      const failure = failureOf(end.error);
      return { turn: 'failed', reply: failure.text, trouble: troubleOf(failure, nowMs) };
    },
};

function after(known: Known, line: Fields): Known {
  switch (line.type) {
    case 'turn.started':
      return { reply: '', end: null };
    case 'item.completed': {
      const item = asFields(line.item) ?? {};
      return item.type === 'agent_message' ? { ...known, reply: asText(item.text) ?? '' } : known;
    }
    case 'turn.completed':
      return { ...known, end: { is: 'completed' } };
    case 'turn.failed':
      return { ...known, end: { is: 'failed', error: asFields(line.error) ?? {} } };
    default:
      return known;
  }
}

/**
 * Reads the output of `codex exec --json`: the conversation id, that the prompt was received, tool calls, the reply.
 * Why a turn failed is read when its process has ended.
 */
export function codexListener(run: number): Listener {
  let known = codexStream.empty;
  return (line) => {
    const fields = readObject(line);
    if (fields === null) return [];
    known = after(known, fields);
    if (fields.type === 'turn.completed') return [stopped(run, known.reply)];
    const conversation = asText(fields.thread_id);
    if (fields.type === 'thread.started' && conversation !== null) {
      const opened = { type: 'hook.opened', run, conversation: conversation as ConversationId } as const;
      return [{ ...opened, transcript: null, source: 'startup' }];
    }
    if (fields.type === 'turn.started') return [{ type: 'hook.prompted', run, token: null, turnId: null, text: '' }];
    return itemReports(run, fields);
  };
}

function stopped(run: number, reply: string): HookReport {
  return { type: 'hook.stopped', run, turnId: null, reply, trouble: null, more: false };
}

function itemReports(run: number, fields: Fields): HookReport[] {
  const item = asFields(fields.item) ?? {};
  const tool = toolOf(item);
  if (tool === null) return [];
  const [id, name] = [asText(item.id), tool.name];
  if (fields.type === 'item.started')
    return [{ type: 'hook.noted', run, fact: toolCalled(run, { id, name, input: tool.input, subagent: null }) }];
  if (fields.type !== 'item.completed') return [];
  const tookMs = asNumber(item.durationMs);
  return [{ type: 'hook.noted', run, fact: toolEnded(run, { id, name, error: tool.error, tookMs }) }];
}
