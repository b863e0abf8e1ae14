import { fileUrl, type SentImage } from '../seam/images.ts';
import { asFields, asText } from '../seam/json.ts';
import type { HelloPlan, Outgoing, Proof, ServerIntent } from '../seam/server.ts';
import type { AcpDialect } from './dialect.ts';
import { type AcpState, type Opening, withId } from './server-state.ts';

/** The version of the protocol that is spoken. */
export const PROTOCOL = 1;

/** The ids of the requests that open a conversation. */
export const INITIALIZE = 'initialize';
export const OPEN = 'open';
export const MODE = 'mode';
export const TOLD = 'told';

/** The beginning of the id of a request that sends a prompt. */
export const PROMPT = 'prompt ';

/** The beginning of the id of an answer to a question. */
const ANSWER = 'answer ';

/** Our client name in the handshake. */
const CLIENT = { name: 'outlast', title: 'Outlast', version: '1' };

/** The agent uses its own file access and terminals: what it does there is its own call, which it asks about. */
const CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

/**
 * The first message. The conversation is opened when it is answered, and the next daemon may be the one that reads the
 * answer: so what is to be opened is in the message itself, where the protocol has room for it.
 */
export function acpHello(dialect: AcpDialect, plan: HelloPlan): readonly Outgoing[] {
  const { workspace, conversation, isGated, mode } = plan;
  const opening: Opening = { workspace, conversation, mode: dialect.modeWord(isGated, mode) };
  const params = { protocolVersion: PROTOCOL, clientCapabilities: CAPABILITIES, clientInfo: CLIENT };
  return [request(INITIALIZE, 'initialize', { ...params, _meta: { outlast: opening } })];
}

/** The request that opens the conversation, after the agent has said what it can do. */
export function openRequest({ workspace, conversation }: Opening, canLoad: boolean): Outgoing {
  const place = { cwd: workspace, mcpServers: [] };
  if (conversation === null) return request(OPEN, 'session/new', place);
  return request(OPEN, canLoad ? 'session/load' : 'session/resume', { sessionId: conversation, ...place });
}

/** The request that sets the mode of the conversation. */
export function modeRequest(session: string, mode: string): Outgoing {
  return request(MODE, 'session/set_mode', { sessionId: session, modeId: mode });
}

/** A request that no agent knows. Its answer comes after everything that was told before. */
export function toldRequest(): Outgoing {
  return request(TOLD, '_outlast/told', {});
}

/** The message that carries out an intent. */
export function acpRequest(state: AcpState, intent: ServerIntent): Outgoing {
  const sessionId = state.session;
  switch (intent.do) {
    case 'deliver': {
      const images = (intent.images ?? []).map((image) => imageBlock(state, image));
      const prompt = [{ type: 'text', text: intent.text }, ...images];
      return request(promptId(intent.token), 'session/prompt', { sessionId, prompt });
    }
    case 'answer':
      return answer(state, intent);
    case 'interrupt':
      return notice(interruptId(state), 'session/cancel', { sessionId });
    case 'close':
      // Without a conversation that is open it ends its work; its process is ended by a signal.
      return notice('close', 'session/cancel', { sessionId });
  }
}

/** An agent that takes no images is given a link to the file, which every agent takes. */
function imageBlock({ takesImages }: AcpState, { path, name, type, base64 }: SentImage): object {
  const uri = fileUrl(path);
  if (takesImages !== true) return { type: 'resource_link', uri, name, mimeType: type };
  return { type: 'image', mimeType: type, data: base64(), uri };
}

/**
 * Never gives an answer that counts for later calls too: without an option for this call alone the question is
 * cancelled. A changed call cannot be expressed, so it is not allowed either.
 */
function answer({ questions }: AcpState, intent: Extract<ServerIntent, { do: 'answer' }>): Outgoing {
  const asked = Object.hasOwn(questions, intent.question) ? questions[intent.question] : undefined;
  const isYes = intent.allow && intent.edit === undefined;
  const optionId = (isYes ? asked?.allow : asked?.reject) ?? null;
  const outcome = optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
  const data = { jsonrpc: '2.0', id: asked?.request ?? null, result: { outcome } };
  return { is: 'message', id: answerId(intent.question), data };
}

/** A message in the file of the run reaches the agent. Whether it began with a prompt, its messages tell. */
export function acpProof(state: AcpState, intent: ServerIntent): Proof {
  if (intent.do === 'answer' && !Object.hasOwn(state.questions, intent.question)) return 'done';
  if (intent.do === 'interrupt' && state.turn === null) return 'done';
  // The message itself has the content of images, which is not read for this.
  const id = intent.do === 'deliver' ? promptId(intent.token) : acpRequest(state, intent).id;
  return state.sent.includes(id) ? 'done' : 'not-done';
}

/** Records that a message was sent. */
export function acpSent(state: AcpState, { id, ...message }: Outgoing): AcpState {
  const sent = withId(state.sent, id);
  if (id === INITIALIZE && message.is === 'message') return { ...state, sent, opening: openingIn(message.data) };
  if (id.startsWith(ANSWER) && message.is === 'message')
    return { ...withRefused(state, id.slice(ANSWER.length), message.data), sent };
  if (!id.startsWith(PROMPT) || state.sent.includes(id)) return { ...state, sent };
  return { ...state, sent, turn: { token: id.slice(PROMPT.length), isBegun: false, reply: '' } };
}

/** The call of a question that was not answered with yes is not made. */
function withRefused(state: AcpState, question: string, data: unknown): AcpState {
  const asked = Object.hasOwn(state.questions, question) ? state.questions[question] : undefined;
  const outcome = asFields(asFields(asFields(data)?.result)?.outcome);
  const isYes = asked?.allow != null && outcome?.optionId === asked.allow;
  if (asked?.announces === undefined || isYes) return state;
  return { ...state, refused: [...(state.refused ?? []), asked.announces] };
}

function openingIn(data: unknown): Opening | null {
  const given = asFields(asFields(asFields(asFields(data)?.params)?._meta)?.outlast);
  if (given === null) return null;
  const { workspace, conversation, mode } = given;
  return { workspace: asText(workspace) ?? '', conversation: asText(conversation), mode: asText(mode) };
}

/** The error for an unknown request: the agent always gets an answer. */
export function refusal(id: string | number, method: string): Outgoing {
  const error = { code: -32_601, message: `${method} is not supported` };
  return { is: 'message', id: `refusal ${id}`, data: { jsonrpc: '2.0', id, error } };
}

function request(id: string, method: string, params: unknown): Outgoing {
  return { is: 'message', id, data: { jsonrpc: '2.0', id, method, params } };
}

function notice(id: string, method: string, params: unknown): Outgoing {
  return { is: 'message', id, data: { jsonrpc: '2.0', method, params } };
}

function promptId(token: string): string {
  return `${PROMPT}${token}`;
}

function interruptId({ turn }: AcpState): string {
  return `interrupt ${turn?.token ?? ''}`;
}

function answerId(question: string): string {
  return `${ANSWER}${question}`;
}
