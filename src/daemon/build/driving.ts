import type { Session } from '../../core/session.ts';
import { sessionsBeside } from '../../supervisor/beside.ts';
import { watchExits } from '../../supervisor/exits.ts';
import { LiveTexts } from '../../supervisor/live-texts.ts';
import { Supervisor } from '../../supervisor/supervisor.ts';
import { watchNotes } from '../../supervisor/watch.ts';
import { realWorld } from '../../supervisor/world.ts';
import { hookSignals } from '../../terminal/run-folder.ts';
import { Changes } from '../changes/changes.ts';
import { bootName } from '../machine/first.ts';
import { afterSnapshot } from '../owners/after.ts';
import { overdrawn } from '../owners/tree-budget.ts';
import { Sessions } from '../start/sessions.ts';
import { LimitSwitches } from '../switch/on-limit.ts';
import { Worktrees } from '../worktrees/worktrees.ts';
import type { Ground } from './ground.ts';
import type { Stops } from './stops.ts';

/** The parts that drive sessions. */
export interface Driving {
  readonly supervisor: Supervisor;
  readonly sessions: Sessions;
  readonly worktrees: Worktrees;
  /** What agents are writing now. */
  readonly liveTexts: LiveTexts;
  /** What the files of sessions were. */
  readonly changes: Changes;
}

/** What driving needs from parts that are built later. */
export interface Later {
  /** True when a session still expects updates from sessions that it owns. */
  readonly expects: (session: Session) => boolean;
}

/** Creates the supervisor and its world, and watches the files that hooks and launchers write. Starts nothing. */
export function buildDriving(ground: Ground, later: Later, stops: Stops): Driving {
  const { state, config, journal, clock, terminals, agents, log } = ground;
  const [liveTexts, changes] = [new LiveTexts(), new Changes(state, clock, log)];
  const world = worldOf(ground, { ...later, liveTexts, changes }, () => supervisor);
  // A call that waits at a gate is answered at once; the session's loop runs a little later.
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
  stops.add(
    () => hooks.close(),
    () => exits.close(),
    () => changes.settled(),
  );
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
      liveTexts.forget(session.id);
      sessions.release(session);
      void changes.ended(session);
    },
    moved: (session) => {
      sessions.releaseDead(session);
      limitSwitches.moved(session);
    },
  });
  const limitSwitches = limitSwitchesOf(ground, supervisor);
  stops.add(() => limitSwitches.stop());
  journal.onAppend(() => supervisor.wakeFollowers());
  return { supervisor, sessions, worktrees, liveTexts, changes };
}

function limitSwitchesOf({ config, agents, clock, log, gate }: Ground, supervisor: Supervisor): LimitSwitches {
  return new LimitSwitches({
    ...{ config, agents, clock, log, gates: gate.gates },
    current: (id) => supervisor.get(id),
    live: () => supervisor.live(),
    submit: (id, cause, input) => void supervisor.submit(id, cause, input),
  });
}

/** From how many ended sessions a new daemon learns about limits. */
const ENDED_MAX = 500;

function worldOf(
  ground: Ground,
  { expects, liveTexts, changes }: Later & Pick<Driving, 'liveTexts' | 'changes'>,
  supervisor: () => Supervisor,
) {
  const { state, config, journal, clock, planned, terminals, agents, programs, gate, caps, log } = ground;
  return realWorld({
    state,
    clock,
    boot: bootName(),
    planned: () => planned.is,
    terminals,
    agents,
    slot: (session) => supervisor().hasRoom(config.runsMax, config.spawn.concurrentMax, session),
    expects,
    overdrawn: (session) => overdrawn(journal, session),
    hookProgram: programs.path('hook.sh'),
    submit: (session, id, input) => supervisor().submit(session.id, id, input),
    submitAll: (session, inputs) => supervisor().submitAll(session.id, inputs),
    nudge: (session) => supervisor().nudge(session),
    now: (session) => supervisor().now(session),
    live: () => supervisor().live(),
    ended: () => journal.list({ state: 'ended', limit: ENDED_MAX }).map(({ session }) => session),
    resumes: (sinceSteadyMs) => journal.resumes(sinceSteadyMs),
    beside: (session) => sessionsBeside(journal, session),
    after: (session) => afterSnapshot(journal, session),
    answered: () => supervisor().wakeParked(),
    beforeTurn: (session, prompt) => changes.before(session, prompt),
    wrote: (session, piece) => liveTexts.add(session, piece),
    ...gate.world,
    caps,
    log,
  });
}
