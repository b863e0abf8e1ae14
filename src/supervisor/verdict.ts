import type { Session } from '../core/session.ts';
import type { Snapshot, TerminalSnapshot } from '../core/snapshot.ts';
import { refOf, terminalOf } from './runs.ts';
import { agentOf, type WorldView } from './world-state.ts';

/** A person who typed this recently was there. */
const TYPED_MS_MAX = 60_000;

/** What the end of an agent's run means, as the adapter judges it. A visit is ended by its person. */
export async function verdictSnapshot(
  world: WorldView,
  session: Session,
  terminal: TerminalSnapshot,
): Promise<Pick<Snapshot, 'verdict'>> {
  const { spec } = session;
  const drive = spec.drive === 'command' ? undefined : agentOf(world, session)[spec.drive];
  const { how, isOfEarlierAgent } = session.run ?? {};
  if (drive === undefined || terminal.is !== 'dead' || how === 'visit' || isOfEarlierAgent) return {};
  const { exit, terminalGone = false } = terminal;
  const personSeen = await isPersonSeen(world, session, terminalGone);
  const lastWord = session.run?.lastWord ?? null;
  return { verdict: drive.verdict({ status: exit.status, terminalGone, personSeen, lastWord }) };
}

/** A viewer stays attached to a pane whose program has ended. */
async function isPersonSeen(world: WorldView, session: Session, isGone: boolean): Promise<boolean> {
  const {
    attendance: { control },
    run,
  } = session;
  const typedAtMs = run?.typedAtMs ?? Number.NEGATIVE_INFINITY;
  if (control !== null || world.clock.steadyMs() - typedAtMs < TYPED_MS_MAX) return true;
  return !isGone && (await world.terminals[terminalOf(session)].viewers(refOf(session))) > 0;
}
