import { asFields, asList, asText, type Fields } from '../seam/json.ts';
import type { Outgoing, Received, ServerReport } from '../seam/server.ts';
import { aboutOf } from './server-requests.ts';
import { type OpencodeState, without } from './server-state.ts';

type Changed = Pick<Received<OpencodeState>, 'state' | 'reports'>;

/** The call that reads what a question is about; null: that is known, or cannot be. */
export function readOf({ calls }: OpencodeState, { id, sessionID, tool }: Fields): Outgoing | null {
  const [question, session] = [asText(id), asText(sessionID)];
  const [call, message] = [callOf({ tool }), asText(asFields(tool)?.messageID)];
  if (question === null || session === null || call === null || message === null) return null;
  return Object.hasOwn(calls, call) ? null : aboutOf(question, session, message);
}

/** Handles a question whether a call may run, also one of a sub-agent. */
export function questionTaken(state: OpencodeState, properties: Fields): Changed {
  const [id, session] = [asText(properties.id), asText(properties.sessionID)];
  if (id === null || session === null) return { state, reports: [] };
  const call = callOf(properties);
  const known = call !== null && Object.hasOwn(state.calls, call) ? state.calls[call] : undefined;
  const { tool, input } = known ?? askedOf(properties);
  const subagent = session === state.session ? null : session;
  const asks = { confirms: false, call, tool, input, subagent, cwd: null };
  const says: ServerReport['says'] = { type: 'asked', question: id, call: asks };
  return {
    state: { ...state, questions: { ...state.questions, [id]: { session } } },
    reports: [{ key: `asked ${id}`, says }],
  };
}

/** The call as the question itself describes it, until more is known. */
function askedOf({ permission, patterns, metadata }: Fields): { readonly tool: string; readonly input: unknown } {
  const tool = asText(permission) ?? 'unknown';
  const about = asFields(metadata) ?? {};
  const [pattern] = asList(patterns);
  if (tool === 'edit') return { tool, input: { filePath: about.filepath ?? pattern } };
  if (tool === 'read') return { tool, input: { filePath: about.filePath ?? pattern } };
  return { tool, input: about };
}

/** The call that a question is about. */
export function callOf({ tool }: Fields): string | null {
  return asText(asFields(tool)?.callID);
}

/** Reports the questions whose calls are known by now. */
export function clearedUp(state: OpencodeState): Changed {
  const clear = Object.entries(state.unclear).filter(([, question]) =>
    Object.hasOwn(state.calls, callOf(question) ?? ''),
  );
  return clear.reduce(
    ({ state: known, reports }: Changed, [id, question]) => {
      const next = questionTaken({ ...known, unclear: without(known.unclear, id) }, question);
      return { state: next.state, reports: [...reports, ...next.reports] };
    },
    { state, reports: [] },
  );
}
