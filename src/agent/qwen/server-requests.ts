import type { HelloPlan, Outgoing, Proof, ServerIntent } from '../seam/server.ts';
import { type QwenState, withId } from './server-state.ts';

/** The id of the first message. */
export const INITIALIZE = 'initialize';

/** The beginning of the id of a message that is a prompt. */
export const PROMPT = 'prompt ';

/** How long Qwen Code waits for an answer before it denies a call itself: the longest that it accepts. */
export const ANSWER_MS_MAX = 600_000;

/**
 * Ends the process: a line without a type is one that it cannot go on after. After a turn that failed it would answer,
 * but writes nothing down any more. The prompt is not in its record then, so it is sent to the next process.
 */
const END = {};

/** The handshake. The conversation was chosen on the command line. */
export function qwenHello(_: QwenState, { thinking }: HelloPlan): readonly Outgoing[] {
  const timeout = { canUseTool: ANSWER_MS_MAX };
  return [control(INITIALIZE, { subtype: 'initialize', timeout, ...(thinking !== null && { effort: thinking }) })];
}

/** The message that carries out an intent. */
export function qwenRequest(state: QwenState, intent: ServerIntent): Outgoing {
  switch (intent.do) {
    case 'deliver': {
      const message = { role: 'user', content: intent.text };
      const data = { type: 'user', session_id: state.conversation, message, parent_tool_use_id: null };
      return { is: 'message', id: `${PROMPT}${intent.token}`, data: state.isSpent ? END : data };
    }
    case 'answer':
      return answer(state, intent);
    case 'interrupt':
      return control(`interrupt ${state.turn?.token ?? state.turns}`, { subtype: 'interrupt' });
    case 'close':
      // It stays until its input ends; its process is ended by a signal.
      return control('close', { subtype: 'interrupt' });
  }
}

/** A changed call would be made unchanged, so it is not allowed. */
function answer({ questions }: QwenState, intent: Extract<ServerIntent, { do: 'answer' }>): Outgoing {
  const request = Object.hasOwn(questions, intent.question) ? (questions[intent.question] ?? null) : null;
  const isYes = intent.allow && intent.edit === undefined;
  const why = intent.edit === undefined ? intent.why : 'A changed call cannot be passed on.';
  const said = isYes ? { behavior: 'allow' } : { behavior: 'deny', message: why };
  const response = { subtype: 'success', request_id: request, response: said };
  return { is: 'message', id: `answer ${intent.question}`, data: { type: 'control_response', response } };
}

/** The error for an unknown request: the agent always gets an answer. */
export function refusal(request: string, subtype: string): Outgoing {
  const response = { subtype: 'error', request_id: request, error: `${subtype} is not supported` };
  return { is: 'message', id: `refusal ${request}`, data: { type: 'control_response', response } };
}

/** A message in the file of the run reaches the agent. What it made of a prompt, its messages and its record tell. */
export function qwenProof(state: QwenState, intent: ServerIntent): Proof {
  if (intent.do === 'answer' && !Object.hasOwn(state.questions, intent.question)) return 'done';
  if (intent.do === 'interrupt' && state.turn === null) return 'done';
  return state.sent.includes(qwenRequest(state, intent).id) ? 'done' : 'not-done';
}

/** Records that a message was sent. A prompt begins a turn. */
export function qwenSent(state: QwenState, { id }: Outgoing): QwenState {
  const isKnown = state.sent.includes(id);
  const next = { ...state, sent: withId(state.sent, id) };
  if (isKnown || !id.startsWith(PROMPT)) return next;
  return { ...next, turn: { token: id.slice(PROMPT.length), isBegun: false } };
}

function control(id: string, request: object): Outgoing {
  return { is: 'message', id, data: { type: 'control_request', request_id: id, request } };
}
