import { asNumber, asText, readObject } from '../seam/json.ts';

/** What Claude Code reports about itself in `sessions/<pid>.json`. SIGKILL leaves it behind: check the process too. */
export interface StateFile {
  readonly pid: number;
  /** When the process started, in kernel ticks. With the pid it identifies one process. */
  readonly procStart: string | null;
  readonly conversation: string | null;
  readonly cwd: string | null;
  readonly version: string | null;
  /** `shell`: the turn has ended, but a shell of it still runs in the background. */
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell' | 'unknown';
  /** What a person has to answer, while `waiting`. */
  readonly waitingFor: string | null;
  readonly updatedAtMs: number | null;
}

const STATUSES: readonly string[] = ['idle', 'busy', 'waiting', 'shell'] satisfies StateFile['status'][];

/** Parses a state file. Null when it is incomplete or names no process. */
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
