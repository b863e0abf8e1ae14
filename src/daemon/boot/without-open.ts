import type { ProcessFacts, Verdict } from '../../agent/seam/conversations.ts';
import { processFacts } from '../../supervisor/process-facts.ts';
import { systemTable } from '../../terminal/process-table.ts';
import type { ScanParts, Seen } from './scan.ts';

/** Verdicts of conversations that are never taken over. */
const NOT_OURS: readonly Verdict[] = ['alive', 'handled', 'foreign-owner'];

/**
 * The conversations, with those as `alive` that a process has open, or may have open. Only for those that may be
 * resumed: it reads all of /proc.
 */
export function withoutOpen(
  seen: readonly Seen[],
  counts: Partial<Record<Verdict, number>>,
  { clock, files, isNamed = false, isOurAgent = () => false }: ScanParts,
): Seen[] {
  const isWanted = ({ is, listed, keeper }: Seen): boolean =>
    // A keeper always has its database open; the process need not be working on this conversation.
    (listed.stored === undefined || keeper.resume.as === 'session') &&
    (is === 'interrupted' || (isNamed && !NOT_OURS.includes(is)));
  if (!seen.some(isWanted)) return [...seen];
  // Including what is claimed about conversations that have no file yet.
  const homes = new Map(
    seen.filter(isWanted).map(({ keeper, listed }) => [`${keeper.agent} ${listed.home}`, { keeper, listed }]),
  );
  const claimed = [...homes.values()].flatMap(({ keeper, listed }) => keeper.claims?.(files, listed.home) ?? []);
  const all = processFacts(claimed, () => true);
  const others = all.filter(({ pid }) => !isOurAgent(pid));
  const nowMs = clock.wallMs();
  return seen.map((one) => {
    const why = isWanted(one) ? holderIn(one, { all, others }, nowMs) : null;
    if (why === null) return one;
    counts[one.is] = (counts[one.is] ?? 1) - 1;
    counts.alive = (counts.alive ?? 0) + 1;
    return { ...one, is: 'alive', why };
  });
}

/** The processes of this machine, and those of them that are no agent of ours. */
interface Processes {
  readonly all: readonly ProcessFacts[];
  readonly others: readonly ProcessFacts[];
}

/** Which process has it open, or may have it open, in a sentence; null: none. */
function holderIn({ keeper, listed, atMs }: Seen, { all, others }: Processes, nowMs: number): string | null {
  const pid = keeper.holderOf?.(listed, all) ?? null;
  if (pid !== null) return `process ${pid} has it open`;
  const agoMs = Math.max(0, nowMs - atMs);
  const possible = others.find(
    // Of a process that ended meanwhile nothing is known, so it could be any.
    (process) => keeper.mayHold?.({ ...listed, agoMs }, process) && isRunning(process.pid),
  );
  return possible === undefined ? null : `process ${possible.pid} may have it open`;
}

function isRunning(pid: number): boolean {
  const row = systemTable().row(pid);
  return row !== null && !row.zombie;
}
