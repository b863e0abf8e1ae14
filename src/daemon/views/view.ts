import { readFileSync, statSync } from 'node:fs';
import type { EventView, SessionView } from '../../api/shapes.ts';
import { unreachable } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { type Actor, actorText } from '../../core/actor.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import { type Fault, type Outcome, runOf, type Session } from '../../core/session.ts';
import { storedBody } from '../../core/stored-body.ts';
import type { Entry, Journal, Row } from '../../journal/journal.ts';
import { durationText } from '../../present/duration.ts';
import { exitText, outcomeText } from '../../present/outcome.ts';
import { terminalOf } from '../../supervisor/runs.ts';
import { seemsToWait } from '../../terminal/input-wait.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import { placeAt } from '../journal/cursor.ts';
import { quietMs } from '../machine/retry.ts';
import { scheduleOf } from './schedule-of.ts';
import { withoutUpdates } from './without-updates.ts';

/** The dependencies of a view of a live session. */
export interface ViewParts {
  readonly config: { readonly state: string };
  readonly clock: Clock;
}

/** A session in the API. */
export function viewOf(state: string, row: Row): SessionView {
  const { session } = row;
  const files = runFolder(state, { session: session.id, run: Math.max(runOf(session), 1) });
  const outcome = session.phase.at === 'ended' || session.phase.at === 'closing' ? session.phase.outcome : null;
  return {
    id: session.id,
    name: session.spec.name,
    agent: session.spec.agent,
    ...earlierAgents(session),
    terminal: terminalOf(session),
    phase: row.unreadableAt !== null && row.live ? 'held' : session.phase.at,
    workspace: session.spec.workspace,
    argv: [...session.spec.argv],
    createdAtMs: session.created.wallMs,
    endedAtMs: row.endedAtMs,
    run: runOf(session),
    pid: session.run?.pid ?? null,
    exit: session.run?.exit ? { status: session.run.exit.status, text: exitText(session.run.exit.status) } : null,
    outcome: session.phase.at === 'ended' && outcome ? outcomeView(outcome) : null,
    held: heldText(row),
    hold: holdOf(row),
    limitedUntilMs: session.phase.at === 'limited' ? session.phase.untilMs : null,
    usage: { ...session.accounting.usage },
    resumes: session.recovery.resumes,
    background: session.background,
    outputBytes: session.run?.outputBytes ?? statSync(files.output, { throwIfNoEntry: false })?.size ?? 0,
    droppedBytes: droppedBytes(files.dropped),
    incomplete: session.run?.incomplete ?? false,
    ...scheduleOf(session),
    ...talkView(session),
  };
}

function earlierAgents({ conversation: { earlier } }: Session): Pick<SessionView, 'earlierAgents'> {
  return earlier === undefined ? {} : { earlierAgents: earlier.map(({ agent, id }) => ({ agent, conversation: id })) };
}

/** How many characters of one argument, and of all of them, a list shows. */
const ARGUMENT_CHARS_MAX = 1_000;
const ARGUMENTS_CHARS_MAX = 10_000;

/** A session in a list, with long arguments cut. `show` has them whole. */
export function shortened(view: SessionView): SessionView {
  let rest = ARGUMENTS_CHARS_MAX;
  const argv: string[] = [];
  for (const word of view.argv) {
    const max = Math.min(ARGUMENT_CHARS_MAX, rest);
    if (rest > 0) argv.push(word.length <= max ? word : `${word.slice(0, max)}…`);
    rest -= word.length;
  }
  return { ...view, argv: rest < 0 && argv.length < view.argv.length ? [...argv, '…'] : argv };
}

/** How many characters of a prompt are shown. */
const PROMPT_CHARS_MAX = 200;

function talkView(session: Session): Pick<SessionView, Talking> {
  const {
    turn: { last },
    attendance: { control },
  } = session;
  return {
    drive: session.spec.drive === 'server' ? 'live' : session.spec.drive,
    model: session.spec.conversation?.model ?? null,
    thinking: session.spec.conversation?.thinking ?? null,
    conversation: session.conversation.id ?? session.spec.conversation?.id ?? null,
    transcript: session.conversation.transcript,
    control: control && { ...control, by: actorText(control.by) },
    prompts: session.prompts.map(({ id, state, waiting, text, images }) => ({
      id,
      state,
      waiting: session.conversation.delay?.why ?? (state === 'queued' ? waiting : null),
      text: shortly(text),
      ...(images && { images: images.length }),
    })),
    gate: session.spec.conversation?.gate?.mode ?? 'off',
    approvals: openQuestionsOf(session).length,
    owner: ownerOf(session),
    lastTurn: last && { how: last.how, prompt: last.prompt, text: shortly(last.text) },
  };
}

function shortly(text: string): string {
  return withoutUpdates(text).slice(0, PROMPT_CHARS_MAX);
}

type Talking =
  | ('drive' | 'model' | 'thinking' | 'conversation' | 'transcript' | 'control' | 'prompts' | 'lastTurn')
  | ('gate' | 'approvals' | 'owner');

function ownerOf({ owner }: Session): SessionView['owner'] {
  if (owner === null) return null;
  const { session, root, depth, wake, onEnd } = owner;
  return { session, root, depth, wake, onEnd };
}

function heldText({ unreadableAt, session: { phase } }: Row): string | null {
  if (unreadableAt !== null) return `the journal is unreadable at ${unreadableAt}`;
  return phase.at === 'held' ? phase.why.text : null;
}

function holdOf({ unreadableAt, session: { phase } }: Row): SessionView['hold'] {
  if (unreadableAt !== null || phase.at !== 'held') return null;
  return { kind: phase.why.kind, helps: phase.why.needsResume === true ? 'resume' : 'attach' };
}

/** The view of a session, including whether it seems to wait for input, which takes a few more reads. */
export function attentiveViewOf({ config, clock }: ViewParts, row: Row): SessionView {
  const view = viewOf(config.state, row);
  const { spec, phase, run } = row.session;
  if (spec.drive !== 'command')
    return row.live ? { ...view, lastSignAtMs: lastSignMs(config.state, row, clock) } : view;
  if (phase.at !== 'working' || !run?.pid) return view;
  const files = runFolder(config.state, { session: row.session.id, run: run.number });
  const idle = { ...view, idleMs: Math.round(quietMs(files, clock.wallMs())) };
  if (run.inputClosed || (spec.terminal === 'pipe' && spec.stdin !== 'open')) return idle;
  return seemsToWait(files, run.pid, clock.wallMs()) ? { ...idle, waitsForInput: true } : idle;
}

/** The last hook, transcript line or stream line. A screen is redrawn all the time and proves nothing. */
function lastSignMs(state: string, { session }: Row, clock: Clock): number {
  const hookMs = clock.wallMs() - (clock.steadyMs() - session.turn.progressAtMs);
  const { output } = runFolder(state, { session: session.id, run: Math.max(runOf(session), 1) });
  const files = [session.conversation.transcript, session.spec.drive === 'turns' ? output : null];
  const written = files.map((path) => (path === null ? undefined : statSync(path, { throwIfNoEntry: false })?.mtimeMs));
  return Math.round(Math.max(hookMs, ...written.map((atMs) => atMs ?? 0)));
}

/** An event in the API. */
export function eventView(journal: Pick<Journal, 'id'>, entry: Entry): EventView {
  return { ...eventFields(entry), ...placeAt(journal, entry.position) };
}

/** An event in the file of its session. */
export function eventFields({ position, event }: Entry): Omit<EventView, 'after'> {
  const { type, ...body } = storedBody(event.body);
  return {
    position,
    session: event.session,
    seq: event.seq,
    ts: new Date(event.atMs).toISOString(),
    event: type,
    body,
  };
}

/** The outcome in the API. */
export function outcomeView(outcome: Outcome): NonNullable<SessionView['outcome']> {
  switch (outcome.kind) {
    case 'done':
      return { kind: 'done' };
    case 'stopped':
      return { kind: 'stopped', by: actorText(outcome.by), ...boundOf(outcome.by) };
    case 'failed':
      return { kind: 'failed', why: outcome.error };
    case 'abandoned':
      return { kind: 'abandoned', why: [faultText(outcome.fault), outcome.why].filter(Boolean).join('; ') };
    default:
      return unreachable(outcome);
  }
}

/** How it ended, in a few words; `line` shows what is not ours. */
export function endText(outcome: Outcome, line: (text: string) => string): string {
  const exit = outcome.kind === 'done' && outcome.exit !== null ? exitText(outcome.exit.status) : null;
  return outcomeText(outcomeView(outcome), exit, { line, withReason: true });
}

/** The bound that ended the session. Exit statuses depend on it, never on a name that a caller chose. */
function boundOf(by: Actor): Pick<NonNullable<SessionView['outcome']>, 'bound'> {
  return by.is === 'policy' && (by.bound === 'timeout' || by.bound === 'silence') ? { bound: by.bound } : {};
}

const UNKNOWN = 'its process left no exit status; its work may be complete, partial or not begun';

/** The launcher's error words, for display. */
const UNSTARTED: Readonly<Record<string, string>> = {
  cwd: 'its folder could not be entered',
  stdin: 'its input could not be read',
  missing: 'there is no such command',
  unexecutable: 'the command cannot be executed',
};

/** A fault, for display. */
export function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'exited':
      // A command that exits has done its work; a fault is the exit of an agent that has not.
      return fault.exit.status === 0 ? 'exit 0 before it had finished' : exitText(fault.exit.status);
    case 'lost':
      return `lost${restartText(fault)}: ${UNKNOWN}`;
    case 'unstarted':
      return `could not be started: ${UNSTARTED[fault.why] ?? fault.why}`;
    case 'stalled':
      return `no progress for ${durationText(fault.silentMs)}`;
    case 'cut':
      return fault.why ?? 'its terminal is gone';
    case 'memory':
      return `out of memory: it used ${Math.round(fault.bytes / 1024 ** 2)} MB`;
    case 'breached':
      return `${fault.tool} was used without being allowed`;
    case 'deadline':
      return `not finished after ${durationText(fault.afterMs)}, excluding sleep`;
    case 'unready':
      return `not ready after ${durationText(fault.waitedMs)}`;
    default:
      return unreachable(fault);
  }
}

function restartText({ reboot, planned }: Extract<Fault, { kind: 'lost' }>): string {
  if (planned) return ' in a planned restart';
  return reboot ? ' in a restart of the machine' : '';
}

function droppedBytes(path: string): number {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}
