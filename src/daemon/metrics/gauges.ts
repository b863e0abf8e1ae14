import type { MetricFamily } from '../../api/contract-metrics.ts';
import type { Session } from '../../core/session.ts';
import type { LoopDelay } from './loop-delay.ts';

/** How the deliveries of a notice went since the daemon started. */
export interface NoticeCounts {
  readonly name: string;
  readonly behind: number;
  readonly sent: number;
  readonly failed: number;
}

/** How what is sent to OpenTelemetry went since the daemon started. */
export interface OtelCounts {
  readonly behind: number;
  readonly sent: number;
  readonly dropped: number;
}

/** What is measured when somebody asks. */
export interface Measured {
  readonly version: string;
  readonly nodeVersion: string;
  readonly nowSteadyMs: number;
  readonly startedAtMs: number;
  /** The sessions that are driven, and how many have ended and are not removed. */
  readonly live: readonly Session[];
  readonly ended: number;
  readonly notices: readonly NoticeCounts[];
  /** Schedules that wait for their times. */
  readonly schedules: { readonly active: number; readonly paused: number };
  readonly orphansEnded: number;
  readonly otel: OtelCounts | null;
  readonly position: number;
  readonly journalBytes: number;
  /** Null: it cannot be read. */
  readonly freeBytes: number | null;
  readonly memory: { readonly rss: number; readonly heapUsed: number };
  readonly cpuSeconds: number;
  readonly loopDelay: LoopDelay | null;
}

type Series = MetricFamily['series'];

/** How things are now: gauges, and counters that begin with this daemon. */
export function measuredFamilies(now: Measured): MetricFamily[] {
  return [
    ...sessionGauges(now),
    ...attentionGauges(now),
    ...noticeFamilies(now),
    ...otelFamilies(now),
    ...daemonFamilies(now),
  ];
}

function sessionGauges({ live, ended, schedules }: Measured): MetricFamily[] {
  const waiting = live.flatMap(({ prompts, spec }) =>
    prompts.filter(({ state }) => state === 'queued').map(() => ({ agent: spec.agent })),
  );
  const running = live.filter(hasProcess).map(({ spec }) => ({ agent: spec.agent }));
  return [
    gauge(
      'sessions',
      'Sessions that have not ended, by phase.',
      counted(live.map(({ phase, spec }) => ({ agent: spec.agent, state: phase.at }))),
    ),
    gauge('sessions_stored', 'Sessions that have ended and are not removed.', one(ended)),
    gauge('prompts_waiting', 'Prompts that were not sent yet.', counted(waiting)),
    gauge('run_processes', 'Runs with a process.', counted(running)),
    gauge('schedules', 'Schedules that wait for their times, and paused ones.', [
      { labels: { state: 'active' }, value: schedules.active },
      { labels: { state: 'paused' }, value: schedules.paused },
    ]),
  ];
}

function hasProcess({ phase, run }: Session): boolean {
  const isOver =
    ['queued', 'recovering', 'ended'].includes(phase.at) || (phase.at === 'idle' && phase.dormant === true);
  return !isOver && run !== null && run.pid !== null && run.exit === null;
}

/** What a person has to look at. All reasons are always there: an alert compares with 0. */
function attentionGauges({ live, nowSteadyMs }: Measured): MetricFamily[] {
  const sinceMs = {
    approval: live.flatMap(({ gate }) => gate.approvals.map(({ askedAtMs }) => askedAtMs)),
    held: live.flatMap(({ phase }) => (phase.at === 'held' ? [phase.sinceMs] : [])),
    unsure: live.flatMap(({ prompts }) => prompts.flatMap((each) => (each.state === 'unsure' ? [each.sinceMs] : []))),
  };
  const each = (value: (since: readonly number[]) => number): Series =>
    Object.entries(sinceMs).map(([reason, since]) => ({ labels: { reason }, value: value(since) }));
  const age = (since: readonly number[]): number =>
    since.length === 0 ? 0 : Math.max(0, nowSteadyMs - Math.min(...since)) / 1_000;
  return [
    gauge(
      'attention',
      'What needs a person: pending approvals, held sessions, prompts that may not have arrived.',
      each((since) => since.length),
    ),
    gauge('attention_oldest_seconds', 'How long the oldest of them has waited; 0: there is none.', each(age)),
  ];
}

function noticeFamilies({ notices, startedAtMs }: Measured): MetricFamily[] {
  const by = (value: (status: NoticeCounts) => number): Series =>
    notices.map((status) => ({ labels: { notice: status.name }, value: value(status) }));
  return [
    gauge(
      'notice_behind_events',
      'Events that a notice has not handled yet.',
      by(({ behind }) => behind),
    ),
    counter(
      'notice_delivered',
      'Items that were delivered since the daemon started.',
      by(({ sent }) => sent),
      startedAtMs,
    ),
    counter(
      'notice_failed',
      'Items that were given up since the daemon started.',
      by(({ failed }) => failed),
      startedAtMs,
    ),
  ];
}

function otelFamilies({ otel, startedAtMs }: Measured): MetricFamily[] {
  const of = (value: (counts: OtelCounts) => number): Series => (otel === null ? [] : one(value(otel)));
  return [
    gauge(
      'otel_behind_events',
      'Events of which the spans are not sent to OpenTelemetry yet.',
      of(({ behind }) => behind),
    ),
    counter(
      'otel_spans_sent',
      'Spans that were sent since the daemon started.',
      of(({ sent }) => sent),
      startedAtMs,
    ),
    counter(
      'otel_spans_dropped',
      'Spans that were given up since the daemon started.',
      of(({ dropped }) => dropped),
      startedAtMs,
    ),
  ];
}

function daemonFamilies(now: Measured): MetricFamily[] {
  const { startedAtMs, loopDelay, memory, freeBytes } = now;
  const labels = { version: now.version, node: now.nodeVersion };
  const delays: Series =
    loopDelay === null
      ? []
      : [
          { labels: { quantile: '0.99' }, value: loopDelay.p99Ms / 1_000 },
          { labels: { quantile: '1' }, value: loopDelay.maxMs / 1_000 },
        ];
  return [
    {
      ...gauge('build', 'The version of Outlast, and of the Node that runs it.', [{ labels, value: 1 }]),
      type: 'info',
    },
    gauge('daemon_start_time_seconds', 'When the daemon started, in seconds since 1970.', one(startedAtMs / 1_000)),
    gauge('daemon_session_loops', 'Sessions that the daemon drives.', one(now.live.length)),
    counter('daemon_cpu_seconds', 'Processor time that the daemon has used.', one(now.cpuSeconds), startedAtMs),
    counter(
      'daemon_orphans_ended',
      'Processes of ended sessions that were found and ended.',
      one(now.orphansEnded),
      startedAtMs,
    ),
    gauge('daemon_memory_bytes', 'Memory of the daemon: all of it, and the used part of its heap.', [
      { labels: { kind: 'resident' }, value: memory.rss },
      { labels: { kind: 'heap' }, value: memory.heapUsed },
    ]),
    gauge('daemon_loop_delay_seconds', 'How late timers of the daemon fired since the last reading.', delays),
    gauge('journal_position', 'The newest position of the journal.', one(now.position)),
    gauge('journal_size_bytes', 'Size of the files of the journal.', one(now.journalBytes)),
    gauge('state_free_bytes', 'Free space on the disk of the state folder.', freeBytes === null ? [] : one(freeBytes)),
  ];
}

function gauge(name: string, help: string, series: Series): MetricFamily {
  return { name: `outlast_${name}`, type: 'gauge', unit: unitOf(name), help, createdMs: null, series };
}

function counter(name: string, help: string, series: Series, createdMs: number): MetricFamily {
  return { ...gauge(name, help, series), type: 'counter', createdMs };
}

function unitOf(name: string): MetricFamily['unit'] {
  if (name.endsWith('_seconds')) return 'seconds';
  return name.endsWith('_bytes') ? 'bytes' : '';
}

function one(value: number): Series {
  return [{ labels: {}, value }];
}

/** One series for each combination of labels. */
function counted(all: readonly Readonly<Record<string, string>>[]): Series {
  const groups = Map.groupBy(all, (labels) => JSON.stringify(labels));
  return [...groups.values()].map((same) => ({ labels: { ...same[0] }, value: same.length }));
}
