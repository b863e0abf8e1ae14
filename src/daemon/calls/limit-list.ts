import type { CallOutput } from '../../api/contract.ts';
import type { Session } from '../../core/session.ts';
import { readCallerProcess } from '../../supervisor/caller-process.ts';
import type { Parts } from '../serve/parts.ts';
import { accountView, isOpen, newestOf, type SeenLimit, seenIn } from '../views/limits.ts';

type Output = CallOutput<'limit.list'>;
type LimitParts = Pick<Parts, 'config' | 'journal' | 'clock' | 'agents' | 'log'>;

/** How many ended sessions are looked at: the newest say most. */
const ENDED_MAX = 500;
const LIVE_MAX = 10_000;

/** The usage limits of the accounts. Only what is recorded is read. */
export function limitList(parts: LimitParts): Output {
  const { journal, clock } = parts;
  const live = journal.list({ state: 'live', limit: LIVE_MAX });
  const ended = journal.list({ state: 'ended', limit: ENDED_MAX });
  const nowMs = clock.wallMs();
  const wallOf = (steadyMs: number): number => nowMs - (clock.steadyMs() - steadyMs);
  const views = [...live, ...ended].flatMap(({ session }) => {
    const seen = seenIn(session, wallOf).filter((one) => isOpen(one, nowMs));
    return seen.length === 0 ? [] : viewsOf(parts, session, seen);
  });
  return { limits: newestOf(views) };
}

function viewsOf({ config, agents, log }: LimitParts, session: Session, seen: readonly SeenLimit[]): Output['limits'] {
  try {
    const { env } = readCallerProcess(config.state, session.id);
    return seen.map(({ agent, name: window, usedPercent, resetsAtMs, atMs: seenAtMs }) => {
      const account = accountView(agents[agent]?.usage?.account(env) ?? agent);
      const { id, spec } = session;
      return { agent, ...account, window, usedPercent, resetsAtMs, seenAtMs, session: id, name: spec.name };
    });
  } catch (error) {
    // Without its environment it is not known whose limits they are.
    log('the limits of a session are left out', { session: session.id, why: String(error) });
    return [];
  }
}
