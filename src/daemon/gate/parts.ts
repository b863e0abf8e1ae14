import { actionsBy, type SessionActions } from '../../agent/seam/actions.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Session } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { readCallerProcess } from '../../supervisor/caller-process.ts';
import type { WorldDeps } from '../../supervisor/world-state.ts';
import type { Config } from '../config/schema.ts';
import { AllowedCalls } from './allowed.ts';
import { saidWith } from './answers.ts';
import { Gates } from './gates.ts';
import { GateRules } from './rules.ts';

interface Needed {
  readonly config: Config;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly log: Log;
  /** The program that asks for agents without a hook. */
  readonly permissionServer: WorldDeps['permissionServer'];
  /** The program that asks about a tool call. */
  readonly askProgram: string;
}

/** The parts that decide about tool calls: for the handlers, and for the world of the supervisor. */
export function gateParts({ config, clock, journal, agents, log, permissionServer, askProgram }: Needed) {
  const { state } = config;
  const env = (session: Session) => readCallerProcess(state, session.id).env;
  const actions: SessionActions = ({ spec }, tool, input) => actionsBy(agents, spec.agent)(tool, input);
  const rules = new GateRules({
    state,
    config: () => config.rules,
    home: (session) => env(session).HOME || '/',
    actions,
  });
  const allowedCalls = new AllowedCalls(journal);
  const gates = new Gates({ state, clock, agents, env, permissionServer, log });
  const world: Pick<WorldDeps, 'judge' | 'said' | 'allowed' | 'gateWay' | 'permissionServer' | 'askProgram'> = {
    judge: (session, call) => rules.judge(session, call),
    said: (session, seq) => saidWith(journal, session, seq),
    allowed: (session, call) => allowedCalls.has(session, call),
    gateWay: (session) => gates.demandFor(session),
    permissionServer,
    askProgram,
  };
  return { rules, gates, world, actions };
}
