import type { Session } from '../core/session.ts';
import type { WorldState } from './world-state.ts';

/** A usage limit for which a session was switched to another agent. */
export interface LeftLimit {
  /** Its end, wall time. */
  readonly untilMs: number;
  /** When it was met, steady time. */
  readonly sinceMs: number;
}

/** The limits for which sessions left their account. Kept longer than those sessions: the next one need not meet it. */
export class LeftLimits {
  readonly #limits = new Map<string, LeftLimit>();

  get isEmpty(): boolean {
    return this.#limits.size === 0;
  }

  /** Of several the one that ends last counts. One from before a reply to the account is over. */
  note(account: string, limit: LeftLimit, answeredAtMs: number | null): void {
    const isOver = ({ sinceMs }: LeftLimit): boolean => answeredAtMs !== null && sinceMs <= answeredAtMs;
    const known = this.#limits.get(account);
    if (isOver(limit) || (known !== undefined && !isOver(known) && known.untilMs >= limit.untilMs)) return;
    this.#limits.set(account, limit);
  }

  of(account: string): LeftLimit | null {
    return this.#limits.get(account) ?? null;
  }
}

type NoteWorld = Pick<WorldState, 'leftLimits' | 'answers' | 'agents' | 'transcriptReader'>;

/** Notes the limits for which a session left its earlier agents. */
export function noteLeft({ leftLimits, answers, agents, transcriptReader }: NoteWorld, session: Session): void {
  for (const { agent, limitedUntilMs: untilMs, limitedSinceMs: sinceMs } of session.conversation.earlier ?? []) {
    const usage = Object.hasOwn(agents, agent) ? agents[agent]?.usage : undefined;
    if (untilMs === undefined || sinceMs === undefined || usage === undefined) continue;
    const account = usage.account(transcriptReader.env(session));
    leftLimits.note(account, { untilMs, sinceMs }, answers.last(account));
  }
}

/** What is known about accounts from sessions that ended before this daemon started. */
export function noteEnded(world: WorldState, ended: readonly Session[]): void {
  const hasLeft = (session: Session): boolean =>
    (session.conversation.earlier ?? []).some(({ limitedUntilMs = 0 }) => limitedUntilMs > world.clock.wallMs());
  const left = ended.filter(hasLeft);
  if (left.length === 0) return;
  const firstMs = Math.min(...left.map(({ created }) => created.steadyMs));
  // First the replies: a limit from before one is over.
  for (const session of ended) if ((session.turn.answeredAtMs ?? 0) > firstMs) quietly(world, session, noteReply);
  for (const session of left) quietly(world, session, noteLeft);
}

function noteReply({ agents, answers, transcriptReader }: WorldState, session: Session): void {
  const { spec, turn } = session;
  const usage = Object.hasOwn(agents, spec.agent) ? agents[spec.agent]?.usage : undefined;
  if (usage !== undefined) answers.note(usage.account(transcriptReader.env(session)), turn.answeredAtMs ?? 0);
}

/** The folder of a session that has ended may be gone. */
function quietly(world: WorldState, session: Session, note: (world: WorldState, session: Session) => void): void {
  try {
    note(world, session);
  } catch (error) {
    world.log('the account of an ended session is not known', { session: session.id, why: String(error) });
  }
  world.transcriptReader.forget(session.id);
}
