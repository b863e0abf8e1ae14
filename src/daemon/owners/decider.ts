import type { CallerProof } from '../../api/contract-approvals.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { type ProcessTable, systemTable } from '../../terminal/process-table.ts';

/** Who decides: the process, and the sessions that it runs in. */
export interface Decider {
  readonly pid: number;
  readonly inside: ReadonlySet<string>;
}

/** The calling process, as the kernel shows it. Its own claims count only against it. */
export function deciderOf(caller: CallerProof | undefined, table: ProcessTable = systemTable()): Decider {
  if (caller === undefined) throw refused('the deciding process is unknown');
  const { pid, start, run } = caller;
  const row = table.row(pid);
  if (row === null || row.zombie || (start !== null && start !== row.start)) {
    throw refused(`process ${pid} is not the caller`);
  }
  const markers = [...table.markers(kinOf(pid, table)).values(), ...(run === null ? [] : [run])];
  return { pid, inside: new Set(markers.map((marker) => marker.replace(/\.\d+$/, ''))) };
}

/** An agent does not decide its own calls, and neither does anything that it started. */
export function refuseOwn({ pid, inside }: Decider, session: Session): void {
  if (!inside.has(session.id)) return;
  throw refused(`process ${pid} runs inside ${nameOf(session)} and cannot decide its calls`);
}

/** The process, its ancestors, and their group leaders: a parent may be gone while its group is not. */
function kinOf(pid: number, table: ProcessTable): number[] {
  const kin = new Set<number>();
  const next = [pid];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (at <= 1 || kin.has(at)) continue;
    kin.add(at);
    const row = table.row(at);
    if (row !== null) next.push(row.parent, row.group, row.session);
  }
  return [...kin];
}

function refused(message: string): OutlastError {
  return new OutlastError('decider_refused', message);
}
