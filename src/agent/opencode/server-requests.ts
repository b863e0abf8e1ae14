import { digestOf } from '../../base/digest.ts';
import { fileUrl, type SentImage } from '../seam/images.ts';
import type { HelloPlan, Outgoing, Proof, ServerIntent } from '../seam/server.ts';
import { modelOf } from './models.ts';
import { type OpencodeState, withId, withoutId } from './server-state.ts';

/** The names of our calls at the start of a connection. */
export const OPEN = 'open';
export const ADOPT = 'adopt';
export const CONFIG = 'config';
export const AGENTS = 'agents';
export const STATUS = 'status';
export const PERMISSIONS = 'permissions';
export const MESSAGES = 'messages';

/** Those whose answers are needed before anything else is understood. */
const OPENING: readonly string[] = [OPEN, ADOPT, CONFIG, AGENTS, STATUS, PERMISSIONS, MESSAGES];

/** The beginning of the name of a call that reads what a question is about. */
export const ABOUT = 'about_';

/** How many of the last messages are read. A conversation may have thousands. */
const MESSAGES_MAX = 100;

/** How many ids a millisecond has, and how many characters follow the 12 digits of the time. */
const PER_MS = 4_096;
const TAIL_CHARS = 14;

/** Opens the conversation and lists its open questions. Behind a gate, also reads what the configuration allows. */
export function opencodeHello(_: OpencodeState, plan: HelloPlan): readonly Outgoing[] {
  const { conversation, origin, isAdopted, isGated } = plan;
  const id = isAdopted ? ADOPT : OPEN;
  const config = isGated ? [get(CONFIG, '/config'), get(AGENTS, '/agent')] : [];
  if (conversation === null && origin !== null) return [...config, post(id, `${pathOf(origin)}/fork`, {})];
  if (conversation === null) return [...config, post(id, '/session', {})];
  const at = pathOf(conversation);
  const reads = [get(id, at), get(STATUS, '/session/status'), get(PERMISSIONS, '/permission')];
  return [...config, ...reads, messagesOf(conversation)];
}

/** Reads the last messages of a conversation. */
export function messagesOf(conversation: string): Outgoing {
  return get(MESSAGES, `${pathOf(conversation)}/message?limit=${MESSAGES_MAX}`);
}

/** Reads the message with the call of a question. */
export function aboutOf(question: string, session: string, message: string): Outgoing {
  return get(`${ABOUT}${question}`, `${pathOf(session)}/message/${encodeURIComponent(message)}`);
}

function pathOf(conversation: string): string {
  return `/session/${encodeURIComponent(conversation)}`;
}

/** The call that carries out an intent. */
export function opencodeRequest(state: OpencodeState, intent: ServerIntent): Outgoing {
  const session = pathOf(state.session ?? '');
  switch (intent.do) {
    case 'deliver': {
      // A prompt during a turn gets a turn of its own after the running one.
      const files = (intent.images ?? []).map(filePart);
      const parts = [{ type: 'text', text: intent.text }, ...files];
      const how = {
        ...(intent.model !== undefined && { model: modelOf(intent.model) }),
        ...(intent.thinking !== undefined && { variant: intent.thinking }),
      };
      const body = { messageID: messageId(state, intent.token), ...how, parts };
      return post(promptId(intent.token), `${session}/prompt_async`, body);
    }
    case 'answer': {
      // "Always" is never answered. A changed call cannot be expressed, so it is not allowed either.
      const isYes = intent.allow && intent.edit === undefined;
      // A refusal without a reason would end the turn.
      const body = isYes ? { reply: 'once' } : { reply: 'reject', message: intent.why || 'this call is not allowed' };
      return post(answerId(intent.question), `/permission/${encodeURIComponent(intent.question)}/reply`, body);
    }
    case 'interrupt':
      return abortOf(state);
    case 'close':
      return post('close', '/instance/dispose', {});
  }
}

function filePart({ path, name, type }: SentImage): object {
  return { type: 'file', mime: type, filename: name, url: fileUrl(path) };
}

/** Stops the running turn. */
export function abortOf(state: OpencodeState): Outgoing {
  return post(interruptId(state), `${pathOf(state.session ?? '')}/abort`, {});
}

/** The state of an intent, by what the server reported. */
export function opencodeProof(state: OpencodeState, intent: ServerIntent): Proof {
  switch (intent.do) {
    case 'deliver':
      if (state.received.some((id) => isOf(id, intent.token))) return 'done';
      return outcome(state, promptId(intent.token));
    case 'answer':
      if (!Object.hasOwn(state.questions, intent.question)) return 'done';
      return outcome(state, answerId(intent.question));
    case 'interrupt':
      return state.isBusy ? outcome(state, interruptId(state)) : 'done';
    case 'close':
      return outcome(state, 'close');
  }
}

function outcome({ taken, refused, sent, isAdopted }: OpencodeState, id: string): Proof {
  if (taken.includes(id)) return 'done';
  if (refused.includes(id)) return 'not-done';
  return sent.includes(id) || isAdopted ? 'unknown' : 'not-done';
}

/** Records that a call was sent. */
export function opencodeSent(state: OpencodeState, message: Outgoing): OpencodeState {
  const { id } = message;
  const isAdopted = state.isAdopted || id === ADOPT;
  const isCopy = state.isCopy || (message.is === 'call' && message.path.endsWith('/fork'));
  const isOpening = OPENING.includes(id) || id.startsWith(ABOUT);
  const pending = isOpening ? withId(state.pending, id) : state.pending;
  const [taken, refused] = [withoutId(state.taken, id), withoutId(state.refused, id)];
  return { ...state, isAdopted, isCopy, pending, taken, refused, sent: withId(state.sent, id) };
}

/** The token of the prompt that became this message; null: it is not ours. */
export function tokenOf({ sent }: OpencodeState, message: string): string | null {
  const tokens = sent.flatMap((id) => (id.startsWith('prompt ') ? id.slice('prompt '.length) : []));
  return tokens.find((token) => isOf(message, token)) ?? null;
}

/**
 * An id for a prompt: 12 digits that sort after every message before it, and a suffix that only this prompt has. The
 * server accepts an id once: the same one again begins no second turn.
 */
function messageId({ lastMessage, createdMs }: OpencodeState, token: string): string {
  const last = /^msg_([0-9a-f]{12})/.exec(lastMessage)?.[1] ?? timeDigits(createdMs);
  const before = BigInt(`0x${last}`);
  const digits = (before + 1n).toString(16).padStart(12, '0');
  return `msg_${digits}${tailOf(token)}`;
}

/** How ids begin that were made at this time. */
export function timeDigits(atMs: number): string {
  const low = (BigInt(atMs) * BigInt(PER_MS)) & 0xffff_ffff_ffffn;
  return low.toString(16).padStart(12, '0');
}

function isOf(message: string, token: string): boolean {
  return message.endsWith(tailOf(token)) && message.length === 'msg_'.length + 12 + TAIL_CHARS;
}

function tailOf(token: string): string {
  return digestOf(token)
    .replaceAll(/[^0-9A-Za-z]/g, '0')
    .slice(0, TAIL_CHARS);
}

function get(id: string, path: string): Outgoing {
  return { is: 'call', id, method: 'GET', path };
}

function post(id: string, path: string, body: unknown): Outgoing {
  return { is: 'call', id, method: 'POST', path, body };
}

function promptId(token: string): string {
  return `prompt ${token}`;
}

function answerId(question: string): string {
  return `answer ${question}`;
}

function interruptId({ turns }: OpencodeState): string {
  return `interrupt ${turns[0] ?? ''}`;
}
