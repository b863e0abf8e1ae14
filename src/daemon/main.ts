// The whole program: config, parts, serve, and stop in reverse order. Nothing else constructs anything.
import './config/schemas-plain.ts';
import { join } from 'node:path';
import { allAgents, allConversations } from '../agent/all.ts';
import { realClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { fileLog } from '../base/log.ts';
import { byPolicy } from '../core/actor.ts';
import type { InputId } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import { watchExits } from '../supervisor/exits.ts';
import { Supervisor } from '../supervisor/supervisor.ts';
import { watchNotes } from '../supervisor/watch.ts';
import { realWorld } from '../supervisor/world.ts';
import { LineIndex } from '../terminal/line-index.ts';
import { memoryCaps } from '../terminal/memory-cap.ts';
import { bootId } from '../terminal/processes.ts';
import { hookSignals } from '../terminal/run-folder.ts';
import { Boot } from './boot/boot.ts';
import { tellBoot } from './boot/tell.ts';
import { handlers } from './build/handlers.ts';
import { ENVIRONMENT, ownEnvironment, readConfig, stateFolder } from './config/config.ts';
import { gateParts } from './gate/parts.ts';
import { stateCommand } from './journal/commands.ts';
import { startKeeper } from './journal/keeper.ts';
import { openJournal } from './journal/open.ts';
import { type Away, awayAtStart, settleAway } from './machine/away.ts';
import { checkOnly } from './machine/check-only.ts';
import { bootName } from './machine/first.ts';
import { giveUp } from './machine/give-up.ts';
import { closeInherited } from './machine/inherited.ts';
import { serviceNotices } from './machine/notify.ts';
import { forgetPlanned, isPlanned, markPlanned, shutdownReason } from './machine/planned.ts';
import { startSleepDetector } from './machine/sleep-detector.ts';
import { prepareState } from './machine/state.ts';
import { steadyClock } from './machine/steady.ts';
import { allTerminals, ownProgram } from './machine/terminals.ts';
import { lockOf } from './machine/wait-lock.ts';
import { startMirror } from './mirror/mirror.ts';
import { startNotices } from './notices/notices.ts';
import { afterSnapshot } from './owners/after.ts';
import { overdrawn } from './owners/tree-budget.ts';
import { Wakes } from './owners/wakes.ts';
import { serve } from './serve/http.ts';
import { Sessions } from './start/sessions.ts';
import { startOrphans } from './upkeep/orphans.ts';
import { startRetention } from './upkeep/retention.ts';
import { startRunMonitor } from './upkeep/run-monitor.ts';
import { Polls } from './waits/polls.ts';
import { Worktrees } from './worktrees/worktrees.ts';

process.on('uncaughtException', giveUp);
closeInherited();
if (process.argv[2] === 'state') process.exit(await stateCommand(process.argv.slice(3), stateFolder(ENVIRONMENT)));
const config = readConfig();
if (process.argv.includes('--check')) await checkOnly(); // Only whether the config can be used, and the agents.
const { state } = config;
prepareState(state);
const log = fileLog(join(state, 'daemon.log'), realClock());
const socket = join(state, 'daemon.sock');
const service = serviceNotices({ env: ENVIRONMENT, clock: realClock(), log, socket });
const waits = process.argv.includes('--wait');
const lock = await lockOf({ path: join(state, 'lock.db'), waits, clock: realClock(), log, service });

const journal = openJournal({ state, clock: realClock(), log, giveUp });
// Until every session was looked at once.
let planned = isPlanned(journal);
// Before the clock: it writes down the boot that this one is compared with.
const awayBefore = awayAtStart(journal, { state, boot: bootName(), wallMs: realClock().wallMs(), planned });
const clock = steadyClock(journal, bootId());
const { terminals, programs } = allTerminals({ state, clock, env: ENVIRONMENT });
const caps = memoryCaps({ state, clock, isWanted: config.memoryCap === 'auto' });
const agents = allAgents(process.execPath, ownProgram);
const asker = [process.execPath, ownProgram('asker')] as const;
const gate = gateParts({ config, clock, journal, agents, log, asker, askProgram: programs.path('ask.sh') });
const world = realWorld({
  state,
  clock,
  boot: bootName(),
  planned: () => planned,
  terminals,
  agents,
  slot: (session) => supervisor.hasRoom(config.runsMax, config.spawn.concurrentMax, session),
  expects: (session) => wakes.expects(session),
  overdrawn: (session) => overdrawn(journal, session),
  hookProgram: programs.path('hook.sh'),
  take: (session, id, input) => supervisor.take(session.id, id, input),
  takeAll: (session, inputs) => supervisor.takeAll(session.id, inputs),
  nudge: (session) => supervisor.nudge(session),
  now: (session) => supervisor.now(session),
  live: () => supervisor.live(),
  resumes: (sinceSteadyMs) => journal.resumes(sinceSteadyMs),
  after: (session) => afterSnapshot(journal, session),
  answered: () => supervisor.wakeParked(),
  ...gate.world,
  caps,
  log,
});
// Whoever waits behind a gate is answered at once; the loop of the session looks a little later.
const hooks = watchNotes(
  hookSignals(state),
  (session) => {
    const driven = supervisor.get(session);
    if (driven !== null) world.ingestNow(driven);
    supervisor.nudge(session);
  },
  log,
);
const exits = watchExits(state, (session) => supervisor.nudge(session), log);
const worktrees = new Worktrees(state, clock, log);
const sessions = new Sessions({
  ...{ worktrees, state, config, journal, clock, terminals, agents, exits, log },
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
  moved: (session) => sessions.releaseDead(session),
});
journal.onAppend(() => supervisor.wakeFollowers());
// To fold a long conversation for each thing that is told of it would take longer than all the rest.
const knownSession = (id: string): Session | null => journal.find(id)?.session ?? sessions.fold(id as SessionId);
const notices = startNotices({ journal, clock, config, log, describe: knownSession, actions: gate.actions });
// One that cannot be read must not hold up what the others are told.
const readable = (id: SessionId): Session | null => {
  const row = journal.find(id);
  return row?.unreadableAt === null ? row.session : null;
};
const wakes = new Wakes({
  ...{ journal, clock, state, log, actions: gate.actions },
  describe: (id) => readable(id) ?? (journal.find(id) === null ? sessions.fold(id) : null),
  take: (id, cause, input) => void supervisor.take(id, cause, input),
  takeAll: (id, inputs) => supervisor.takeAll(id, inputs),
  // Not only those that are driven already: this one may come before the supervisor has seen them all.
  live: () => journal.live().flatMap((id) => readable(id) ?? []),
  nudge: (id) => supervisor.nudge(id),
  remove: async (id) => void (await sessions.remove(id, { by: { is: 'owner', session: null }, force: true })),
});
const remove = async (id: string): Promise<void> =>
  void (await sessions.remove(id, { by: byPolicy('retention'), force: false }));
const retention = startRetention({
  journal,
  clock,
  config,
  state,
  remove,
  pending: (at) => !notices.delivered(at),
  log,
});
const runMonitor = startRunMonitor({
  live: () => supervisor.live(),
  nudge: (session) => supervisor.nudge(session),
  over: (session, run, bytes) =>
    void supervisor.take(session, newId(clock.wallMs()) as InputId, { type: 'memory', run, bytes }),
  clock,
  state,
  log,
});
const orphans = startOrphans({ state, find: knownSession, clock, log });
const isModelId = (agent: string, model: string): boolean => agents[agent]?.program?.models.isId(model) ?? false;
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
const keeper = startKeeper({ journal, state, clock, log, giveUp, everyMs: config.backup.everyMs });
const wentAway = (away: Away): void => {
  log('the machine was away', { ...away });
  for (const { id } of supervisor.live()) supervisor.nudge(id);
  // Ours are looked at first: what is ours is nobody else's to take up.
  void Promise.resolve()
    .then(() => booted)
    .then(() => boot.interrupted(away.kind, away.fromMs))
    .then((isOver) => isOver && settleAway(journal, away, log));
};
const sleepDetector = startSleepDetector({ state, clock, boot: bootName(), journal, log, wentAway });
const stopped = Promise.withResolvers<{ why: string; planned?: boolean }>();
const server = await serve(
  socket,
  handlers({
    ...{ config, journal, clock, sessions, notices, worktrees, terminals, agents, boot, isModelId },
    hookProgram: programs.path('hook.sh'),
    rules: gate.rules,
    log,
    polls: new Polls({ journal, clock, sessions, config }),
    lines: new LineIndex(),
    gates: gate.gates,
    nudge: (session) => supervisor.nudge(session),
    orphansEnded: () => orphans.ended(),
    memoryCap: () => caps.told(),
    startedAtMs: clock.wallMs(),
    sleepDetector,
    stop: (why, isPlanned) => stopped.resolve({ why, planned: isPlanned }),
  }),
  { clock, log },
);

log('started', { pid: process.pid, state });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.resolve({ why: signal }));
process.on('SIGHUP', () => {}); // The terminal it was started from may close.
sessions.recover();
wakes.start();
const booted = supervisor.start().then(() => {
  planned = false;
  forgetPlanned(journal, log);
});
if (awayBefore !== null) wentAway(awayBefore);
void service.ready();

const ending = await stopped.promise;
log('stopping', ending);
// At once: a shutdown ends agents together with us, and they must not be taken for crashed and started again.
const halted = supervisor.stop();
// A signal does not say why; a caller does.
const isSignal = ending.planned === undefined;
const reason = isSignal ? shutdownReason(ENVIRONMENT, clock) : ending.planned ? 'somebody said so' : null;
// Told before nobody answers any more: a start that is asked for from then on comes after this end.
await service.stopping();
await server.close();
const parts = [wakes, notices, retention, runMonitor, orphans, mirror, keeper, sleepDetector, boot, service];
await Promise.all(parts.map((part) => part.stop()));
await Promise.all([halted, booted]);
await supervisor.stop(); // Whoever was adopted meanwhile.
exits.close();
hooks.close();
const isPlannedBy = await reason;
if (isPlannedBy !== null) markPlanned(journal, log, isPlannedBy);
journal.close();
lock.release();
process.exit(0);
