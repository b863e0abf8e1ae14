import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';
import type { Received, ServerReport } from '../seam/server.ts';
import { windowsOf } from './gauge.ts';
import { toolOf } from './items.ts';
import { contentOf, failureOf, resetOf } from './rollout.ts';
import * as report from './server-reports.ts';
import { type CodexState, withId, without, withoutThread } from './server-state.ts';
import { troubleOf } from './trouble.ts';

type Changed = Pick<Received<CodexState>, 'state' | 'reports'>;

/** A JSON-RPC notification of the server. */
interface Notice {
  readonly method: string;
  readonly params: Fields;
}

/** Handles a notification of the server. */
export function noticed(state: CodexState, { method, params }: Notice, run: number): Changed {
  const isOurs = params.threadId === state.thread;
  switch (method) {
    case 'turn/started':
      return isOurs ? { state: { ...state, turn: idOf(params.turn), reply: '' }, reports: [] } : same(state);
    case 'turn/completed':
      return isOurs ? stopped(state, asFields(params.turn) ?? {}, run) : same(state);
    case 'item/started':
      return itemStarted(state, params, run);
    case 'item/completed':
      return itemEnded(state, params, run);
    case 'account/rateLimits/updated':
      return limitsChanged(state, asFields(params.rateLimits), run);
    default:
      return same(state);
  }
}

/** The prompts of a conversation, by their client ids, and the turn that runs in it. */
export function receivedIn(thread: Fields): { readonly received: readonly string[]; readonly turn: string | null } {
  const turns = asList(thread.turns).map((each) => asFields(each) ?? {});
  const items = turns.flatMap((turn) => asList(turn.items).map((each) => asFields(each) ?? {}));
  const received = items.flatMap((item) => (item.type === 'userMessage' ? (asText(item.clientId) ?? []) : []));
  const last = turns.at(-1);
  return { received, turn: last?.status === 'inProgress' ? idOf(last) : null };
}

function stopped(state: CodexState, turn: Fields, run: number): Changed {
  const turnId = idOf(turn) ?? 'unknown';
  // The questions of the turn ended with it; those of sub-agents may still wait.
  const questions = withoutThread(state.questions, state.thread);
  const over = { ...state, turn: null, questions, calls: withoutThread(state.calls, state.thread) };
  const items = asList(turn.items).map((each) => asFields(each) ?? {});
  const said = items.flatMap((item) => (item.type === 'agentMessage' ? (asText(item.text) ?? []) : [])).at(-1);
  const reply = said ?? state.reply;
  if (turn.status === 'completed') return { state: over, reports: [report.stoppedReport(run, turnId, reply, null)] };
  if (turn.status === 'interrupted') return { state: over, reports: [report.cancelledReport(run, turnId, reply)] };
  if (turn.status !== 'failed') return same(over);
  const failure = { ...failureOf(asFields(turn.error) ?? {}), resetsAtMs: state.resetsAtMs };
  const atMs = (asNumber(turn.completedAt) ?? 0) * 1_000;
  return { state: over, reports: [report.stoppedReport(run, turnId, failure.text, troubleOf(failure, atMs))] };
}

/** What it is about to say about a turn that failed, and how much of the limits is used. */
function limitsChanged(state: CodexState, limits: Fields | null, run: number): Changed {
  const windows = windowsOf(limits);
  return {
    state: { ...state, resetsAtMs: resetOf(limits) ?? state.resetsAtMs },
    reports: windows.length === 0 ? [] : [report.gaugedReport(run, windows)],
  };
}

function itemStarted(state: CodexState, { item: value, threadId }: Fields, run: number): Changed {
  const item = asFields(value) ?? {};
  const [id, thread] = [asText(item.id), asText(threadId)];
  const tool = toolOf(item);
  if (tool === null || id === null || thread === null) return same(state);
  const { name, input } = tool;
  const calls = { ...state.calls, [id]: { name, input, thread } };
  return { state: { ...state, calls }, reports: [report.calledReport(run, madeBy(state, id, thread, tool))] };
}

function itemEnded(state: CodexState, { item: value, threadId, turnId }: Fields, run: number): Changed {
  const item = asFields(value) ?? {};
  const [id, thread] = [asText(item.id), asText(threadId)];
  if (id === null || thread === null) return same(state);
  const tool = toolOf(item);
  if (tool !== null) {
    // A call that has ended has no open question.
    const [calls, questions] = [without(state.calls, id), without(state.questions, id)];
    const ended = report.endedReport(run, madeBy(state, id, thread, tool), asNumber(item.durationMs));
    return { state: { ...state, calls, questions }, reports: [ended] };
  }
  if (item.type === 'subAgentActivity') return { state, reports: subagentReports(item, run) };
  if (thread !== state.thread) return same(state);
  return ownItem(state, item, { run, id, turn: asText(turnId) });
}

/** The run, item and turn of a notification. */
interface Where {
  readonly run: number;
  readonly id: string;
  readonly turn: string | null;
}

/** Handles an item of the conversation itself. */
function ownItem(state: CodexState, item: Fields, { run, id, turn }: Where): Changed {
  switch (item.type) {
    case 'userMessage': {
      const token = asText(item.clientId);
      const received = token === null ? state.received : withId(state.received, token);
      const prompt = { item: id, turnId: turn, token, text: contentOf(item).text };
      return { state: { ...state, received }, reports: [report.promptedReport(run, prompt)] };
    }
    case 'agentMessage':
      return same({ ...state, reply: asText(item.text) ?? state.reply });
    case 'contextCompaction':
      return { state, reports: [report.compactedReport(run, id)] };
    default:
      return same(state);
  }
}

function subagentReports({ kind, agentThreadId, agentPath }: Fields, run: number): ServerReport[] {
  const subagent = asText(agentThreadId);
  if (subagent === null) return [];
  if (kind === 'started')
    return [report.subagentReport(run, subagent, asText(agentPath)?.split('/').at(-1) ?? 'unknown')];
  return kind === 'completed' ? [report.subagentReport(run, subagent, null)] : [];
}

function madeBy(state: CodexState, id: string, thread: string, tool: report.Made['tool']): report.Made {
  return { id, tool, subagent: thread === state.thread ? null : thread };
}

function idOf(turn: unknown): string | null {
  return asText(asFields(turn)?.id);
}

function same(state: CodexState): Changed {
  return { state, reports: [] };
}
