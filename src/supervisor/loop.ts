import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { letOthers } from '../base/others.ts';
import type { Effect } from '../core/event.ts';
import { next } from '../core/next.ts';
import type { Session } from '../core/session.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { intentOf } from '../core/steps.ts';
import type { SessionWriter } from './session-writer.ts';

/** The world as one session's loop sees it. */
export interface World {
  readonly clock: Clock;
  /** Writes to the journal what the run has left for us; all of it is durable then. */
  ingest(session: Session): Promise<void>;
  /** The current state. Writes nothing. */
  look(session: Session): Promise<Omit<Snapshot, 'tried'>>;
  /** May one more run be opened on this host, right now? */
  slot(session?: Session): boolean;
  /** Performs one effect. The signal cuts a long one short; the next look sees the result. */
  act(session: Session, effect: Effect, signal: AbortSignal): Promise<void>;
}

export type Stepped =
  | { readonly is: 'again' }
  | { readonly is: 'wait'; readonly untilMs: number | null }
  | { readonly is: 'over' };

const AGAIN: Stepped = { is: 'again' };

/** An effect without a result is not repeated sooner than this; meanwhile the loop looks, at growing intervals. */
const REPEAT_MS = 1_000;
const LOOK_MS_MIN = 2;

/** The effects that belong to an intent. Any other may be performed while the intent waits for its own. */
const OF_INTENTS: readonly Effect['kind'][] = ['deliver', 'enter', 'interrupt', 'hangup'];

interface LoopOptions {
  readonly looked?: () => void;
  /** The daemon is being stopped. */
  readonly stopping?: AbortSignal;
}

/** Ingest, look, next, append or act, repeat. It acts on the current state, so a crash at any point costs only time. */
export class Loop {
  readonly #writer: SessionWriter;
  readonly #world: World;
  /** Intents that this supervisor wrote, and whether it has tried them. Others were written by an earlier one. */
  readonly #intents = new Map<string, 'no' | 'yes'>();
  #last: { effect: string; atMs: number; looks: number } | null = null;
  #closing: AbortController | null = null;
  readonly #looked: () => void;
  readonly #stopping: AbortSignal;

  /** `looked` is called after each look: what follows may take long. */
  constructor(writer: SessionWriter, world: World, options: LoopOptions = {}) {
    this.#writer = writer;
    this.#world = world;
    this.#looked = options.looked ?? (() => {});
    this.#stopping = options.stopping ?? new AbortController().signal;
  }

  /** Ending a run can take its whole grace period. A caller who wants something else need not wait for that. */
  interrupt(): void {
    if (this.#closing === null) return;
    this.#closing.abort();
    this.#last = null;
  }

  async step(): Promise<Stepped> {
    if (this.#writer.session.phase.at === 'ended') return { is: 'over' };
    await this.#world.ingest(this.#writer.session);
    const { session } = this.#writer;
    if (session.phase.at === 'ended') return { is: 'over' };
    const seen = await this.#world.look(session);
    // A run that ended during the look may have reported before: that comes first.
    if (session.run !== null && seen.terminal.is !== 'alive') {
      await this.#world.ingest(session);
      // An exit that was judged before needs no pause, in which others would be resumed that this look has not counted.
      if (session.phase.at !== 'recovering') await pendingSignals();
    }
    // Something was written in the meantime, by that or by a caller: the look may be about another run.
    if (this.#writer.session !== session) return AGAIN;
    // A shutdown ends agents together with us. The next daemon, which knows the reason, judges what was seen of it.
    if (this.#stopping.aborted) return AGAIN;
    this.#looked();
    const intent = intentOf(session);
    const tried = intent === null ? 'unknown' : (this.#intents.get(intent) ?? 'unknown');
    const step = next(session, { ...seen, tried }, this.#world.clock.steadyMs());
    switch (step.do) {
      case 'append': {
        // The free slot may have been used in the meantime, by another session that was woken for it.
        const isStart = step.events.some(({ type }) => type === 'run.starting');
        if (isStart && !this.#world.slot(session)) return { is: 'wait', untilMs: null };
        this.#writer.append(step.events, null);
        const fresh = intentOf(this.#writer.session);
        if (fresh !== null && fresh !== intent) this.#intents.set(fresh, 'no');
        return AGAIN;
      }
      case 'act':
        return this.#act(session, step.effect, intent);
      case 'wait':
        return { is: 'wait', untilMs: step.untilMs };
    }
  }

  async #act(session: Session, effect: Effect, intent: string | null): Promise<Stepped> {
    const pause = this.#pause(effect, intent);
    if (pause !== null) return { is: 'wait', untilMs: pause };
    // Marked before it is performed: an effect that fails half way may have happened.
    if (intent !== null && OF_INTENTS.includes(effect.kind)) this.#intents.set(intent, 'yes');
    const cut = new AbortController();
    this.#closing = effect.kind === 'close' ? cut : null;
    try {
      await this.#world.act(session, effect, cut.signal);
    } catch (error) {
      if (!(error instanceof OutlastError)) throw error;
      this.#failed(effect, error);
    } finally {
      this.#closing = null;
    }
    return AGAIN;
  }

  /** A run that cannot be opened is a fault with a reason. Other effects are verified by looking, and retried later. */
  #failed(effect: Effect, error: OutlastError): void {
    const { phase } = this.#writer.session;
    if (effect.kind !== 'open' || phase.at !== 'opening' || phase.run !== effect.run) return;
    const fault = { kind: 'unstarted', why: error.message } as const;
    const retryAtMs = this.#world.clock.steadyMs() + this.#writer.session.spec.policy.backoffMsMin;
    this.#writer.append([{ type: 'run.faulted', run: effect.run, fault, retryAtMs }], null);
  }

  /** When to look again instead of repeating the effect; null: perform it. */
  #pause(effect: Effect, intent: string | null): number | null {
    const nowMs = this.#world.clock.steadyMs();
    const of = 'update' in effect ? effect.update : 'question' in effect ? effect.question : null;
    const name = [effect.kind, effect.run, intent, of].join(' ');
    if (this.#last?.effect === name && nowMs < this.#last.atMs + REPEAT_MS) {
      this.#last.looks += 1;
      return Math.min(nowMs + LOOK_MS_MIN * 2 ** Math.min(this.#last.looks, 7), this.#last.atMs + REPEAT_MS);
    }
    this.#last = { effect: name, atMs: nowMs, looks: -1 };
    return null;
  }
}

/**
 * A shutdown signals the daemon and its runs together. Node delivers our signal after everything else of the same turn
 * of the event loop, and signals that arrived during it in the next one.
 */
async function pendingSignals(): Promise<void> {
  await letOthers();
  await letOthers();
}
