import type { SessionView } from '../api/shapes.ts';
import type { Session } from '../client/index.ts';
import { asData, type Cut } from './data.ts';
import type { Keep } from './keep.ts';
import type { Answer } from './tool.ts';

/** What is said after a time was up: it may have done something all the same. */
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

/** What `exec` says of a command that has ended: what is missing, the output, how it ended. */
export function executed({ session, view, keep, timeout }: Ran): Answer {
  const cut = keep.cut();
  const end = endOf(view, timeout);
  const body = cut.text === '' ? (end.text === '' ? '(no output)' : '') : asData(cut.text, session.id);
  const parts = [...warningsOf(session), ...missing(session.id, cut, keep, view.incomplete), body, end.text];
  return {
    text: joined(parts),
    isError: end.isError,
    details: {
      status: end.isError ? 'failed' : 'completed',
      sessionId: view.id,
      exitCode: view.exit?.status ?? null,
      durationMs: (view.endedAtMs ?? view.createdAtMs) - view.createdAtMs,
      cwd: view.workspace,
      leftOutChars: cut.leftOutChars,
    },
  };
}

/** What `exec` says of a command that goes on. */
export function stillRunning({ session, view, keep }: Omit<Ran, 'timeout' | 'keep'> & { keep: Keep | null }): Answer {
  const { id } = session;
  const cut = keep?.cut(TAIL_CHARS) ?? { text: '', leftOutChars: 0 };
  const says = [
    `Command still running (session ${id}, pid ${view.pid ?? 'n/a'}).`,
    'Use process (list/poll/log/write/kill/clear/remove) for follow-up.',
  ].join(' ');
  const sofar = cut.text === '' ? '' : asData(cut.text, id);
  return {
    text: joined([...warningsOf(session), says, ...missing(id, cut, keep, false), sofar]),
    details: {
      status: 'running',
      sessionId: id,
      pid: view.pid,
      startedAt: view.createdAtMs,
      cwd: view.workspace,
      tail: cut.text,
    },
  };
}

function warningsOf({ warnings }: Session): string[] {
  return warnings.map((warning) => `Warning: ${warning}`);
}

function missing(id: string, cut: Cut, keep: Keep | null, incomplete: boolean): string[] {
  const dropped = keep?.droppedBytes ?? 0;
  const more = `process action=log sessionId=${id} offset=0 limit=200 reads from the beginning`;
  return [
    ...(dropped > 0 ? [`[${dropped} bytes were discarded at the retention cap and cannot be recovered]`] : []),
    ...(incomplete ? ['[the output may be incomplete]'] : []),
    ...(cut.leftOutChars > 0 ? [`[the first ${cut.leftOutChars} characters are left out here; ${more}]`] : []),
  ];
}

function endOf({ outcome, exit }: SessionView, timeout: number): { text: string; isError: boolean } {
  const wrong = (text: string) => ({ text, isError: true });
  if (outcome?.kind === 'stopped' && outcome.by === 'timeout')
    return wrong(`Command timed out after ${timeout} seconds. ${AFTER_TIMEOUT}`);
  if (outcome?.kind === 'stopped') return wrong(`Command was stopped by ${outcome.by ?? 'somebody'}.`);
  if (outcome?.kind !== 'done') return wrong(`Command ended without a known result: ${outcome?.why ?? 'unknown'}.`);
  if (exit === null) return wrong('Command aborted before exit code was captured.');
  if (exit.text.startsWith('signal')) return wrong(`Command aborted by ${exit.text}.`);
  return { text: exit.status === 0 ? '' : `(Command exited with code ${exit.status})`, isError: false };
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
