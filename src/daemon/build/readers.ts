import { allConversations } from '../../agent/all.ts';
import { newId } from '../../base/ids.ts';
import { byPolicy } from '../../core/actor.ts';
import type { InputId } from '../../core/event.ts';
import type { Session, SessionId } from '../../core/session.ts';
import { Boot } from '../boot/boot.ts';
import { tellBoot } from '../boot/tell.ts';
import { ownEnvironment } from '../config/config.ts';
import type { TopKey } from '../config/shape.ts';
import { startKeeper } from '../journal/keeper.ts';
import { ownProgram } from '../machine/terminals.ts';
import { Metrics } from '../metrics/metrics.ts';
import { startMirror } from '../mirror/mirror.ts';
import { type Notices, startNotices } from '../notices/notices.ts';
import { Otel } from '../otel/otel.ts';
import { ChildUpdates } from '../owners/child-updates.ts';
import { Search } from '../search/search.ts';
import { type Orphans, startOrphans } from '../upkeep/orphans.ts';
import { startRetention } from '../upkeep/retention.ts';
import { startRunMonitor } from '../upkeep/run-monitor.ts';
import type { Driving } from './driving.ts';
import type { BuildOptions, Ground } from './ground.ts';
import { Restarted } from './restarted.ts';
import type { Stops } from './stops.ts';

/** The parts that run beside the sessions: readers of the journal, and cleanup. */
export interface Readers {
  readonly notices: Notices;
  readonly childUpdates: ChildUpdates;
  readonly orphans: Orphans;
  readonly boot: Boot;
  readonly search: Search;
  readonly metrics: Metrics;
  readonly otel: () => Otel;
  readonly isModelId: (agent: string, model: string) => boolean;
}

/** Starts everything that runs beside the sessions. */
export function buildReaders(ground: Ground, driving: Driving, { giveUp, env }: BuildOptions, stops: Stops): Readers {
  const { state, config, journal, clock, log, gate, agents, service } = ground;
  const { sessions } = driving;
  // Folding a long conversation for each event would take longer than everything else.
  const knownSession = (id: string): Session | null => journal.find(id)?.session ?? sessions.fold(id as SessionId);
  const notices = startNotices({ journal, clock, config, log, describe: knownSession, actions: gate.actions });
  const wakes = wakesOf(ground, driving);
  const isModelId = (agent: string, model: string): boolean => agents[agent]?.program?.models.isId(model) ?? false;
  const boot = new Boot({
    ...{ state, config, journal, clock, log, sessions, isModelId },
    conversations: allConversations(agents),
    caller: { env: ownEnvironment(env), umask: process.umask() },
    tell: (seen, stopping) => tellBoot({ notices, clock, log }, seen, stopping),
  });
  const search = new Search({
    ...{ config, journal, clock, log },
    env: ownEnvironment(env),
    program: ownProgram('search'),
  });
  const orphans = startOrphans({ state, find: knownSession, clock, log });
  const metrics = metricsOf(ground, driving, { notices, orphans, otel: () => otel.current });
  const otel: Restarted<Otel> = new Restarted(() => otelOf(ground, metrics, env));
  const retention = new Restarted(() => retentionOf(ground, driving, notices));
  const keeper = new Restarted(() =>
    startKeeper({ journal, state, clock, log, giveUp, everyMs: config.backup.everyMs }),
  );
  const others = [retention, runMonitorOf(ground, driving), startMirror({ journal, clock, config, log }), keeper];
  restartOnChange(ground, { retention, otel, backup: keeper, notices: usedNotices(ground, notices) });
  // After those who count and read it.
  stops.add(() => metrics.stop());
  stops.add(() => otel.stop());
  stops.add(...[wakes, notices, orphans, ...others, boot, search, service].map((part) => () => part.stop()));
  return { notices, childUpdates: wakes, orphans, boot, search, metrics, otel: () => otel.current, isModelId };
}

function wakesOf({ journal, clock, state, log, gate }: Ground, { supervisor, sessions }: Driving): ChildUpdates {
  // An unreadable session must not hold up the updates of the others.
  const readable = (id: SessionId): Session | null => {
    const row = journal.find(id);
    return row?.unreadableAt === null ? row.session : null;
  };
  return new ChildUpdates({
    ...{ journal, clock, state, log, actions: gate.actions },
    describe: (id) => readable(id) ?? (journal.find(id) === null ? sessions.fold(id) : null),
    submit: (id, cause, input) => void supervisor.submit(id, cause, input),
    takeAll: (id, inputs) => supervisor.submitAll(id, inputs),
    // From the journal: the supervisor may not have adopted all of them yet.
    live: () => journal.live().flatMap((id) => readable(id) ?? []),
    nudge: (id) => supervisor.nudge(id),
    remove: async (id) => void (await sessions.remove(id, { by: { is: 'owner', session: null }, force: true })),
  });
}

function metricsOf(
  { state, journal, clock, log }: Ground,
  { supervisor }: Driving,
  { notices, orphans, otel }: Pick<Readers, 'notices' | 'orphans' | 'otel'>,
): Metrics {
  return new Metrics({
    ...{ state, journal, clock, log },
    live: () => supervisor.live(),
    notices: () => notices.status().map((status) => ({ ...status, sent: notices.sent().get(status.name) ?? 0 })),
    orphansEnded: () => orphans.ended(),
    otel: () => otel().status(),
  });
}

function otelOf({ config, state, journal, clock, log }: Ground, metrics: Metrics, env: BuildOptions['env']): Otel {
  return new Otel({
    ...{ config: config.otel, state, journal, clock, log },
    program: ownProgram('otel'),
    env: ownEnvironment(env),
    metrics: () => metrics.read(),
  });
}

interface Stopped {
  stop(): Promise<void>;
}

/** The parts that are built from a key of the config, and are started again when it changes. */
function restartOnChange(
  { liveConfig, log }: Ground,
  parts: Readonly<Partial<Record<TopKey, { restart(): Promise<void> }>>>,
): void {
  liveConfig.onChange((changed) => {
    for (const key of changed)
      void parts[key]?.restart().catch((error) => log(`the part of the config key ${key} cannot be started: ${error}`));
  });
}

/** Uses the notices of the config, one change after the other. */
function usedNotices({ config }: Ground, notices: Notices): { restart(): Promise<void> } {
  let using: Promise<void> = Promise.resolve();
  return {
    restart: () => {
      using = using.then(() => notices.use(config.notices));
      return using;
    },
  };
}

function retentionOf({ state, config, journal, clock, log }: Ground, { sessions }: Driving, notices: Notices): Stopped {
  return startRetention({
    ...{ journal, clock, config, state, log },
    remove: async (id) => void (await sessions.remove(id, { by: byPolicy('retention'), force: false })),
    pending: (at) => !notices.delivered(at),
  });
}

function runMonitorOf({ state, clock, log }: Ground, { supervisor }: Driving): Stopped {
  return startRunMonitor({
    ...{ clock, state, log },
    live: () => supervisor.live(),
    nudge: (session) => supervisor.nudge(session),
    over: (session, run, bytes) =>
      void supervisor.submit(session, newId(clock.wallMs()) as InputId, { type: 'memory', run, bytes }),
  });
}
