import type { ConversationId } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { loginRefusal } from '../seam/login-refusal.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { Listener, RunExit, TurnEnd } from '../seam/turns.ts';
import { troubleOf } from './trouble.ts';

/** The state of the reader of a stream. */
interface Known {
  /** The text of the model since the last call. */
  readonly reply: string;
  readonly result: Fields | null;
  /** The ids of all calls that were made. */
  readonly called: readonly string[];
}

/** How many calls are kept: the output of a long turn has more than can be named. */
const CALLS_MAX = 1_000;

/** Without a login it exits before it asks a model. */
const LOGGED_OUT = /^Please set an Auth method\b/;

/** Reads the output of `gemini -o stream-json` to find out how the turn ended. */
export const geminiStream: LineReader<Known, (nowMs: number, exit?: RunExit) => TurnEnd | null> = {
  empty: { reply: '', result: null, called: [] },
  read: (known, text) =>
    readJsonLines(text).lines.reduce((all, line) => (line.is === 'object' ? after(all, line.fields) : all), known),
  view:
    ({ reply, result, called }) =>
    (_, exit) => {
      if (result !== null) return endOf(reply, result);
      // A turn that was killed: what its calls did must not be done again.
      return called.length > 0 ? { turn: 'open', reply: '', called } : loginRefusal(exit, LOGGED_OUT);
    },
};

function after(known: Known, line: Fields): Known {
  switch (line.type) {
    case 'message':
      return line.role === 'assistant' ? { ...known, reply: `${known.reply}${asText(line.content) ?? ''}` } : known;
    case 'tool_use':
      return { ...known, reply: '', called: [...known.called, asText(line.tool_id) ?? ''].slice(0, CALLS_MAX) };
    case 'result':
      return { ...known, result: line };
    default:
      return known;
  }
}

function endOf(reply: string, { status, error, stats }: Fields): TurnEnd {
  const used = { tokens: asNumber(asFields(stats)?.total_tokens) ?? 0, usd: null };
  if (status === 'success') return { turn: 'closed', reply, used };
  const why = asText(asFields(error)?.message) ?? 'the turn failed';
  return { turn: 'failed', reply: why, trouble: troubleOf(why), used };
}

/** Reads the output of `gemini -o stream-json`: the conversation, that the prompt was received, and tool calls. */
export function geminiListener(run: number): Listener {
  const names = new Map<string | null, string>();
  return (line) => {
    const fields = readObject(line);
    return fields === null ? [] : reportsOf(run, fields, names);
  };
}

function reportsOf(run: number, fields: Fields, names: Map<string | null, string>): HookReport[] {
  const id = asText(fields.tool_id);
  switch (fields.type) {
    case 'init': {
      const conversation = asText(fields.session_id) as ConversationId | null;
      if (conversation === null) return [];
      return [{ type: 'hook.opened', run, conversation, transcript: null, source: 'startup' }];
    }
    case 'message':
      return fields.role === 'user' ? [{ type: 'hook.prompted', run, token: null, turnId: null, text: '' }] : [];
    case 'tool_use': {
      const name = asText(fields.tool_name) ?? 'unknown';
      names.set(id, name);
      return [
        { type: 'hook.noted', run, fact: toolCalled(run, { id, name, input: fields.parameters, subagent: null }) },
      ];
    }
    case 'tool_result': {
      const error = fields.status === 'success' ? null : (asText(asFields(fields.error)?.message) ?? 'it failed');
      const name = names.get(id) ?? 'unknown';
      return [{ type: 'hook.noted', run, fact: toolEnded(run, { id, name, error, tookMs: null }) }];
    }
    default:
      return [];
  }
}
