import type { Verdict } from '../../core/snapshot.ts';
import { asFields, asList, asText, type Fields } from '../seam/json.ts';
import type { Incoming, Received, ReceivedAt, ServerDrive, ServerReport, ServerView } from '../seam/server.ts';
import { isCommand } from './commands.ts';
import * as report from './server-reports.ts';
import { ANSWER_MS_MAX, INITIALIZE, qwenHello, qwenProof, qwenRequest, qwenSent, refusal } from './server-requests.ts';
import { NOTHING_SAID, type QwenState, without } from './server-state.ts';
import { endOf } from './stream.ts';

/** Qwen Code with messages on standard input and output, the same as in its output of one turn. */
export const qwenServer: ServerDrive<QwenState> = {
  wire: { over: 'stdio' },
  // A second prompt would be a second turn.
  steers: false,
  answersWithinMs: ANSWER_MS_MAX,
  isCommand,
  // It stays until its input ends, which nobody ends.
  verdict: ({ status }): Verdict => (status === 0 ? 'unknown' : 'crashed'),
  empty: NOTHING_SAID,
  hello: qwenHello,
  receive,
  sent: qwenSent,
  request: qwenRequest,
  proof: qwenProof,
  view,
};

function receive(state: QwenState, message: Incoming, { run, nowMs }: ReceivedAt): Received<QwenState> {
  const data = message.is === 'message' ? asFields(message.data) : null;
  switch (data?.type) {
    case 'control_response':
      return answered(state, asFields(data.response) ?? {}, run);
    case 'control_request':
      return asked(state, asText(data.request_id) ?? '', asFields(data.request) ?? {});
    case 'system':
      return data.subtype === 'init' ? begun(state, run) : nothing(state);
    case 'assistant':
    case 'user':
      return spoken(state, data, run);
    case 'result':
      return stopped(state, data, run, nowMs);
    default:
      return nothing(state);
  }
}

/** Handles an answer to a request of ours. Only the first one matters. */
function answered(state: QwenState, answer: Fields, run: number): Received<QwenState> {
  if (answer.request_id !== INITIALIZE) return nothing(state);
  const conversation = asText(asFields(answer.response)?.session_id);
  if (answer.subtype !== 'success' || conversation === null)
    return nothing({ ...state, trouble: asText(answer.error) ?? 'it opened no conversation' });
  return { state: { ...state, conversation }, reports: [report.openedReport(run, conversation)], send: [] };
}

/** A question has the name of its call. */
function asked(state: QwenState, request: string, asks: Fields): Received<QwenState> {
  const subtype = asText(asks.subtype) ?? 'this';
  if (subtype !== 'can_use_tool') return { ...nothing(state), send: [refusal(request, subtype)] };
  const call = asText(asks.tool_use_id);
  const question = call ?? request;
  const about = { confirms: false, call, tool: asText(asks.tool_name) ?? 'unknown', input: asks.input ?? null };
  const says = { type: 'asked', question, call: { ...about, subagent: null, cwd: null } } as const;
  const questions = { ...state.questions, [question]: request };
  return { state: { ...state, questions }, reports: [{ key: `asked ${question}`, says }], send: [] };
}

/** Every turn begins with a line about the process. */
function begun(state: QwenState, run: number): Received<QwenState> {
  const token = state.turn?.token ?? null;
  const next = { ...state, turn: { token, isBegun: true }, turns: state.turns + 1 };
  const isNew = token !== null && state.turn?.isBegun === false;
  return { state: next, reports: isNew ? [report.promptedReport(run, token)] : [], send: [] };
}

/** Calls and their results. */
function spoken(state: QwenState, data: Fields, run: number): Received<QwenState> {
  // What a sub-agent says is not part of the conversation.
  if (asText(data.parent_tool_use_id) !== null) return nothing(state);
  const blocks = asList(asFields(data.message)?.content).map((block) => asFields(block) ?? {});
  const reports: ServerReport[] = [];
  let { calls, questions } = state;
  for (const block of blocks) {
    const [id, ended] = [asText(block.id), asText(block.tool_use_id)];
    if (block.type === 'tool_use' && id !== null) {
      const tool = { name: asText(block.name) ?? 'unknown', input: block.input ?? null };
      calls = { ...calls, [id]: tool };
      reports.push(report.calledReport(run, id, tool));
    }
    if (block.type === 'tool_result' && ended !== null) {
      const name = Object.hasOwn(calls, ended) ? (calls[ended]?.name ?? 'unknown') : 'unknown';
      reports.push(report.endedReport(run, ended, name, block));
      // A call that has ended has no open question.
      [calls, questions] = [without(calls, ended), without(questions, ended)];
    }
  }
  return { state: { ...state, calls, questions }, reports, send: [] };
}

/** A result ends the turn, with everything that was open in it. */
function stopped(state: QwenState, result: Fields, run: number, nowMs: number): Received<QwenState> {
  const token = state.turn?.token ?? null;
  const before = state.turn?.isBegun === false && token !== null ? [report.promptedReport(run, token)] : [];
  const end = endOf(result, nowMs);
  const reports = token === null ? [] : [...before, report.stoppedReport(run, token, end)];
  const isSpent = state.isSpent || end.turn === 'failed';
  return { state: { ...state, turn: null, calls: {}, questions: {}, isSpent }, reports, send: [] };
}

function nothing(state: QwenState): Received<QwenState> {
  return { state, reports: [], send: [] };
}

/** Answered questions are open until the agent goes on; the supervisor knows what it has answered. */
function view({ conversation, turn, questions, trouble }: QwenState): ServerView {
  const isStarting = conversation === null && trouble === null;
  return { is: isStarting ? 'starting' : turn === null ? 'idle' : 'busy', questions: Object.keys(questions), trouble };
}
