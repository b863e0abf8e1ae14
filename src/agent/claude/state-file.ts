import { asNumber, asText, readObject } from '../seam/json.ts';

/** What Claude Code says of itself in `sessions/<pid>.json`. Left behind after SIGKILL: check the process too. */
export interface StateFile {
  readonly pid: number;
  /** When the process started, as the kernel counts. With the pid it names one process for good. */
  readonly procStart: string | null;
  readonly conversation: string | null;
  readonly cwd: string | null;
  readonly version: string | null;
  /** `shell`: the turn is over, but a shell of it still runs in the background. */
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell' | 'unknown';
  /** What a person has to answer, while `waiting`. */
  readonly waitingFor: string | null;
  readonly updatedAtMs: number | null;
}

const STATUSES: readonly string[] = ['idle', 'busy', 'waiting', 'shell'] satisfies StateFile['status'][];

/** Reads a state file. Null when it is half written or names no process. */
export function readStateFile(text: string): StateFile | null {
  const fields = readObject(text);
  const pid = asNumber(fields?.pid);
  if (fields === null || pid === null || !Number.isSafeInteger(pid) || pid <= 0) return null;
  return {
    pid,
    procStart: asText(fields.procStart) ?? asNumber(fields.procStart)?.toString() ?? null,
    conversation: asText(fields.sessionId),
    cwd: asText(fields.cwd),
    version: asText(fields.version),
    status: isStatus(fields.status) ? fields.status : 'unknown',
    waitingFor: asText(fields.waitingFor),
    updatedAtMs: asNumber(fields.statusUpdatedAt),
  };
}

function isStatus(value: unknown): value is StateFile['status'] {
  return typeof value === 'string' && STATUSES.includes(value);
}
