import { open } from 'node:fs/promises';
import type { SessionActions } from '../../agent/seam/actions.ts';
import type { SessionView } from '../../api/shapes.ts';
import type { Event } from '../../core/event.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import type { Exit, Outcome, Session } from '../../core/session.ts';
import type { Entry } from '../../journal/journal.ts';
import { commandLine } from '../../present/state.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import { toText } from '../../terminal/text.ts';
import type { NoticeConfig } from '../config/schema.ts';
import { reportHead } from '../report/head.ts';
import { cut, oneLine } from '../views/one-line.ts';
import { outcomeView } from '../views/view.ts';
import { agentText } from './agent.ts';
import { isAnnounced } from './announced.ts';
import { isFailure, isWorthNotice } from './worth.ts';

export { cut } from '../views/one-line.ts';

/** One item of a notice: everything a reader needs, and the command that shows the rest. */
export interface NoticeItem {
  readonly session: string;
  readonly name: string | null;
  readonly event: string;
  readonly position: number;
  /** When, as ISO 8601. */
  readonly at: string;
  readonly exit: number | null;
  readonly outcome: SessionView['outcome'];
  readonly failed: boolean;
  /** Why a turn failed, or why a person is needed. */
  readonly why?: string;
  /** The command; for an agent, its name and the beginning of the prompt. */
  readonly command: string;
  /** The last lines of output, without escapes; for an agent, the first lines of its reply. */
  readonly snippet: string;
  readonly read: string;
  /** For a bad end: the first lines of its report. */
  readonly report?: readonly string[];
  /** From the start of the session to this event, by the wall clock. */
  readonly tookMs: number;
}

const COMMAND_CHARS_MAX = 200;
const SNIPPET_CHARS_MAX = 400;
/** Enough for a few lines, escapes included. */
const TAIL_BYTES = 4096;

/** True when a notice applies to this event of this session. */
export function isFor(on: NoticeConfig['on'], event: Event, session: Session): boolean {
  const { body } = event;
  // A call that was decided meanwhile needs no answer any more.
  if (body.type === 'approval.asked' && !openQuestionsOf(session).some(({ id }) => id === body.approval)) return false;
  if (on.some((word) => word === body.type)) return true;
  if (on.includes('announced') && isAnnounced(event, session)) return true;
  if (body.type !== 'session.ended' || !session.background || !isWorthNotice(body.outcome, session)) return false;
  return on.includes('ended') || (on.includes('failed') && isFailure(body.outcome));
}

/** True when a notice applies to this event because it is announced, and for no other reason. */
export function isOnlyAnnounced(on: NoticeConfig['on'], event: Event, session: Session): boolean {
  return (
    on.includes('announced') &&
    !isFor(
      on.filter((word) => word !== 'announced'),
      event,
      session,
    )
  );
}

/** The dependencies of noticeItem. */
export interface ItemParts {
  readonly state: string;
  readonly actions: SessionActions;
}

/** Creates the item for an event; for a command it reads the end of the output from the run's folder. */
export async function noticeItem(entry: Entry, session: Session, { state, actions }: ItemParts): Promise<NoticeItem> {
  const { event } = entry;
  const outcome = event.body.type === 'session.ended' ? event.body.outcome : null;
  const exit = exitOf(event, session);
  const isBadEnd = outcome !== null && isFailure(outcome);
  return {
    session: event.session,
    name: session.spec.name,
    event: event.body.type,
    position: entry.position,
    at: new Date(event.atMs).toISOString(),
    exit: exit?.status ?? null,
    outcome: outcome && shortOutcome(outcome),
    failed: event.body.type === 'prompt.failed' || isBadEnd,
    ...(session.spec.drive === 'command'
      ? {
          command: commandText(session),
          snippet: await snippet(session, state),
          read: `outlast output ${event.session}`,
        }
      : agentText(event, session, actions)),
    // In the state at its end: the session may have been resumed meanwhile.
    ...(isBadEnd && { report: reportHead({ ...session, phase: { at: 'ended', outcome } }, event.atMs) }),
    tookMs: Math.max(0, event.atMs - session.created.wallMs),
  };
}

function exitOf({ body }: Event, session: Session): Exit | null {
  if (body.type === 'run.ended') return body.exit;
  if (body.type !== 'session.ended') return null;
  return body.outcome.kind === 'done' ? body.outcome.exit : (session.run?.exit ?? null);
}

function shortOutcome(outcome: Outcome): NonNullable<NoticeItem['outcome']> {
  const { why, ...view } = outcomeView(outcome);
  return why === undefined ? view : { ...view, why: cut(oneLine(why), COMMAND_CHARS_MAX) };
}

function commandText({ spec }: Session): string {
  return cut(oneLine(commandLine(spec.argv)) || spec.agent, COMMAND_CHARS_MAX);
}

async function snippet(session: Session, state: string): Promise<string> {
  if (session.run === null) return '';
  const files = runFolder(state, { session: session.id, run: session.run.number });
  return lastLines(await tailText(files.output)) || lastLines(await tailText(files.stderr));
}

async function tailText(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, TAIL_BYTES)), { position: from });
    // The first line may begin inside a character or an escape sequence.
    const start = from === 0 ? 0 : buffer.indexOf(0x0a) + 1;
    return toText(buffer.subarray(start, bytesRead));
  } catch {
    // Removed, or never created. The notice is worth sending without it.
    return '';
  }
}

function lastLines(text: string): string {
  const kept: string[] = [];
  let chars = 0;
  for (const line of text.split('\n').toReversed()) {
    const plain = line.trimEnd();
    if (plain === '') continue;
    chars += plain.length + 1;
    if (chars > SNIPPET_CHARS_MAX + 1) break;
    kept.unshift(plain);
  }
  return kept.length > 0
    ? kept.join('\n')
    : text
        .trim()
        .slice(-SNIPPET_CHARS_MAX)
        .replace(/^[\uDC00-\uDFFF]/, '');
}
