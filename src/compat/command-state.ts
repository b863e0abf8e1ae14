import { constants } from 'node:os';
import type { SessionView } from '../api/shapes.ts';

/** The state of a command, the same in every answer. */
export interface CommandState {
  readonly sessionId: string;
  /** `completed`: it ended by itself with any status. `failed`: it was ended, or it is not known how it ended. */
  readonly status: 'running' | 'completed' | 'failed';
  readonly exitCode: number | null;
  readonly exitSignal: string | null;
  /** Why it is over: null while it runs. */
  readonly exitReason: ExitReason | null;
  readonly timedOut: boolean;
  readonly waitingForInput: boolean;
  /** How long it has printed nothing; null when it has ended. */
  readonly idleMs: number | null;
}

/** The words are those of OpenClaw; `unknown`: it was lost. */
export type ExitReason = 'exit' | 'signal' | 'overall-timeout' | 'no-output-timeout' | 'manual-cancel' | 'unknown';

/** The state of a command. The only place that decides it. */
export function stateOfCommand(session: SessionView): CommandState {
  const { id, outcome, exit, waitsForInput = false, idleMs = 0 } = session;
  const exitReason = reasonOf(session);
  const isOver = outcome !== null;
  return {
    sessionId: id,
    status: !isOver ? 'running' : exitReason === 'exit' ? 'completed' : 'failed',
    exitCode: isOver ? (exit?.status ?? null) : null,
    exitSignal: isOver ? signalOf(session) : null,
    exitReason,
    timedOut: exitReason === 'overall-timeout' || exitReason === 'no-output-timeout',
    waitingForInput: waitsForInput,
    idleMs: isOver ? null : idleMs,
  };
}

function reasonOf(session: SessionView): ExitReason | null {
  const { outcome, exit } = session;
  if (outcome === null) return null;
  if (outcome.kind === 'stopped') return STOPPED[outcome.bound ?? ''] ?? 'manual-cancel';
  if (outcome.kind !== 'done' || exit === null) return 'unknown';
  return signalOf(session) === null ? 'exit' : 'signal';
}

const STOPPED: Readonly<Record<string, ExitReason>> = { timeout: 'overall-timeout', silence: 'no-output-timeout' };

/** The signal, from a status as a shell reports it: a command may also have chosen such a status itself. */
function signalOf({ exit }: SessionView): string | null {
  const number = (exit?.status ?? 0) - 128;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}
