import { asFields } from '../seam/json.ts';
import type { Piece } from '../seam/piece.ts';
import type {
  Incoming,
  Received,
  ReceivedAt,
  ServerDrive,
  ServerPlace,
  ServerScreen,
  ServerView,
} from '../seam/server.ts';
import { answerReceived } from './server-answers.ts';
import { eventReceived } from './server-events.ts';
import { opencodeHello, opencodeProof, opencodeRequest, opencodeSent } from './server-requests.ts';
import { NOTHING_SAID, type OpencodeState } from './server-state.ts';
import { opencodeVerdict } from './verdict.ts';

/** The line that names the port it listens on. */
const LISTENS = /listening on http:\/\/[^\s:/]+:(\d+)/;

const PASSWORD = 'OPENCODE_SERVER_PASSWORD';

/** `opencode serve`: calls over HTTP, and events. */
export const opencodeServer: ServerDrive<OpencodeState> = {
  wire: { over: 'http', events: '/event', login: { user: 'opencode', variable: PASSWORD }, port },
  isCommand: () => false,
  verdict: opencodeVerdict,
  empty: NOTHING_SAID,
  hello: opencodeHello,
  receive,
  piece,
  sent: opencodeSent,
  request: opencodeRequest,
  proof: opencodeProof,
  view,
  screen,
};

function port(line: string): number | null {
  const said = LISTENS.exec(line)?.[1];
  return said === undefined ? null : Number(said);
}

function receive(state: OpencodeState, message: Incoming, at: ReceivedAt): Received<OpencodeState> {
  if (message.is === 'answer') return answerReceived(state, message, at);
  const event = message.is === 'message' ? asFields(message.data) : null;
  return event === null ? { state, reports: [], send: [] } : eventReceived(state, event, at);
}

/** The server sends what the model writes as it comes. Thinking has pieces of the same kind, and is no reply. */
function piece({ session, reply }: OpencodeState, message: Incoming): Piece | null {
  const event = message.is === 'message' ? asFields(message.data) : null;
  if (event?.type !== 'message.part.delta') return null;
  const { sessionID, messageID, partID, field, delta } = asFields(event.properties) ?? {};
  const isText = field === 'text' && messageID === reply.message && Object.hasOwn(reply.texts, String(partID));
  return sessionID === session && isText && typeof delta === 'string' ? { text: delta, of: String(partID) } : null;
}

function view({ session, isBusy, pending, questions, trouble }: OpencodeState): ServerView {
  const isStarting = session === null || pending.length > 0;
  const is = isStarting ? 'starting' : isBusy ? 'busy' : 'idle';
  return { is, questions: Object.keys(questions), trouble };
}

/** OpenCode's own screen as a second client. The password is read from its file: arguments are seen by everybody. */
function screen({ port, passwordFile, conversation, readOnly }: ServerPlace): ServerScreen | { refused: string } {
  if (readOnly) return { refused: 'the screen of OpenCode cannot be opened to watch only' };
  if (port === null) return { refused: 'its server does not listen yet' };
  const url = `http://127.0.0.1:${port}`;
  const script = `${PASSWORD}=$(cat "$1") exec opencode attach "$2" -s "$3"`;
  return { argv: ['sh', '-c', script, 'sh', passwordFile, url, conversation], detach: '/exit' };
}
