import { join } from 'node:path';
import { allAgents } from '../../agent/all.ts';
import { configuredAgents } from '../../agent/configured.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import { type Clock, realClock } from '../../base/clock.ts';
import { fileLog, type Log } from '../../base/log.ts';
import type { TerminalKind } from '../../core/session.ts';
import { type MemoryCaps, memoryCaps } from '../../terminal/memory-cap.ts';
import { bootId } from '../../terminal/processes.ts';
import type { Programs } from '../../terminal/programs.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { configFile, type Env, type Settings } from '../config/config.ts';
import { LiveConfig } from '../config/live.ts';
import type { Config } from '../config/schema.ts';
import { Controls, withControls } from '../control/controls.ts';
import { gateParts } from '../gate/parts.ts';
import { openJournal } from '../journal/open.ts';
import { type Away, awayAtStart } from '../machine/away.ts';
import { bootName } from '../machine/first.ts';
import { type ServiceNotices, serviceNotices } from '../machine/notify.ts';
import { isPlanned } from '../machine/planned.ts';
import { prepareState } from '../machine/state.ts';
import { steadyClock } from '../machine/steady.ts';
import { allTerminals, ownProgram } from '../machine/terminals.ts';
import { lockOf } from '../machine/wait-lock.ts';
import type { Stops } from './stops.ts';

/** The inputs for building a daemon. */
export interface BuildOptions {
  readonly settings: Settings;
  readonly env: Env;
  /** Wait for another daemon to end instead of failing. */
  readonly waits: boolean;
  /** Called when the journal can no longer be used. */
  readonly giveUp: (error: unknown) => never;
  /** Agents in addition to the built-in ones; one with the same name replaces it. */
  readonly agents?: Readonly<Record<string, Agent>>;
  /** Replaces the time of day, in tests. */
  readonly wallMs?: () => number;
  /** Called when callers are served, before any session is checked. */
  readonly serving?: () => void;
}

/** What all other parts need: the state folder and its lock, the journal, clocks, terminals and agents. */
export interface Ground {
  /** The values in use; a reload changes them. */
  readonly config: Config;
  readonly liveConfig: LiveConfig;
  readonly state: string;
  readonly socket: string;
  readonly log: Log;
  readonly service: ServiceNotices;
  readonly journal: ReturnType<typeof openJournal>;
  /** Whether the last daemon was stopped for a planned restart, until every session was checked once. */
  readonly planned: { is: boolean };
  /** The restart of the machine before this start; null: there was none. */
  readonly awayBefore: Away | null;
  readonly clock: Clock;
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  /** Who types over a connection. */
  readonly controls: Controls;
  readonly programs: Programs;
  readonly caps: MemoryCaps;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly gate: ReturnType<typeof gateParts>;
}

/** Takes the lock of the state folder, opens the journal, and creates what depends on them. */
export async function buildGround(options: BuildOptions, stops: Stops): Promise<Ground> {
  const { settings, env, waits, giveUp } = options;
  const liveConfig = new LiveConfig(settings, env, realClock());
  const { config } = liveConfig;
  const { state } = config;
  prepareState(state);
  const log = fileLog(join(state, 'daemon.log'), realClock());
  const socket = join(state, 'daemon.sock');
  const service = serviceNotices({ env, clock: realClock(), log, socket });
  const lock = await lockOf({ path: join(state, 'lock.db'), waits, clock: realClock(), log, service });
  stops.add(() => lock.release());
  const journal = openJournal({ state, clock: realClock(), log, giveUp });
  stops.add(() => journal.close());
  const planned = { is: isPlanned(journal) };
  // Before the clock: it saves the boot that this one is compared with.
  const awayBefore = awayAtStart(journal, {
    ...{ state, boot: bootName(), wallMs: realClock().wallMs(), planned: planned.is },
  });
  const clock = { ...steadyClock(journal, bootId()), ...(options.wallMs && { wallMs: options.wallMs }) };
  const { terminals: bare, programs } = allTerminals({ state, clock, env });
  const controls = new Controls();
  const terminals = withControls(bare, controls);
  const caps = memoryCaps({ state, clock, isWanted: config.memoryCap === 'auto' });
  const named = configuredAgents(config.agents, configFile(env));
  // A built-in agent cannot be replaced: its sessions would get another program.
  const agents = { ...named, ...allAgents(process.execPath, ownProgram), ...options.agents };
  const permissionServer = [process.execPath, ownProgram('permission-server')] as const;
  const gate = gateParts({
    config,
    clock,
    journal,
    agents,
    log,
    permissionServer: permissionServer,
    askProgram: programs.path('ask.sh'),
  });
  const opened = { config, liveConfig, state, socket, log, service, journal, planned, awayBefore };
  return { ...opened, clock, terminals, controls, programs, caps, agents, gate };
}
