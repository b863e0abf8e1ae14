import { asFields } from '../seam/json.ts';
import type { Incoming, Received, ReceivedAt, ServerDrive, ServerView } from '../seam/server.ts';
import { answerTaken } from './server-answers.ts';
import { eventTaken } from './server-events.ts';
import { opencodeHello, opencodeProof, opencodeRequest, opencodeSent } from './server-requests.ts';
import { NOTHING_SAID, type OpencodeState } from './server-state.ts';
import { opencodeVerdict } from './verdict.ts';

/** The line that names the port it listens on. */
const LISTENS = /listening on http:\/\/[^\s:/]+:(\d+)/;

/** `opencode serve`: calls over HTTP, and events. */
export const opencodeServer: ServerDrive<OpencodeState> = {
  wire: { over: 'http', events: '/event', port },
  isCommand: () => false,
  verdict: opencodeVerdict,
  empty: NOTHING_SAID,
  hello: opencodeHello,
  receive,
  sent: opencodeSent,
  request: opencodeRequest,
  proof: opencodeProof,
  view,
};

function port(line: string): number | null {
  const said = LISTENS.exec(line)?.[1];
  return said === undefined ? null : Number(said);
}

function receive(state: OpencodeState, message: Incoming, at: ReceivedAt): Received<OpencodeState> {
  if (message.is === 'answer') return { ...answerTaken(state, message, at), send: [] };
  const event = message.is === 'message' ? asFields(message.data) : null;
  return event === null ? { state, reports: [], send: [] } : { ...eventTaken(state, event, at), send: [] };
}

function view({ session, isBusy, questions, trouble }: OpencodeState): ServerView {
  const is = session === null ? 'starting' : isBusy ? 'busy' : 'idle';
  return { is, questions: Object.keys(questions), trouble };
}
