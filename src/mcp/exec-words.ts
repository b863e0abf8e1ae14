import type { SessionView } from '../api/shapes.ts';
import type { Session } from '../client/index.ts';
import { stateOfCommand } from '../compat/command-state.ts';
import { asData, type Cut } from './data.ts';
import type { Keep } from './keep.ts';
import type { Answer } from './tool.ts';

/** Added after a timeout: the command may have had effects all the same. */
export const AFTER_TIMEOUT = [
  'The command was terminated, but external side effects may already have completed.',
  'Verify the resulting state before retrying.',
].join(' ');

const TAIL_CHARS = 2_000;

interface Ran {
  readonly session: Session;
  readonly view: SessionView;
  readonly keep: Keep;
  readonly timeout: number;
}

/** The text of `exec` for a command that has ended: what is missing, the output, how it ended. */
export function executed({ session, view, keep, timeout }: Ran): Answer {
  const cut = keep.cut();
  const state = stateOfCommand(view);
  const end = endText(view, timeout);
  const body = cut.text === '' ? (end === '' ? '(no output)' : '') : asData(cut.text, session.id);
  return {
    text: joined([...warningsOf(session), ...missing(view, cut, keep), body, end]),
    isError: state.status === 'failed',
    details: {
      ...state,
      durationMs: (view.endedAtMs ?? view.createdAtMs) - view.createdAtMs,
      cwd: view.workspace,
      leftOutChars: cut.leftOutChars,
      droppedBytes: view.droppedBytes,
    },
  };
}

/** The text of `exec` for a command that keeps running. */
export function stillRunning({ session, view, keep }: Omit<Ran, 'timeout' | 'keep'> & { keep: Keep | null }): Answer {
  const { id } = session;
  const cut = keep?.cut(TAIL_CHARS) ?? { text: '', leftOutChars: 0 };
  const says = [
    view.phase === 'queued'
      ? `Command queued (session ${id}): waiting for a slot.`
      : `Command still running (session ${id}, pid ${view.pid ?? 'n/a'}).`,
    'Use process (list/poll/log/write/kill/clear/remove) for follow-up.',
  ].join(' ');
  const sofar = cut.text === '' ? '' : asData(cut.text, id);
  return {
    text: joined([...warningsOf(session), says, ...missing(view, cut, keep), sofar]),
    details: {
      ...stateOfCommand(view),
      pid: view.pid,
      startedAt: view.createdAtMs,
      cwd: view.workspace,
      tail: cut.text,
      droppedBytes: view.droppedBytes,
    },
  };
}

/** Does all output fit into what is shown of a command that keeps running? */
export function isAllShown(keep: Keep): boolean {
  return keep.cut(TAIL_CHARS).leftOutChars === 0;
}

function warningsOf({ warnings }: Session): string[] {
  return warnings.map((warning) => `Warning: ${warning}`);
}

/** Bytes dropped at the cap count also when we have read them: they cannot be read again. */
function missing({ id, droppedBytes, incomplete }: SessionView, cut: Cut, keep: Keep | null): string[] {
  const unread = keep?.droppedBytes ?? 0;
  const lost = unread > 0 ? ` and cannot be recovered; ${unread} of them were never read` : ' and cannot be recovered';
  const start = droppedBytes > 0 ? 'first that is kept' : 'beginning';
  const more = `process action=log sessionId=${id} offset=0 limit=200 reads from the ${start}`;
  return [
    ...(droppedBytes > 0 ? [`[the first ${droppedBytes} bytes were discarded at the retention cap${lost}]`] : []),
    ...(incomplete ? ['[the output may be incomplete]'] : []),
    ...(cut.leftOutChars > 0 ? [`[the first ${cut.leftOutChars} characters are left out here; ${more}]`] : []),
  ];
}

function endText(view: SessionView, timeout: number): string {
  const { outcome, exit } = view;
  const { exitReason, exitCode } = stateOfCommand(view);
  switch (exitReason) {
    case 'overall-timeout':
      return `Command timed out after ${timeout} seconds. ${AFTER_TIMEOUT}`;
    case 'no-output-timeout':
      return `Command timed out waiting for output. ${AFTER_TIMEOUT}`;
    case 'manual-cancel':
      return `Command was stopped by ${outcome?.by ?? 'an unknown caller'}.`;
    case 'signal':
      return `Command aborted by ${exit?.text}.`;
    case 'exit':
      return exitCode === 0 ? '' : `(Command exited with code ${exitCode})`;
    default:
      return outcome?.kind === 'done'
        ? 'Command aborted before exit code was captured.'
        : `Command ended without a known result: ${outcome?.why ?? 'unknown'}.`;
  }
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
