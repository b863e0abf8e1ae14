import { asFields } from '../seam/json.ts';
import type { HelloPlan, Outgoing, Proof, ServerIntent } from '../seam/server.ts';
import { sandboxOf } from './modes.ts';
import { type CodexState, withId } from './server-state.ts';

/** The ids of our requests at the start of a connection. */
export const OPEN = 'open';
export const ADOPT = 'adopt';

/** The beginning of the id of a request that sends a prompt. */
export const PROMPT = 'prompt ';

/** Our client name in the handshake. */
const CLIENT = { name: 'outlast', title: 'Outlast', version: '1' };

/**
 * What Codex does without a question, switched off behind a gate: hooks that answer, input for a command that runs on a
 * terminal (it could be a shell), pictures that are read, and searches by the model's service.
 */
const NOT_ASKED = {
  'features.hooks': false,
  'features.unified_exec_tty': false,
  'features.view_image': false,
  web_search: 'disabled',
} as const;

/** The handshake, and the conversation: a new one, or an existing one with its turns. */
export function codexHello(_: CodexState, plan: HelloPlan): readonly Outgoing[] {
  const capabilities = { experimentalApi: true };
  return [
    request('initialize', 'initialize', { clientInfo: CLIENT, capabilities }),
    { is: 'message', id: 'initialized', data: { method: 'initialized' } },
    threadRequest(plan),
  ];
}

function threadRequest(plan: HelloPlan): Outgoing {
  const { workspace, conversation, origin, model, thinking, isAdopted, isGated } = plan;
  // Rules and hooks of a trusted folder can allow commands, and Codex trusts every folder that it may write to.
  const trust = plan.isTrusted && !isGated ? 'trusted' : 'untrusted';
  const how = {
    cwd: workspace,
    ...(model !== null && { model }),
    approvalPolicy: isGated ? 'untrusted' : 'never',
    // An agent that asks about everything needs no sandbox: what is allowed would run in it.
    sandbox: isGated ? 'danger-full-access' : sandboxOf(plan.mode, plan.modeWord),
    approvalsReviewer: 'user',
    config: {
      projects: { [workspace]: { trust_level: trust } },
      ...(isGated && NOT_ASKED),
      ...(thinking !== null && { model_reasoning_effort: thinking }),
    },
  };
  const id = isAdopted ? ADOPT : OPEN;
  if (conversation !== null) return request(id, 'thread/resume', { threadId: conversation, ...how });
  return origin === null ? request(id, 'thread/start', how) : request(id, 'thread/fork', { threadId: origin, ...how });
}

/** The message that carries out an intent. */
export function codexRequest(state: CodexState, intent: ServerIntent): Outgoing {
  const threadId = state.thread;
  switch (intent.do) {
    case 'deliver': {
      const images = (intent.images ?? []).map(({ path }) => ({ type: 'localImage', path }));
      const input = [{ type: 'text', text: intent.text }, ...images];
      const given = { threadId, input, clientUserMessageId: intent.token };
      if (!intent.steer) return request(promptId(intent.token), 'turn/start', given);
      return request(promptId(intent.token), 'turn/steer', { ...given, expectedTurnId: state.turn });
    }
    case 'answer':
      return answer(state, intent);
    case 'interrupt':
      return request(`interrupt ${state.turn}`, 'turn/interrupt', { threadId, turnId: state.turn });
    case 'close':
      return request('close', 'thread/unsubscribe', { threadId });
  }
}

/**
 * Never gives the answers that would allow later calls too. A changed call cannot be expressed, so it is not allowed
 * either.
 */
function answer({ questions }: CodexState, intent: Extract<ServerIntent, { do: 'answer' }>): Outgoing {
  const asked = Object.hasOwn(questions, intent.question) ? questions[intent.question] : undefined;
  const isYes = intent.allow && intent.edit === undefined;
  const result =
    asked?.kind === 'elicitation'
      ? { action: isYes ? 'accept' : 'decline', ...(isYes && { content: {} }) }
      : { decision: isYes ? 'accept' : 'decline' };
  return { is: 'message', id: answerId(intent.question), data: { id: asked?.request ?? null, result } };
}

/**
 * The state of an intent, by what the server reported. The same id would begin a second turn, so nothing is guessed.
 */
export function codexProof(state: CodexState, intent: ServerIntent): Proof {
  switch (intent.do) {
    case 'deliver': {
      if (state.received.includes(intent.token)) return 'done';
      return outcome(state, promptId(intent.token));
    }
    case 'answer': {
      if (!Object.hasOwn(state.questions, intent.question)) return 'done';
      return outcome(state, answerId(intent.question));
    }
    case 'interrupt':
      return state.turn === null ? 'done' : outcome(state, `interrupt ${state.turn}`);
    case 'close':
      return outcome(state, 'close');
  }
}

function outcome({ refused, sent, isAdopted }: CodexState, id: string): Proof {
  if (refused.includes(id)) return 'not-done';
  return sent.includes(id) || isAdopted ? 'unknown' : 'not-done';
}

/** Records that a message was sent. */
export function codexSent(state: CodexState, message: Outgoing): CodexState {
  const isAdopted = state.isAdopted || message.id === ADOPT;
  const refused = state.refused.filter((id) => id !== message.id);
  return { ...state, isAdopted, refused, sent: withId(state.sent, message.id) };
}

/** The error for an unknown request: the server always gets an answer. */
export function refusal(request: string | number, method: string): Outgoing {
  const error = { code: -32_601, message: `${method} is not supported` };
  return { is: 'message', id: `refusal ${request}`, data: { id: request, error } };
}

/** The id of a server's answer; null: there is none. */
export function idIn(data: unknown): string | number | null {
  const id = asFields(data)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function request(id: string, method: string, params: unknown): Outgoing {
  return { is: 'message', id, data: { id, method, params } };
}

function promptId(token: string): string {
  return `${PROMPT}${token}`;
}

function answerId(question: string): string {
  return `answer ${question}`;
}
