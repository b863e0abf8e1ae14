import { asFields } from '../seam/json.ts';
import type { HelloPlan, Outgoing, Proof, ServerIntent } from '../seam/server.ts';
import { type CodexState, withId } from './server-state.ts';

/** The names of our requests that begin a connection. */
export const OPEN = 'open';
export const ADOPT = 'adopt';

/** As whom we introduce ourselves. */
const CLIENT = { name: 'outlast', title: 'Outlast', version: '1' };

/** The handshake, and the conversation: a new one, or one with all that is known of its turns. */
export function codexHello(_: CodexState, plan: HelloPlan): readonly Outgoing[] {
  const capabilities = { experimentalApi: true };
  return [
    request('initialize', 'initialize', { clientInfo: CLIENT, capabilities }),
    { is: 'message', id: 'initialized', data: { method: 'initialized' } },
    threadRequest(plan),
  ];
}

function threadRequest({ workspace, conversation, model, isAdopted, isGated }: HelloPlan): Outgoing {
  const how = {
    cwd: workspace,
    ...(model !== null && { model }),
    approvalPolicy: isGated ? 'untrusted' : 'never',
    // Whoever is asked about everything needs no sandbox; in a folder that is not trusted its own rules are not read.
    sandbox: 'danger-full-access',
    approvalsReviewer: 'user',
    config: { projects: { [workspace]: { trust_level: 'untrusted' } }, 'features.hooks': false },
  };
  const id = isAdopted ? ADOPT : OPEN;
  if (conversation === null) return request(id, 'thread/start', how);
  return request(id, 'thread/resume', { threadId: conversation, ...how });
}

/** The message that carries out an intent. */
export function codexRequest(state: CodexState, intent: ServerIntent): Outgoing {
  const threadId = state.thread;
  switch (intent.do) {
    case 'deliver': {
      const input = [{ type: 'text', text: intent.text }];
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
 * The answers that would allow later calls too are never given. A changed call cannot be expressed, so it is not
 * allowed either.
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

/** What became of an intent, by what the server said. The same id begins a second turn, so nothing is guessed. */
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

/** A message has left us. */
export function codexSent(state: CodexState, message: Outgoing): CodexState {
  const isAdopted = state.isAdopted || message.id === ADOPT;
  const refused = state.refused.filter((id) => id !== message.id);
  return { ...state, isAdopted, refused, sent: withId(state.sent, message.id) };
}

/** An error for a request that we do not know: never silence. */
export function refusal(request: string | number, method: string): Outgoing {
  const error = { code: -32_601, message: `${method} is not supported` };
  return { is: 'message', id: `refusal ${request}`, data: { id: request, error } };
}

/** The id of an answer of the server, as a name of ours; null: it is none. */
export function idIn(data: unknown): string | number | null {
  const id = asFields(data)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function request(id: string, method: string, params: unknown): Outgoing {
  return { is: 'message', id, data: { id, method, params } };
}

function promptId(token: string): string {
  return `prompt ${token}`;
}

function answerId(question: string): string {
  return `answer ${question}`;
}
