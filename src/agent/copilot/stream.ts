import type { ConversationId } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asText, readJsonLines, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { loginRefusal } from '../seam/login-refusal.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { Listener, RunExit, TurnEnd } from '../seam/turns.ts';
import { type Event, eventsOf } from './events.ts';
import { BEGUN, type TurnSoFar, turnAfter } from './turn.ts';

/** Without a login, or offline without a model, it exits before it begins a turn. */
const LOGGED_OUT = /^(Error: No authentication information found|Offline mode requires a local model provider)/;

/**
 * Reads the output of `copilot --output-format json` to find out how the turn ended. Copilot writes its record a little
 * later than its output: a turn of which a call is known is reported as open, so that it is not begun again. A process
 * that is told to end aborts its turn, which is then open too: nobody else can interrupt it.
 */
export const copilotStream: LineReader<TurnSoFar, (nowMs: number, exit?: RunExit) => TurnEnd | null> = {
  empty: BEGUN,
  read: (known, text) => readJsonLines(text).lines.flatMap(eventsOf).reduce(turnAfter, known),
  view:
    ({ end, called }) =>
    (_, exit) => {
      if (end.turn === 'interrupted') return { turn: 'open', reply: end.reply, called };
      if (end.turn !== 'open') return end;
      return called.length > 0 ? { ...end, called } : loginRefusal(exit, LOGGED_OUT);
    },
};

/**
 * Reads the output of `copilot --output-format json`: that the prompt was received, tool calls, and at last the id and
 * the reply. Why a turn failed is read when its process has ended.
 */
export function copilotListener(run: number): Listener {
  const names = new Map<string, string>();
  let turn = BEGUN;
  return (line) => {
    // Most lines are for display, and are not written down.
    if (line.includes('"ephemeral":true')) return [];
    const fields = readObject(line);
    if (fields === null) return [];
    const conversation = asText(fields.sessionId) as ConversationId | null;
    if (fields.type === 'result' && conversation !== null)
      return [{ type: 'hook.opened', run, conversation, transcript: null, source: 'startup' }, ...ended(run, turn)];
    const events = eventsOf({ is: 'object', fields });
    turn = events.reduce(turnAfter, turn);
    return events.flatMap((event) => reportsOf(run, event, names));
  };
}

function ended(run: number, { end }: TurnSoFar): HookReport[] {
  if (end.turn !== 'closed') return [];
  return [{ type: 'hook.stopped', run, turnId: null, reply: end.reply, trouble: null, more: false }];
}

function reportsOf(run: number, event: Event, names: Map<string, string>): HookReport[] {
  switch (event.is) {
    case 'prompt':
      return [{ type: 'hook.prompted', run, token: null, turnId: null, text: '' }];
    case 'started': {
      names.set(event.id, event.name);
      return [{ type: 'hook.noted', run, fact: toolCalled(run, event) }];
    }
    case 'ended': {
      const { id, text, isError } = event.result;
      const name = names.get(id) ?? event.tool ?? 'unknown';
      names.delete(id);
      const ended = { id, name, error: isError ? text : null, tookMs: null };
      return [{ type: 'hook.noted', run, fact: toolEnded(run, ended) }];
    }
    default:
      return [];
  }
}
