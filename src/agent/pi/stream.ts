import type { ConversationId } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asFields, asText, type Fields, readJsonLines, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { loginRefusal } from '../seam/login-refusal.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { Listener, RunExit, TurnEnd } from '../seam/turns.ts';
import { messageOf, type Reply } from './message.ts';
import { endOf } from './record.ts';

/** The state of the reader of a stream. */
interface Known {
  /** The last response of the model. */
  readonly last: Reply | null;
  /** pi says that it will not go on by itself: it retries and compacts without being asked. */
  readonly isSettled: boolean;
  readonly tokens: number;
  readonly usd: number;
}

/** Without a login it exits before it asks a model. */
const LOGGED_OUT = /^No (API key|models?) (found|available)/;

/** Reads the output of `pi --mode json` to find out how the turn ended. Its exit status is 0 also when it failed. */
export const piStream: LineReader<Known, (nowMs: number, exit?: RunExit) => TurnEnd | null> = {
  empty: { last: null, isSettled: false, tokens: 0, usd: 0 },
  read: (known, text) =>
    readJsonLines(text).lines.reduce((all, line) => (line.is === 'object' ? after(all, line.fields) : all), known),
  view:
    ({ last, isSettled, tokens, usd }) =>
    (nowMs, exit) => {
      if (last === null) return loginRefusal(exit, LOGGED_OUT);
      return isSettled ? { ...endOf(last, nowMs), used: { tokens, usd: usd > 0 ? usd : null } } : null;
    },
};

function after(known: Known, line: Fields): Known {
  switch (line.type) {
    case 'agent_start':
      return { ...known, isSettled: false };
    case 'agent_settled':
      return { ...known, isSettled: true };
    case 'message_end': {
      const message = messageOf(line.message);
      if (message?.is !== 'reply') return known;
      const { tokens, usd } = message.used;
      return { ...known, last: message, tokens: known.tokens + tokens, usd: known.usd + usd };
    }
    default:
      return known;
  }
}

/**
 * Reads the output of `pi --mode json`: the conversation, that the prompt was received, tool calls, the reply. Why a
 * turn failed is read when its process has ended.
 */
export function piListener(run: number): Listener {
  let known = piStream.empty;
  return (line) => {
    // Most lines are pieces of a text, which say nothing that is needed here.
    if (line.startsWith('{"type":"message_update"')) return [];
    const fields = readObject(line);
    if (fields === null) return [];
    known = after(known, fields);
    return fields.type === 'agent_settled' ? settled(run, known.last) : reportsOf(run, fields);
  };
}

function settled(run: number, last: Reply | null): HookReport[] {
  const end = last === null ? null : endOf(last, 0);
  if (end?.turn !== 'closed') return [];
  return [{ type: 'hook.stopped', run, turnId: null, reply: end.reply, trouble: null, more: false }];
}

function reportsOf(run: number, fields: Fields): HookReport[] {
  const [id, name] = [asText(fields.toolCallId), asText(fields.toolName) ?? 'unknown'];
  switch (fields.type) {
    case 'session': {
      const conversation = asText(fields.id) as ConversationId | null;
      if (conversation === null) return [];
      return [{ type: 'hook.opened', run, conversation, transcript: null, source: 'startup' }];
    }
    case 'message_end':
      if (messageOf(fields.message)?.is !== 'prompt') return [];
      return [{ type: 'hook.prompted', run, token: null, turnId: null, text: '' }];
    case 'tool_execution_start': {
      const fact = toolCalled(run, { id, name, input: fields.args ?? null, subagent: null });
      return [{ type: 'hook.noted', run, fact }];
    }
    case 'tool_execution_end': {
      const error = fields.isError === true ? resultText(fields.result) : null;
      return [{ type: 'hook.noted', run, fact: toolEnded(run, { id, name, error, tookMs: null }) }];
    }
    default:
      return [];
  }
}

function resultText(value: unknown): string {
  const message = messageOf({ role: 'toolResult', content: asFields(value)?.content });
  return message?.is === 'result' ? message.result.text : '';
}
