// The whole daemon: its parts, what they serve, and how they stop in reverse order. Nothing else constructs anything.
import { LineIndex } from '../../terminal/line-index.ts';
import { type Away, settleAway } from '../machine/away.ts';
import { bootName } from '../machine/first.ts';
import { forgetPlanned, markPlanned, shutdownReason } from '../machine/planned.ts';
import { startSleepDetector } from '../machine/sleep-detector.ts';
import type { Schedules } from '../schedules/schedules.ts';
import { serve } from '../serve/http.ts';
import { Polls } from '../waits/polls.ts';
import { buildDriving, type Driving } from './driving.ts';
import { type BuildOptions, buildGround, type Ground } from './ground.ts';
import { handlers } from './handlers.ts';
import { buildReaders, type Readers } from './readers.ts';
import { buildSchedules } from './schedules.ts';
import { Stops } from './stops.ts';

/** Why a daemon stops. */
export interface Ending {
  readonly why: string;
  /** Whether sessions that are gone when the next daemon starts went with this stop; missing: unknown. */
  readonly planned?: boolean;
}

/** A running daemon. */
export interface Daemon {
  /** Resolves when a caller asks it to stop. */
  readonly asked: Promise<Ending>;
  /** Stops it. Every session keeps running without it. */
  stop(ending: Ending): Promise<void>;
}

/** Builds and starts a daemon. If a part cannot be built, the others are stopped again. */
export async function buildDaemon(options: BuildOptions): Promise<Daemon> {
  const stops = new Stops();
  try {
    return await built(options, stops);
  } catch (error) {
    await stops.run();
    throw error;
  }
}

async function built(options: BuildOptions, stops: Stops): Promise<Daemon> {
  const ground = await buildGround(options, stops);
  const { journal, log, clock, service } = ground;
  // Determined while it stops, and saved before the journal is closed.
  let reason: Promise<string | null> | string | null = null;
  stops.add(async () => {
    const why = await reason;
    if (why !== null) markPlanned(journal, log, why);
  });
  const driving = buildDriving(ground, { expects: (session) => readers.childUpdates.expects(session) }, stops);
  const { supervisor } = driving;
  const running = { halted: Promise.resolve(), booted: Promise.resolve() };
  stops.add(async () => {
    await Promise.all([running.halted, running.booted]);
    await supervisor.stop(); // Sessions that were adopted meanwhile.
  });
  const readers = buildReaders(ground, driving, options, stops);
  // More runs may be allowed now.
  ground.liveConfig.onChange((changed) => {
    log('config reloaded', { changed });
    for (const { id } of supervisor.live()) supervisor.nudge(id);
  });
  const wentAway = awayHandler(ground, driving, readers, () => running.booted);
  const asked = Promise.withResolvers<Ending>();
  const schedules = await serveAll(ground, driving, readers, { wentAway, asked: asked.resolve }, stops);
  // Sent before the socket closes: a start that is requested from then on comes after this stop.
  stops.add(() => service.stopping());
  log('started', { pid: process.pid, state: ground.state });
  options.serving?.();
  running.booted = start(ground, driving, readers);
  schedules.start();
  if (ground.awayBefore !== null) wentAway(ground.awayBefore);
  void service.ready();
  return {
    asked: asked.promise,
    async stop(ending) {
      log('stopping', { ...ending });
      // At once: a shutdown ends agents together with us, and they must not count as crashed and be started again.
      running.halted = supervisor.stop();
      // A signal has no reason; a caller gives one.
      const isSignal = ending.planned === undefined;
      reason = isSignal ? shutdownReason(options.env, clock) : ending.planned ? 'announced by a caller' : null;
      await stops.run();
    },
  };
}

function start({ planned, journal, log }: Ground, { sessions, supervisor }: Driving, { childUpdates }: Readers) {
  sessions.recover();
  childUpdates.start();
  return supervisor.start().then(() => {
    planned.is = false;
    forgetPlanned(journal, log);
  });
}

/** After a sleep or a restart of the machine: checks our sessions, then conversations that are not ours. */
function awayHandler(
  { journal, log }: Ground,
  { supervisor }: Driving,
  { boot }: Readers,
  booted: () => Promise<void>,
): (away: Away) => void {
  return (away) => {
    log('the machine was away', { ...away });
    for (const { id } of supervisor.live()) supervisor.nudge(id);
    // Ours first, so that they are not resumed as conversations of someone else.
    void Promise.resolve()
      .then(booted)
      .then(() => boot.interrupted(away.kind, away.fromMs))
      .then((isOver) => isOver && settleAway(journal, away, log));
  };
}

interface Told {
  readonly wentAway: (away: Away) => void;
  readonly asked: (ending: Ending) => void;
}

async function serveAll(
  ground: Ground,
  driving: Driving,
  readers: Readers,
  told: Told,
  stops: Stops,
): Promise<Schedules> {
  const { config, liveConfig, journal, clock, log, terminals, controls, agents, programs, caps, gate, socket } = ground;
  const { sessions, supervisor, worktrees, liveTexts, changes } = driving;
  const { notices, orphans, boot, search, metrics, otel, isModelId } = readers;
  const schedules = buildSchedules(ground, driving, stops);
  const sleepDetector = detector(ground, schedules, told);
  stops.add(() => sleepDetector.stop());
  const parts = {
    ...{ config, journal, clock, sessions, notices, worktrees, terminals, agents, boot, isModelId, log, sleepDetector },
    ...{ controls, liveConfig, liveTexts, changes, search, metrics, otel, schedules },
    hookProgram: programs.path('hook.sh'),
    rules: gate.rules,
    gates: gate.gates,
    polls: new Polls({ journal, clock, sessions, config }),
    lines: new LineIndex(),
    nudge: supervisor.nudge.bind(supervisor),
    orphansEnded: () => orphans.ended(),
    memoryCap: () => caps.told(),
    startedAtMs: clock.wallMs(),
    stop: (why: string, planned: boolean) => told.asked({ why, planned }),
  };
  const server = await serve(socket, handlers(parts), { clock, log });
  stops.add(() => server.close());
  return schedules;
}

/** Timers stand still while the machine sleeps, and know nothing of a clock that is set. */
function detector({ state, clock, journal, log }: Ground, schedules: Schedules, told: Told) {
  return startSleepDetector({
    ...{ state, clock, boot: bootName(), journal, log },
    wentAway: (away) => {
      schedules.wake();
      told.wentAway(away);
    },
    clockSet: () => schedules.wake(),
  });
}
