import type { Verdict } from '../../core/snapshot.ts';
import { asFields, asList, asNumber, asText, type Fields, readObject } from '../seam/json.ts';
import {
  type HelloPlan,
  type Incoming,
  type Outgoing,
  type Proof,
  type Received,
  type ReceivedAt,
  type ServerDrive,
  type ServerIntent,
  type ServerPlace,
  type ServerReport,
  type ServerScreen,
  socketPath,
  type Wire,
} from '../seam/server.ts';
import { callOf, reportsOf } from './notes.ts';
import type { Request } from './protocol.ts';
import { afterNote, afterStanding, type EchoState, EMPTY, newerNotes, withEarly, withId } from './server-state.ts';
import { isCommand } from './turns-drive.ts';

/** Echo as a server process with messages. They are the same over every wire. */
export function echoServer(wire: Wire, program: readonly [string, ...string[]]): ServerDrive<EchoState> {
  return {
    ...(wire.over === 'websocket' && { screen: (place: ServerPlace) => screenOf(program, wire, place) }),
    wire,
    empty: EMPTY,
    isCommand,
    verdict: ({ status }): Verdict => (status === 0 ? 'unknown' : 'crashed'),
    hello: (state, plan) => [outgoing(wire, openRequest(state, plan))],
    receive: (state, message, at) => receive(wire, state, message, at),
    sent: (state, { id }) => ({ ...state, sent: withId(state.sent, id) }),
    request: (_, intent) => outgoing(wire, requestOf(intent)),
    proof: (state, intent) => proof(wire, state, intent),
    view: ({ isOpen, turn, questions, sent, trouble }) => ({
      is: !isOpen ? 'starting' : turn === null ? 'idle' : 'busy',
      questions: wire.over === 'stdio' ? questions.filter((each) => !sent.includes(answerId(each))) : questions,
      trouble,
    }),
  };
}

/** A second client of the socket: it shows every note, and sends what is typed as prompts. */
function screenOf(
  program: readonly [string, ...string[]],
  wire: Extract<Wire, { over: 'websocket' }>,
  { folder, readOnly }: ServerPlace,
): ServerScreen {
  const argv = [...program, '--attach', socketPath(folder, wire), ...(readOnly ? ['--read-only'] : [])] as const;
  return { argv: argv as unknown as ServerScreen['argv'], detach: 'Ctrl-D' };
}

/** How echo listens on each wire. */
export const ECHO_WIRES = {
  stdio: { over: 'stdio' },
  websocket: { over: 'websocket', socket: 'agent.sock' },
  http: { over: 'http', events: '/events', port: portIn },
} as const satisfies Readonly<Record<Wire['over'], Wire>>;

function portIn(line: string): number | null {
  const note = line.includes('"listening"') ? readObject(line) : null;
  return note?.on === 'listening' ? asNumber(note.port) : null;
}

/** A process is opened once; on later connections the same request only returns the state. */
function openRequest({ conversation, isOpen }: EchoState, plan: HelloPlan): Request {
  const id = isOpen || plan.isAdopted ? 'standing' : 'open';
  return { do: 'open', id, conversation: conversation ?? plan.conversation, ask: plan.isGated };
}

function requestOf(intent: ServerIntent): Request {
  switch (intent.do) {
    case 'deliver':
      return { do: 'prompt', id: intent.token, text: intent.text, steer: intent.steer };
    case 'answer': {
      const { question, allow, why, edit } = intent;
      const input = edit === undefined ? {} : { input: JSON.parse(edit) as unknown };
      return { do: 'answer', id: answerId(question), question, allow, why, ...input };
    }
    case 'interrupt':
      return { do: 'interrupt', id: intent.token };
    case 'close':
      return { do: 'close', id: 'close' };
  }
}

function answerId(question: string): string {
  return `answer ${question}`;
}

function outgoing({ over }: Wire, request: Request): Outgoing {
  if (over !== 'http') return { is: 'message', id: request.id, data: request };
  return { is: 'call', id: request.id, method: 'POST', path: '/request', body: request };
}

function receive(wire: Wire, state: EchoState, message: Incoming, { run }: ReceivedAt): Received<EchoState> {
  const said = message.is === 'garbage' ? null : asFields(message.data);
  const nothing = { state, reports: [], send: [] };
  if (said === null) return nothing;
  if ('re' in said) return replied(wire, state, said, run);
  if (said.on === 'wonders') {
    const known = { ...nothing, state: afterNote(state, said) };
    const id = asText(said.id);
    return id === null ? known : { ...known, send: [refusal(wire, id)] };
  }
  // Applied before older ones, it would be about another turn than they are.
  if (wire.over !== 'stdio' && !state.isOpen) return { ...nothing, state: withEarly(state, said) };
  return { state: afterNote(state, said), reports: reportsOfNote(said, run), send: [] };
}

/** Handles an answer. One with an unknown id is ignored. */
function replied(wire: Wire, state: EchoState, said: Fields, run: number): Received<EchoState> {
  const [re, error, standing] = [asText(said.re) ?? '', asText(said.error), asFields(said.standing)];
  if (standing !== null) {
    const wonders = asList(standing.wonders).flatMap((id) => asText(id) ?? []);
    const send = wonders.map((id) => refusal(wire, id));
    const newer = newerNotes(state, standing);
    const reports = [...reportsOfStanding(standing, run), ...newer.flatMap((note) => reportsOfNote(note, run))];
    return { state: newer.reduce(afterNote, afterStanding(state, standing)), reports, send };
  }
  if (error === null) return { state, reports: [], send: [] };
  const isHello = re === 'open' || re === 'standing';
  const refused = { ...state, refused: withId(state.refused, re) };
  return { state: isHello ? { ...refused, trouble: error } : refused, reports: [], send: [] };
}

function refusal(wire: Wire, to: string): Outgoing {
  return outgoing(wire, { do: 'reply', id: `reply ${to}`, to, error: 'Outlast does not know this request' });
}

/** What happened while no connection existed: the same facts under the same keys. */
function reportsOfStanding(standing: Fields, run: number): ServerReport[] {
  const notes = (name: string, on: string): Fields[] =>
    asList(standing[name]).flatMap((each) => {
      const fields = asFields(each);
      return fields === null ? [] : [{ ...fields, on }];
    });
  const { conversation, transcript } = standing;
  const ended = notes('ended', 'stopped');
  const prompts = notes('prompts', 'prompted').flatMap((note, i, all) => {
    // A turn ends after the last prompt that joined it.
    const isLast = all.findLastIndex(({ turn }) => turn === note.turn) === i;
    const end = isLast ? ended.find(({ turn }) => turn === note.turn) : undefined;
    return end === undefined ? [note] : [note, end];
  });
  return [{ on: 'opened', conversation, transcript }, ...prompts, ...notes('questions', 'asked')].flatMap((note) =>
    reportsOfNote(note, run),
  );
}

function reportsOfNote(note: Fields, run: number): readonly ServerReport[] {
  // Every prompt of a server comes from us, under the token that it was sent with.
  if (note.on !== 'asked') return reportsOf(note, run, (prompt) => prompt);
  const [question, asked] = [asText(note.question), callOf(note)];
  if (question === null || asked === null) return [];
  const { call, tool, input } = asked;
  const about = { confirms: false, call, tool, input, subagent: null, cwd: null };
  return [{ key: `asked ${question}`, says: { type: 'asked', question, call: about } }];
}

/** Over stdio every sent message arrives: it is in a file. Over the other wires only what echo shows has arrived. */
function proof({ over }: Wire, { had, refused, sent, questions, turn }: EchoState, intent: ServerIntent): Proof {
  const { id } = requestOf(intent);
  if (refused.includes(id)) return intent.do === 'deliver' ? 'not-done' : 'done';
  if (over === 'stdio') return sent.includes(id) ? 'done' : 'not-done';
  switch (intent.do) {
    case 'deliver':
      return had.includes(id) ? 'done' : 'unknown';
    case 'answer':
      if (had.includes(intent.question)) return 'done';
      return questions.includes(intent.question) ? 'not-done' : 'unknown';
    case 'interrupt':
      // Interrupting a turn twice changes nothing.
      return turn === null ? 'done' : 'not-done';
    case 'close':
      return 'unknown';
  }
}
