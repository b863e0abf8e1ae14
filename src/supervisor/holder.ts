import type { Conversations, Listed } from '../agent/seam/conversations.ts';
import { IN_USE } from '../core/fold-release.ts';
import { runOf, type Session, type SessionId } from '../core/session.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { systemTable } from '../terminal/process-table.ts';
import { processFacts, realFiles } from './process-facts.ts';
import { agentOf, type WorldView } from './world-state.ts';

/** A result is still valid when the run is opened, unless a daemon died in between. */
const RECENT_MS = 2_000;

/** Finds out which other process has a conversation open, before a run or prompt is started in it. */
export class Holders {
  readonly #seen = new Map<SessionId, { readonly atMs: number; readonly pid: number | null }>();

  snapshot(world: WorldView, session: Session, path: string | null): Pick<Snapshot, 'holder'> {
    const { conversations } = agentOf(world, session);
    const id = session.conversation.id ?? session.spec.conversation?.id ?? null;
    if (conversations?.holderOf === undefined || id === null || path === null || !isHolderAsked(session)) return {};
    const nowMs = world.clock.steadyMs();
    const before = session.phase.at === 'opening' ? this.#seen.get(session.id) : undefined;
    const isRecent = before !== undefined && nowMs - before.atMs < RECENT_MS;
    const look = (): number | null =>
      holderBeside(conversations, session, { id, path }, world.transcriptReader.env(session));
    const pid = isRecent ? before.pid : look();
    this.#seen.set(session.id, { atMs: isRecent ? before.atMs : nowMs, pid });
    return pid === null ? {} : { holder: `process ${pid} has its conversation open` };
  }

  /** Forgets a session that is over. */
  forget(session: SessionId): void {
    this.#seen.delete(session);
  }
}

/** A look reads every process of the machine, so it is done only when it decides something. */
export function isHolderAsked(session: Session): boolean {
  const {
    phase,
    prompts,
    attendance: { control, visitWanted },
  } = session;
  const [first] = prompts;
  switch (phase.at) {
    case 'idle':
      return (
        visitWanted ||
        (control === null && first !== undefined && (first.state === 'queued' || first.run < runOf(session)))
      );
    case 'held':
      return phase.why.kind === IN_USE || visitWanted;
    case 'limited':
      return visitWanted;
    default:
      return phase.at === 'recovering' || phase.at === 'queued' || phase.at === 'opening';
  }
}

function holderBeside(
  keeper: Conversations,
  session: Session,
  conversation: Pick<Listed, 'id' | 'path'>,
  env: Readonly<Record<string, string>>,
): number | null {
  const homes = keeper.homes(realFiles, env, []).filter((home) => conversation.path.startsWith(`${home}/`));
  const claimed = homes.flatMap((home) => keeper.claims?.(realFiles, home) ?? []);
  const isWriter = (argv: readonly string[]): boolean => keeper.isWriter?.(argv) ?? false;
  const isOurs = (pid: number): boolean => systemTable().markers([pid]).get(pid)?.startsWith(`${session.id}.`) === true;
  let rest = processFacts(claimed, isWriter);
  for (;;) {
    const pid = keeper.holderOf?.(conversation, rest) ?? null;
    if (pid === null || !isOurs(pid)) return pid;
    rest = rest.filter((one) => one.pid !== pid);
  }
}
