import type { MetricFamily } from '../../api/contract-metrics.ts';

/** What is declared of a family. */
export interface Declared {
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram of seconds; missing: it is a counter. */
  readonly buckets?: readonly number[];
}

const SHORT = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;
const LONG = [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600] as const;
const PATIENT = [1, 5, 15, 30, 60, 300, 900, 3_600, 14_400, 86_400] as const;

/** Everything that is counted from the events of the journal. Its counts continue in the next daemon. */
export const COUNTERS = {
  sessions_started: { help: 'Sessions that were created.', labels: ['agent', 'drive'] },
  sessions_ended: { help: 'Sessions that ended, by why.', labels: ['agent', 'outcome'] },
  sessions_held: { help: 'Times that a session began to need a person.', labels: ['agent'] },
  sessions_limited: { help: 'Times that a session hit a usage limit.', labels: ['agent'] },
  sessions_switched: { help: 'Times that another agent took over a session.', labels: ['agent', 'to'] },
  runs_started: { help: 'Processes that were to be started.', labels: ['agent'] },
  runs_ended: { help: 'Processes that ended, by exit status: zero, other or unknown.', labels: ['agent', 'exit'] },
  run_faults: { help: 'Runs that broke without being asked to end.', labels: ['agent', 'fault'] },
  resumes: { help: 'Runs that were started because the one before broke.', labels: ['agent', 'fault'] },
  remedies: { help: 'Tries to fix a conversation itself.', labels: ['agent', 'remedy', 'result'] },
  prompts_queued: { help: 'Prompts that callers gave.', labels: ['agent'] },
  prompts_accepted: { help: 'Prompts that the agent confirmed.', labels: ['agent'] },
  prompts_unsure: { help: 'Prompts of which it was not known whether they arrived.', labels: ['agent'] },
  prompts_ended: { help: 'Prompts that were answered, failed, interrupted or dropped.', labels: ['agent', 'outcome'] },
  prompt_troubles: { help: 'Turns that failed, by why.', labels: ['agent', 'trouble'] },
  prompt_queue_seconds: { help: 'From a prompt to its first try.', labels: ['agent'], buckets: PATIENT },
  prompt_accept_seconds: { help: 'From the try to the confirmation.', labels: ['agent'], buckets: SHORT },
  turn_seconds: { help: 'From the confirmation of a prompt to its end.', labels: ['agent', 'outcome'], buckets: LONG },
  tool_calls: { help: 'Tool calls that agents reported.', labels: ['agent'] },
  tool_results: { help: 'Tool calls that ended: ok, error or denied.', labels: ['agent', 'outcome'] },
  approvals_asked: { help: 'Tool calls that an agent behind a gate asked about.', labels: ['agent'] },
  approvals_decided: { help: 'Decisions about tool calls, and who made them.', labels: ['agent', 'decision', 'by'] },
  approval_wait_seconds: { help: 'From a question to its decision.', labels: ['by'], buckets: PATIENT },
  approvals_refused: { help: 'Tries of a session to decide about its own call.', labels: ['agent'] },
  gate_breaches: { help: 'Tool calls that ran without being allowed.', labels: ['agent'] },
  usage_turns: { help: 'Turns, as far as agents report usage.', labels: ['agent'] },
  usage_tokens: {
    help: 'Tokens, as agents report them: input, output, cache_read, cache_write or unknown.',
    labels: ['agent', 'model', 'kind'],
  },
  usage_cost_usd: { help: 'Dollars, as agents estimate them.', labels: ['agent', 'model'] },
  schedules_started: { help: 'Sessions that schedules started.', labels: [] },
  schedules_failed: { help: 'Sessions that schedules could not start.', labels: [] },
  schedules_skipped: { help: 'Planned times at which nothing was started.', labels: [] },
  schedules_missed: { help: 'Planned times that passed while no daemon ran.', labels: [] },
} as const satisfies Readonly<Record<string, Declared>>;

export type CounterName = keyof typeof COUNTERS;
type Labels<N extends CounterName> = Readonly<Record<(typeof COUNTERS)[N]['labels'][number], string>>;
type HistogramName = { [N in CounterName]: (typeof COUNTERS)[N] extends { buckets: object } ? N : never }[CounterName];

/** The counts of one series: one number, or of a histogram the sum and the count of each bucket, with the last. */
type Count = number | { sum: number; buckets: number[] };

/** Counts as they are stored: by name, then by the values of its labels as JSON. */
export type StoredCounts = Readonly<Record<string, Readonly<Record<string, Count>>>>;

/** A family has so many series at most: models and agents have names that Outlast does not choose. */
export const SERIES_MAX = 200;
/** A longer name is no name. */
const LABEL_CHARS_MAX = 64;
const OTHER = 'other';

/** Counters and histograms in memory. */
export class Counters {
  readonly #counts: Map<string, Map<string, Count>>;

  constructor(stored: StoredCounts = {}) {
    const known = Object.entries(stored).filter(([name]) => Object.hasOwn(COUNTERS, name));
    this.#counts = new Map(known.map(([name, series]) => [name, new Map(Object.entries(structuredClone(series)))]));
  }

  /** Counts something. */
  add<N extends Exclude<CounterName, HistogramName>>(name: N, labels: Labels<N>, by = 1): void {
    if (!(by > 0) || !Number.isFinite(by)) return;
    const { series, key } = this.#series(name, labels);
    series.set(key, ((series.get(key) as number | undefined) ?? 0) + by);
  }

  /** Counts a duration. */
  observe<N extends HistogramName>(name: N, labels: Labels<N>, ms: number): void {
    const bounds: readonly number[] = COUNTERS[name].buckets;
    const { series, key } = this.#series(name, labels);
    const count = (series.get(key) as Exclude<Count, number> | undefined) ?? {
      sum: 0,
      buckets: Array.from({ length: bounds.length + 1 }, () => 0),
    };
    const seconds = Math.max(0, ms) / 1_000;
    const found = bounds.findIndex((bound) => seconds <= bound);
    const at = found === -1 ? bounds.length : found;
    count.sum += seconds;
    count.buckets[at] = (count.buckets[at] ?? 0) + 1;
    series.set(key, count);
  }

  stored(): StoredCounts {
    return Object.fromEntries([...this.#counts].map(([name, series]) => [name, Object.fromEntries(series)]));
  }

  /** All families, also those without a series yet. */
  families(createdMs: number): MetricFamily[] {
    return Object.entries<Declared>(COUNTERS).map(([name, { help, labels, buckets }]) => ({
      name: `outlast_${name}`,
      type: buckets === undefined ? 'counter' : 'histogram',
      unit: name.endsWith('_seconds') ? 'seconds' : '',
      help,
      createdMs,
      series: this.#seriesOf(name, labels, buckets),
    }));
  }

  #seriesOf(name: string, names: readonly string[], bounds: readonly number[] = []): MetricFamily['series'] {
    const series = [...(this.#counts.get(name) ?? [])];
    // What has no labels is 0 until it happens; a series that is missing cannot be compared with anything.
    if (series.length === 0 && names.length === 0) return [{ labels: {}, value: 0 }];
    return series.map(([key, count]) => {
      const values = JSON.parse(key) as string[];
      const labels = Object.fromEntries(names.map((label, i) => [label, values[i] ?? '']));
      return typeof count === 'number' ? { labels, value: count } : { labels, histogram: histogramOf(count, bounds) };
    });
  }

  #series<N extends CounterName>(name: N, labels: Labels<N>): { series: Map<string, Count>; key: string } {
    const series = this.#counts.get(name) ?? new Map<string, Count>();
    this.#counts.set(name, series);
    const values = COUNTERS[name].labels.map((label) => labelValue((labels as Record<string, string>)[label] ?? ''));
    const key = JSON.stringify(values);
    if (series.has(key) || series.size < SERIES_MAX) return { series, key };
    return { series, key: JSON.stringify(values.map(() => OTHER)) };
  }
}

function histogramOf({ sum, buckets }: Exclude<Count, number>, bounds: readonly number[]) {
  let count = 0;
  const sums = buckets.map((own) => {
    count += own;
    return count;
  });
  return { sum, count, buckets: bounds.map((le, i) => ({ le, count: sums[i] ?? 0 })) };
}

function labelValue(text: string): string {
  return text.length > LABEL_CHARS_MAX ? OTHER : text;
}
