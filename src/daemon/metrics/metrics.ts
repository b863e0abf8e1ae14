import { statfsSync, statSync } from 'node:fs';
import type { MetricFamily } from '../../api/contract-metrics.ts';
import type { Session } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { journalFile } from '../journal/damaged-journal.ts';
import { VERSION } from '../machine/version.ts';
import { measuredFamilies, type NoticeCounts, type OtelCounts } from './gauges.ts';
import { LoopDelays } from './loop-delay.ts';
import { Tally, type TallyParts } from './tally.ts';

/** The dependencies of the metrics. */
export interface MetricsParts extends TallyParts {
  readonly journal: TallyParts['journal'] & Pick<Journal, 'count'>;
  readonly state: string;
  /** The sessions that are driven. */
  readonly live: () => readonly Session[];
  readonly notices: () => readonly NoticeCounts[];
  readonly orphansEnded: () => number;
  /** Null: nothing is sent to OpenTelemetry. */
  readonly otel: () => OtelCounts | null;
}

/** Everything that machines measure about this host: counts from the journal, and how things are now. */
export class Metrics {
  readonly #parts: MetricsParts;
  readonly #tally: Tally;
  readonly #delays: LoopDelays;
  readonly #startedAtMs: number;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#startedAtMs = parts.clock.wallMs();
    this.#tally = new Tally(parts);
    this.#delays = new LoopDelays(parts.clock);
  }

  /** All families, in the order of the documentation. */
  async read(): Promise<MetricFamily[]> {
    return [...measuredFamilies(this.#measured()), ...(await this.#tally.families())];
  }

  async stop(): Promise<void> {
    this.#delays.stop();
    await this.#tally.stop();
  }

  #measured() {
    const { journal, clock, state, live, notices, orphansEnded, otel } = this.#parts;
    const count = journal.count();
    const schedules = journal.schedules.all();
    const { user, system } = process.cpuUsage();
    return {
      ...{ version: VERSION, nodeVersion: process.versions.node, startedAtMs: this.#startedAtMs },
      ...{ live: live(), ended: count.all - count.live, notices: notices(), orphansEnded: orphansEnded() },
      otel: otel(),
      nowSteadyMs: clock.steadyMs(),
      schedules: {
        active: schedules.filter((each) => each.state === 'active').length,
        paused: schedules.filter((each) => each.state === 'paused').length,
      },
      position: journal.head(),
      journalBytes: sizeOf(journalFile(state)),
      freeBytes: freeBytes(state),
      memory: memory(),
      cpuSeconds: (user + system) / 1e6,
      loopDelay: this.#delays.read(),
    };
  }
}

function sizeOf(database: string): number {
  return ['', '-wal', '-shm'].reduce(
    (sum, end) => sum + (statSync(`${database}${end}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Without a file descriptor left to read it, there is the peak. */
function memory(): { rss: number; heapUsed: number } {
  try {
    const { rss, heapUsed } = process.memoryUsage();
    return { rss, heapUsed };
  } catch {
    return { rss: process.resourceUsage().maxRSS * 1024, heapUsed: 0 };
  }
}
