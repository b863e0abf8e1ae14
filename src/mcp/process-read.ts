import type { CallOutput } from '../api/contract.ts';
import type { OutputPage, SessionView } from '../api/shapes.ts';
import { attend } from './attend.ts';
import { asData, lastOf, linesThatFit } from './data.ts';
import { AFTER_TIMEOUT } from './exec-words.ts';
import { readPart } from './pages.ts';
import type { ProcessInput } from './process-input.ts';
import type { Answer, Call } from './tool.ts';
import { commandOf, durationOf, oneLine } from './words.ts';

const LIST_MAX = 50;
const RUNNING_MAX = 200;
const LINES = 200;
const LABEL_CHARS = 80;

/** `list`: one line for each command, newest first. */
export async function list(_input: ProcessInput, { outlast, clock, signal }: Call): Promise<Answer> {
  // What runs is never left out for what came later: its id may be known nowhere else.
  const live = await outlast.list({ state: 'live', limit: RUNNING_MAX }, signal);
  const { sessions: ended, more } = await outlast.list({ state: 'ended', limit: LIST_MAX }, signal);
  // One that ended between the two is in both.
  const found = [...new Map([...live.sessions, ...ended].map((each) => [each.id, each])).values()].filter(
    ({ drive }) => drive === 'command',
  );
  const fits = linesThatFit(found.map((each) => lineOf(each, clock.wallMs()))).length;
  const commands = found.slice(0, fits).sort((one, other) => other.createdAtMs - one.createdAtMs);
  const lines = commands.map((session) => lineOf(session, clock.wallMs()));
  const isPart = live.more || more || fits < found.length;
  const rest = isPart
    ? ['[only some of those that ended; session_list state=ended has all, state=live what runs]']
    : [];
  const text =
    lines.length === 0
      ? 'No running or recent sessions.'
      : [...rest, asData(lines.join('\n'), 'the list of commands')].join('\n');
  return { text, details: { status: 'completed', sessions: commands.map(detailsOf) } };
}

/** `poll`: what this server has not shown yet; with a timeout it waits for output or the end. */
export async function poll({ sessionId, timeout = 0 }: ProcessInput, call: Call): Promise<Answer> {
  const asked = call.outlast.poll({ session: sessionId, timeoutMs: timeout, reader: 'mcp' }, call.signal);
  const polled = timeout > 0 ? await attend(call, `polling ${sessionId}`, timeout, asked) : await asked;
  const { session, retryInMs } = polled;
  if (!call.signal.aborted)
    await call.outlast.ack({ session: session.id, cursor: polled.next, reader: 'mcp' }, call.signal);
  if (session.phase === 'ended') await call.outlast.seen(session.id);
  const retry = retryInMs === undefined ? {} : { retryInMs };
  return { text: pollText(polled), details: { ...detailsOf(session), ...retry } };
}

/** `log`: lines by number; without any, the last ones. */
export async function log({ sessionId, offset, limit }: ProcessInput, { outlast, signal }: Call): Promise<Answer> {
  const range = offset === undefined ? { tail: limit ?? LINES } : { offset, limit: limit ?? LINES };
  const { page, text, rest } = await readPart(outlast, { session: sessionId, ...range }, signal);
  if (page.ended && rest === null) await outlast.seen(sessionId);
  const none = page.ended ? '(no output recorded)' : '(no output yet)';
  const said = [...missingOf(page, rest, offset), text === '' ? none : asData(text, sessionId)];
  const lines = page.lines === undefined ? {} : { totalLines: page.lines.total, offset: page.lines.offset };
  const status = page.ended ? 'completed' : 'running';
  return { text: said.join('\n\n'), details: { status, sessionId, ...lines, droppedBytes: page.droppedBytes } };
}

function pollText({ notices, text, session }: CallOutput<'session.poll'>): string {
  const cut = lastOf(text.trimEnd());
  const log = `process action=log sessionId=${session.id} offset=0`;
  const left = `[${cut.leftOutChars} characters are left out here; ${log}]`;
  const body = cut.text === '' ? '(no new output)' : asData(cut.text, session.id);
  return [...notices, ...(cut.leftOutChars > 0 ? [left] : []), body, standing(session)].join('\n\n');
}

function standing({ outcome, exit, waitsForInput }: SessionView): string {
  if (outcome === null) return `Process still running.${waitsForInput ? ' It seems to wait for input.' : ''}`;
  if (outcome.kind === 'stopped' && outcome.by === 'timeout') return `Process timed out. ${AFTER_TIMEOUT}`;
  if (exit === null) return 'Process exited with unknown exit code.';
  return `Process exited with ${exit.text.startsWith('signal') ? exit.text : `code ${exit.status}`}.`;
}

function missingOf(page: OutputPage, rest: string | null, offset: number | undefined): string[] {
  const known = page.lines === undefined ? '' : ` of ${page.lines.total} lines`;
  const what = offset === undefined ? `the first lines are missing${known}` : `there is more${known}`;
  return [
    ...(page.droppedBytes > 0 ? [`[the first ${page.droppedBytes} bytes were discarded at the retention cap]`] : []),
    ...(page.incomplete ? ['[the output may be incomplete]'] : []),
    ...(rest === null ? [] : [`[${what}; pass offset/limit to page: ${rest}]`]),
  ];
}

function lineOf(session: SessionView, nowMs: number): string {
  const ran = durationOf((session.endedAtMs ?? nowMs) - session.createdAtMs);
  const name = session.name === null ? '' : ` (${session.name})`;
  const label = oneLine(commandOf(session), LABEL_CHARS);
  return `${session.id}${name} ${statusOf(session).padEnd(9)} ${ran} :: ${label}`;
}

function statusOf({ outcome, exit }: SessionView): 'running' | 'completed' | 'failed' {
  if (outcome === null) return 'running';
  return outcome.kind === 'done' && exit?.status === 0 ? 'completed' : 'failed';
}

function detailsOf(session: SessionView): Record<string, unknown> {
  const ended =
    session.endedAtMs === null ? {} : { endedAt: session.endedAtMs, exitCode: session.exit?.status ?? null };
  const { id, pid, name, workspace } = session;
  const what = { command: commandOf(session), name, cwd: workspace, pid };
  return { sessionId: id, status: statusOf(session), startedAt: session.createdAtMs, ...what, ...ended };
}
