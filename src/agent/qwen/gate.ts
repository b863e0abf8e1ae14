import { chatProbeAnswer } from '../seam/chat-probe.ts';
import type { ProtocolGate, SeenCall } from '../seam/gate.ts';
import { asFields, asList, asText, type Fields, readJsonLines } from '../seam/json.ts';
import type { Outgoing } from '../seam/server.ts';
import { qwenOpeners } from './gate-openers.ts';

/** How Qwen Code asks before a tool is used: in messages. Its hooks fail open, so nothing depends on them. */
export const qwenGate: ProtocolGate = {
  asks: 'protocol',
  seenCalls: (text) => readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? seenIn(line.fields) : [])),
  openers: qwenOpeners,
  wrongAnswers: {
    garbage: (yes) => answer(yes, { subtype: 'success', response: { behavior: 'perhaps' } }),
    error: (yes) => answer(yes, { subtype: 'error', error: 'Outlast cannot answer' }),
  },
  probe: (calls) => ({
    prompt: 'Outlast checks whether your gate works.',
    answer: (body) => chatProbeAnswer(calls, body, 'run_shell_command'),
  }),
};

/** The answer to the same question. */
function answer({ id, ...yes }: Outgoing, more: object): Outgoing {
  const known = asFields(asFields(yes.is === 'message' ? yes.data : null)?.response);
  const response = { request_id: known?.request_id, ...more };
  return { is: 'message', id, data: { type: 'control_response', response } };
}

/** A record has the calls of an answer, or the result of one. A denied call has the status `cancelled`. */
function seenIn(record: Fields): SeenCall[] {
  const time = Date.parse(asText(record.timestamp) ?? '');
  const atMs = Number.isNaN(time) ? null : time;
  const result = asFields(record.toolCallResult);
  const ended = asText(result?.callId);
  if (record.type === 'tool_result' && ended !== null)
    return [{ call: ended, tool: null, made: result?.status === 'success', atMs }];
  if (record.type !== 'assistant') return [];
  return asList(asFields(record.message)?.parts).flatMap((part): SeenCall[] => {
    const call = asFields(asFields(part)?.functionCall);
    const id = asText(call?.id);
    return id === null ? [] : [{ call: id, tool: asText(call?.name) ?? 'unknown', made: false, atMs }];
  });
}
