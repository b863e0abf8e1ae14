import type { CallOutput } from '../api/contract.ts';
import type { OutputPage } from '../api/output-shape.ts';
import type { SessionView } from '../api/shapes.ts';
import { stateOfCommand } from '../compat/command-state.ts';
import { durationText } from '../present/duration.ts';
import { attend } from './attend.ts';
import { asData, DATA_CHARS_MAX, linesThatFit } from './data.ts';
import { AFTER_TIMEOUT } from './exec-words.ts';
import { readPart } from './pages.ts';
import type { ProcessInput } from './process-input.ts';
import type { Answer, Call } from './tool.ts';
import { commandOf, oneLine } from './words.ts';

const LIST_MAX = 50;
const RUNNING_MAX = 200;
const LINES = 200;
const LABEL_CHARS = 80;

/** `list`: one line for each command, newest first. */
export async function list(_input: ProcessInput, { outlast, clock, signal }: Call): Promise<Answer> {
  // A running session is never left out in favour of a newer one: its id may be known nowhere else.
  const live = await outlast.list({ state: 'live', limit: RUNNING_MAX }, signal);
  const { sessions: ended, more } = await outlast.list({ state: 'ended', limit: LIST_MAX }, signal);
  // One that ended between the two calls is in both.
  const found = [...new Map([...live.sessions, ...ended].map((each) => [each.id, each])).values()].filter(
    ({ drive }) => drive === 'command',
  );
  const fits = linesThatFit(found.map((each) => lineOf(each, clock.wallMs()))).length;
  const commands = found.slice(0, fits).sort((one, other) => other.createdAtMs - one.createdAtMs);
  const lines = commands.map((session) => lineOf(session, clock.wallMs()));
  const isPart = live.more || more || fits < found.length;
  const rest = isPart
    ? ['[only some ended sessions; session_list state=ended has all, state=live the running ones]']
    : [];
  const text =
    lines.length === 0
      ? 'No running or recent sessions.'
      : [...rest, asData(lines.join('\n'), 'the list of commands')].join('\n');
  return { text, details: { status: 'completed', sessions: commands.map(detailsOf) } };
}

/** `poll`: output that was not shown yet; with a timeout it waits for output or the end. */
export async function poll({ sessionId, timeout = 0 }: ProcessInput, call: Call): Promise<Answer> {
  const { outlast, signal } = call;
  const timeoutMs = Math.min(timeout, call.waitMsMax);
  const reader = { session: sessionId, reader: 'mcp' };
  const asked = outlast.poll({ ...reader, timeoutMs, bytes: DATA_CHARS_MAX, lease: true }, signal);
  const waited = timeoutMs > 0 ? attend(call, `polling ${sessionId}`, timeoutMs, asked) : asked;
  const polled = await waited.catch(async (error: unknown) => {
    if (signal.aborted) await outlast.ack({ ...reader, cursor: 0 }).catch(() => {});
    throw error;
  });
  const { session, from, next, more, retryInMs } = polled;
  // A cancelled call delivers no answer, so its text stays unread.
  await outlast.ack({ ...reader, cursor: signal.aborted ? 0 : next });
  if (session.phase === 'ended' && !more) await outlast.acknowledge(session.id);
  const retry = retryInMs === undefined ? {} : { retryInMs };
  return { text: pollText(polled), details: { ...detailsOf(session), from, next, more, ...retry } };
}

/** `log`: lines by number, or text from a byte offset; by default the last lines. */
export async function log(input: ProcessInput, { outlast, signal }: Call): Promise<Answer> {
  const { sessionId, from, offset, limit } = input;
  const count = limit ?? LINES;
  const range =
    from !== undefined
      ? { from, ...(limit === undefined ? {} : { limit }) }
      : offset === undefined
        ? { tail: count }
        : { offset, limit: count };
  const { page, text, rest } = await readPart(outlast, { session: sessionId, ...range }, signal);
  if (page.ended && rest === null) await outlast.acknowledge(sessionId);
  const none = page.ended ? '(no output recorded)' : '(no output yet)';
  const said = [...missingOf(page, rest), text === '' ? none : asData(text, sessionId)];
  const { session } = await outlast.show(sessionId, signal);
  const { lines, from: first, next, more, droppedBytes } = page;
  const where = { totalLines: lines?.total, offset: lines?.offset, nextLine: lines?.next, from: first, next, more };
  return { text: said.join('\n\n'), details: { ...stateOfCommand(session), ...where, droppedBytes } };
}

function pollText({ notices, text, session }: CallOutput<'session.poll'>): string {
  const body = text === '' ? '(no new output)' : asData(text, session.id);
  return [...notices, body, standing(session)].join('\n\n');
}

function standing(session: SessionView): string {
  const { status, timedOut, exitReason, exitCode, waitingForInput } = stateOfCommand(session);
  if (status === 'running') return `Process still running.${waitingForInput ? ' It seems to wait for input.' : ''}`;
  if (timedOut) {
    const silent = exitReason === 'no-output-timeout' ? ' waiting for output' : '';
    return `Process timed out${silent}. ${AFTER_TIMEOUT}`;
  }
  if (session.exit === null) return 'Process exited with unknown exit code.';
  return `Process exited with ${session.exit.text.startsWith('signal') ? session.exit.text : `code ${exitCode}`}.`;
}

function missingOf(page: OutputPage, rest: string | null): string[] {
  const known = page.lines === undefined ? '' : ` of ${page.lines.total} lines`;
  const what = page.more ? `there is more${known}` : `the first lines are missing${known}`;
  return [
    ...(page.droppedBytes > 0 ? [`[the first ${page.droppedBytes} bytes were discarded at the retention cap]`] : []),
    ...(page.incomplete ? ['[the output may be incomplete]'] : []),
    ...(rest === null ? [] : [`[${what}; ${page.more ? 'to continue' : 'pass offset/limit to page'}: ${rest}]`]),
  ];
}

function lineOf(session: SessionView, nowMs: number): string {
  const ran = durationText((session.endedAtMs ?? nowMs) - session.createdAtMs);
  const name = session.name === null ? '' : ` (${session.name})`;
  const label = oneLine(commandOf(session), LABEL_CHARS);
  const { status, exitCode } = stateOfCommand(session);
  const exit = exitCode === null || exitCode === 0 ? '' : ` (exit ${exitCode})`;
  return `${session.id}${name} ${status.padEnd(9)}${exit} ${ran} :: ${label}`;
}

function detailsOf(session: SessionView): Record<string, unknown> {
  const { pid, name, workspace, createdAtMs, endedAtMs } = session;
  const ended = endedAtMs === null ? {} : { endedAt: endedAtMs };
  const what = { command: commandOf(session), name, cwd: workspace, pid };
  return { ...stateOfCommand(session), startedAt: createdAtMs, ...what, ...ended };
}
