import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { byPolicy } from '../../core/actor.ts';
import type { Input, InputId } from '../../core/event.ts';
import type { SwitchReason } from '../../core/event-body.ts';
import type { Session, SessionId } from '../../core/session.ts';
import { successors } from '../../core/spec.ts';
import { awaitsSwitch } from '../../core/switch.ts';
import { planSwitch, type SwitchParts } from './plan.ts';

/** What switches at a usage limit need besides the plan of one. */
export interface LimitSwitchParts extends SwitchParts {
  /** The current session; null: it is not driven any more. */
  readonly current: (id: SessionId) => Session | null;
  readonly live: () => readonly Session[];
  readonly submit: (id: SessionId, cause: InputId, input: Input) => void;
  readonly log: Log;
}

/** Lets another agent take over a session at a usage limit, and the first one again when its limit is over. */
export class LimitSwitches {
  readonly #parts: LimitSwitchParts;
  /** The sessions that are looked at, and what ends their pause. */
  readonly #looking = new Map<SessionId, AbortController>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: LimitSwitchParts) {
    this.#parts = parts;
  }

  /** Looks at a session whose phase has changed. */
  moved({ id }: Session): void {
    const known = this.#looking.get(id);
    if (known !== undefined) return known.abort();
    this.#looking.set(id, new AbortController());
    const run = this.#look(id).finally(() => {
      this.#looking.delete(id);
      this.#running.delete(run);
    });
    this.#running.add(run);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const pause of this.#looking.values()) pause.abort();
    await Promise.allSettled(this.#running);
  }

  async #look(id: SessionId): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const session = this.#parts.current(id);
      if (session === null || session.conversation.switchTo !== undefined) return;
      if (awaitsSwitch(session)) return this.#leave(session);
      const backAtMs = backAt(session);
      if (backAtMs === null) return;
      const { clock } = this.#parts;
      const leftMs = backAtMs - clock.wallMs();
      if (leftMs <= 0) return this.#return(session);
      const pause = new AbortController();
      this.#looking.set(id, pause);
      await clock.sleep(Math.min(leftMs, WALL_LOOK_MS), pause.signal);
    }
  }

  async #leave(session: Session): Promise<void> {
    const reasons: string[] = [];
    for (const agent of successors(session.spec.policy)) {
      const why = agent === session.spec.agent ? 'it hit the limit' : this.#limited(session, agent);
      const refused = why ?? (await this.#switch(session, agent, 'limit'));
      if (refused === null) return;
      reasons.push(`${agent}: ${refused}`);
    }
    this.#submit(session.id, { type: 'unswitched', why: reasons.join('; ') });
  }

  async #return(session: Session): Promise<void> {
    const first = session.conversation.earlier?.find(({ limitedUntilMs }) => limitedUntilMs !== undefined);
    if (first !== undefined) await this.#switch(session, first.agent, 'limit-over');
  }

  /** Is this agent at its own limit? */
  #limited(session: Session, agent: string): string | null {
    const nowMs = this.#parts.clock.wallMs();
    const others = this.#parts.live().flatMap(({ spec, phase }) => (spec.agent === agent ? [phase] : []));
    const isOther = others.some((phase) => phase.at === 'limited' && phase.untilMs > nowMs);
    const { earlier = [] } = session.conversation;
    const isOwn = earlier.some((each) => each.agent === agent && (each.limitedUntilMs ?? 0) > nowMs);
    return isOther || isOwn ? 'it is at its own usage limit' : null;
  }

  /** Null: it is switched. Otherwise why it is not. */
  async #switch(session: Session, agent: string, why: SwitchReason): Promise<string | null> {
    try {
      const to = await planSwitch(this.#parts, session, { agent, trust: false, why });
      this.#submit(session.id, { type: 'switch', by: byPolicy('limit'), why, to });
      return null;
    } catch (error) {
      // Whatever it is, the session waits for its limit: no other session may suffer from it.
      this.#parts.log('another agent cannot take over', { session: session.id, agent, why: String(error) });
      return error instanceof Error ? error.message : String(error);
    }
  }

  #submit(id: SessionId, input: Input): void {
    this.#parts.submit(id, newId(this.#parts.clock.wallMs()) as InputId, input);
  }
}

/** How often a wait for wall-clock time is checked: the clock may be set, or the machine may have slept. */
const WALL_LOOK_MS = 60_000;

/** When the first agent takes over again, wall time; null: it does not, or not now. */
function backAt({ phase, prompts, spec, conversation }: Session): number | null {
  const first = conversation.earlier?.find(({ limitedUntilMs }) => limitedUntilMs !== undefined);
  if (spec.policy.switchBack !== true || first === undefined || first.agent === spec.agent) return null;
  const isFree = phase.at === 'idle' && prompts.every(({ state }) => state === 'queued');
  return isFree ? (first.limitedUntilMs ?? null) : null;
}
