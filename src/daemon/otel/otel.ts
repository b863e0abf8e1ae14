import { hostname } from 'node:os';
import type { MetricFamily } from '../../api/contract-metrics.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { Follower, type Handled } from '../../journal/follower.ts';
import type { Entry, Journal, Position } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import { VERSION } from '../machine/version.ts';
import type { Begin } from './protocol.ts';
import { SenderProcess } from './sender-process.ts';
import type { SpanRecord } from './span.ts';
import { Traces } from './traces.ts';

// Follows the journal, makes spans of its events and hands them to the process that sends. The journal is the queue:
// while the collector is slow or gone, events wait there and not in memory. The position is saved when the collector
// has the spans up to it, so each is sent at least once, with the same id each time.

/** The dependencies of what is sent to OpenTelemetry. */
export interface OtelParts {
  readonly config: Config['otel'];
  readonly state: string;
  readonly journal: Pick<Journal, 'id' | 'read' | 'head' | 'cursor' | 'saveCursor' | 'onAppend' | 'fact' | 'saveFact'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The program that sends, and its environment. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly metrics: () => Promise<readonly MetricFamily[]>;
}

/** How it goes. The counts begin with the daemon. */
export interface OtelStatus {
  /** The host of the endpoint. */
  readonly endpoint: string;
  /** Events of which the spans are not sent yet. */
  readonly behind: number;
  readonly sent: number;
  readonly dropped: number;
  /** Why the last try failed; null: it did not. */
  readonly lastError: string | null;
}

const NAME = 'otel';
const COALESCE_MS = 1_000;
/** An agent that reports no usage does not keep its turns back for longer. */
const USAGE_MS_MAX = 5_000;
const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 60_000;
/** With more events behind, spans that cannot be sent are dropped: what is so old helps nobody. */
export const BEHIND_MAX = 100_000;

/** Sends spans and metrics, if the config has an endpoint. */
export class Otel {
  readonly #parts: OtelParts;
  readonly #traces: Traces;
  readonly #sender: SenderProcess | null;
  readonly #follower: Follower | null = null;
  readonly #loops: Promise<unknown>;
  readonly #stopping = new AbortController();
  #sent = 0;
  #dropped = 0;
  #lastError: string | null = null;

  constructor(parts: OtelParts) {
    const { config, journal, clock } = parts;
    this.#parts = parts;
    this.#traces = new Traces(journal, config.content);
    this.#sender = senderOf(parts);
    if (this.#sender === null) {
      // Who turns it on again wants what happens from then on.
      if (journal.fact(NAME) === 'begun') journal.saveFact(NAME, '');
      this.#loops = Promise.resolve();
      return;
    }
    const isNew = journal.fact(NAME) !== 'begun';
    if (isNew) journal.saveFact(NAME, 'begun');
    this.#follower = new Follower(journal, clock, {
      ...{ name: NAME, isNew, coalesceMs: COALESCE_MS },
      handlePage: (page, stopping) => this.#page(page, stopping),
      caughtUp: () => this.#caughtUp(),
      // The position is saved here, where it is known what was sent.
      holdsPosition: () => true,
      onTrouble: (error) => this.#failed(error instanceof Error ? error.message : String(error)),
    });
    this.#loops = Promise.all([this.#follower.run(), config.metricsMs > 0 ? this.#pushMetrics() : null]);
  }

  /** Null: the config has no endpoint. */
  status(): OtelStatus | null {
    const { config, journal } = this.#parts;
    if (config.endpoint === undefined || this.#follower === null) return null;
    const behind = Math.max(0, journal.head() - this.#follower.position);
    const counts = { behind, sent: this.#sent, dropped: this.#dropped };
    return { endpoint: new URL(config.endpoint).host, ...counts, lastError: this.#lastError };
  }

  /** Ends it at once. What is not sent yet is sent by the next daemon. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#follower?.stop();
    await this.#sender?.stop();
    await this.#loops;
    // An order of the last moment may have started it again.
    await this.#sender?.stop();
  }

  async #page(page: readonly Entry[], stopping: AbortSignal): Promise<Handled> {
    const nothing = { upTo: null, save: false };
    const last = page.at(-1)?.position;
    if (last === undefined) return nothing;
    try {
      const spans = await this.#traces.take(page, this.#parts.clock.steadyMs());
      if (!(await this.#deliver(spans, stopping))) return nothing;
    } catch (error) {
      // Its events are taken again.
      this.#traces.forget();
      throw error;
    }
    this.#save(last);
    return { upTo: last, save: false };
  }

  /** Turns without usage are sent after a while; returns when that is. */
  async #caughtUp(): Promise<number> {
    const { clock } = this.#parts;
    const spans = this.#traces.flush(clock.steadyMs() - USAGE_MS_MAX);
    if (spans.length > 0 && (await this.#deliver(spans, this.#stopping.signal)))
      this.#save(this.#follower?.position ?? (0 as Position));
    const { oldest } = this.#traces;
    return oldest === null ? Number.POSITIVE_INFINITY : oldest.sinceMs + USAGE_MS_MAX;
  }

  /** Up to where the collector has everything: not past a turn that waits for its usage. */
  #save(upTo: Position): void {
    const { journal } = this.#parts;
    const { oldest } = this.#traces;
    const safe = oldest === null ? upTo : Math.min(upTo, oldest.position - 1);
    if (safe > journal.cursor(NAME)) journal.saveCursor(NAME, safe);
  }

  /** Sends spans until the collector has them, or refuses them for good; false: it was stopped. */
  async #deliver(spans: readonly SpanRecord[], stopping: AbortSignal): Promise<boolean> {
    if (spans.length === 0 || this.#sender === null) return true;
    for (let pauseMs = BACKOFF_MS_MIN; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, BACKOFF_MS_MAX)) {
      const sent = await this.#sender.send({ do: 'spans', spans });
      if (stopping.aborted) return false;
      if (sent.ok) {
        this.#sent += spans.length;
        this.#succeeded();
        return true;
      }
      this.#failed(sent.why);
      if (sent.isFinal || this.#isTooFarBehind()) {
        this.#dropped += spans.length;
        this.#parts.log('otel: spans were dropped', { spans: spans.length, why: sent.why });
        return true;
      }
      await this.#parts.clock.sleep(pauseMs, stopping);
    }
    return false;
  }

  #isTooFarBehind(): boolean {
    return (this.status()?.behind ?? 0) > BEHIND_MAX;
  }

  /** Metrics are sums: what could not be sent is part of the next ones. */
  async #pushMetrics(): Promise<void> {
    const { clock, config, metrics } = this.#parts;
    const { signal } = this.#stopping;
    for (; !signal.aborted; await clock.sleep(config.metricsMs, signal)) {
      try {
        const sent = await this.#sender?.send({ do: 'metrics', families: await metrics(), nowMs: clock.wallMs() });
        if (sent?.ok === false && !signal.aborted) this.#failed(sent.why);
      } catch (error) {
        this.#failed(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** Told once: a collector that is gone for a night must not fill the log. */
  #failed(why: string): void {
    if (this.#lastError === null) this.#parts.log('otel: the collector cannot be reached', { why });
    this.#lastError = why;
  }

  #succeeded(): void {
    if (this.#lastError !== null) this.#parts.log('otel: the collector is reached again');
    this.#lastError = null;
  }
}

function senderOf({ config, journal, program, state, env }: OtelParts): SenderProcess | null {
  const { endpoint, headers, timeoutMs } = config;
  if (endpoint === undefined) return null;
  const resource = { 'host.name': hostname(), 'service.instance.id': journal.id, ...config.resource };
  const begin: Begin = { do: 'begin', endpoint, headers, timeoutMs, resource, version: VERSION };
  return new SenderProcess({ program, state, env, begin });
}
