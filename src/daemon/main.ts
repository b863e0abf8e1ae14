// The whole program: config, parts, serve, and stop in reverse order. Nothing else constructs anything.
import { join } from 'node:path';
import { allAgents, allConversations } from '../agent/all.ts';
import { realClock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { takeLock } from '../base/lock.ts';
import { fileLog } from '../base/log.ts';
import type { InputId } from '../core/event.ts';
import type { SessionId } from '../core/session.ts';
import { sqliteJournal } from '../journal/sqlite.ts';
import { watchExits } from '../supervisor/exits.ts';
import { Supervisor } from '../supervisor/supervisor.ts';
import { watchNotes } from '../supervisor/watch.ts';
import { realWorld } from '../supervisor/world.ts';
import { bootId } from '../terminal/processes.ts';
import { newsFolder } from '../terminal/run-folder.ts';
import { afterSight } from './after.ts';
import { startAlive } from './boot/alive.ts';
import { Boot } from './boot/boot.ts';
import { tellBoot } from './boot/tell.ts';
import { ENVIRONMENT, ownEnvironment, readConfig } from './config.ts';
import { giveUp } from './give-up.ts';
import { handlers } from './handlers.ts';
import { serve } from './http.ts';
import { closeInherited } from './inherited.ts';
import { startMirror } from './mirror.ts';
import { startNotices } from './notices.ts';
import { startOrphans } from './orphans.ts';
import { startPulse } from './pulse.ts';
import { startRetention } from './retention.ts';
import { Sessions } from './sessions.ts';
import { prepareState } from './state.ts';
import { steadyClock } from './steady.ts';
import { allTerminals, ownProgram } from './terminals.ts';

process.on('uncaughtException', giveUp);
closeInherited();
const config = readConfig();
if (process.argv.includes('--check')) process.exit(0); // Only whether the config can be used.
const { state } = config;
prepareState(state);
const lock = takeLock(join(state, 'lock.db'));
if (lock === null) throw new OutlastError('daemon_running', `a daemon runs for ${state} already`);
const log = fileLog(join(state, 'daemon.log'), realClock());

const journal = sqliteJournal(join(state, 'outlast.db'), giveUp);
const clock = steadyClock(journal, bootId());
const { terminals, programs } = allTerminals({ state, clock, env: ENVIRONMENT });
const agents = allAgents(process.execPath, ownProgram('scripted'));
const world = realWorld({
  state,
  clock,
  boot: bootId(),
  terminals,
  agents,
  slot: () => supervisor.running() < config.runsMax,
  hookProgram: programs.path('hook.sh'),
  take: (session, id, input) => supervisor.take(session.id, id, input),
  now: (session) => supervisor.now(session),
  live: () => supervisor.live(),
  after: (session) => afterSight(journal, session),
  log,
});
const hooks = watchNotes(newsFolder(state), (session) => supervisor.nudge(session), log);
const exits = watchExits(state, (session) => supervisor.nudge(session), log);
const sessions = new Sessions({
  state,
  config,
  journal,
  clock,
  terminals,
  agents,
  exits,
  log,
  supervisor: () => supervisor,
});
const supervisor: Supervisor = new Supervisor({
  journal,
  clock,
  world,
  log,
  over: (session) => {
    world.forget(session);
    sessions.release(session);
  },
});
journal.onAppend(() => supervisor.wakeFollowers());
const notices = startNotices({ journal, clock, config, log, describe: (id) => sessions.fold(id) });
const remove = (id: string): Promise<void> => sessions.remove(id, { by: 'retention', force: false });
const retention = startRetention({
  journal,
  clock,
  config,
  state,
  remove,
  pending: (at) => !notices.delivered(at),
  log,
});
const pulse = startPulse({
  live: () => supervisor.live(),
  nudge: (session) => supervisor.nudge(session),
  over: (session, run, bytes) =>
    void supervisor.take(session, newId(clock.wallMs()) as InputId, { type: 'memory', run, bytes }),
  clock,
  state,
  log,
});
const orphans = startOrphans({ find: (id) => journal.find(id)?.session ?? sessions.fold(id as SessionId), clock, log });
const isModelId = (agent: string, model: string): boolean => agents[agent]?.talk?.isModelId(model) ?? false;
const boot = new Boot({
  state,
  config,
  journal,
  clock,
  log,
  sessions,
  isModelId,
  conversations: allConversations(agents),
  caller: { env: ownEnvironment(), umask: process.umask() },
  tell: (seen, stopping) => tellBoot({ config, clock, log }, seen, stopping),
});
const mirror = startMirror({ journal, clock, config, log });
const stopped = Promise.withResolvers<string>();
const server = await serve(
  join(state, 'daemon.sock'),
  handlers({
    config,
    journal,
    clock,
    sessions,
    notices,
    terminals,
    agents,
    boot,
    isModelId,
    hookProgram: programs.path('hook.sh'),
    nudge: (session) => supervisor.nudge(session),
    orphansEnded: () => orphans.ended(),
    startedAtMs: clock.wallMs(),
    stop: stopped.resolve,
  }),
  log,
);

log('started', { pid: process.pid, state });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.resolve(signal));
process.on('SIGHUP', () => {}); // The terminal it was started from may close.
sessions.recover();
const booted = supervisor.start();
const alive = booted.then(() => startAlive({ state, clock, journal, looks: boot, boot: bootId() }));

const why = await stopped.promise;
log('stopping', { why });
await server.close();
await Promise.all([notices.stop(), retention.stop(), pulse.stop(), orphans.stop(), mirror.stop(), boot.stop()]);
await (await alive).stop();
await supervisor.stop();
exits.close();
hooks.close();
journal.close();
lock.release();
process.exit(0);
