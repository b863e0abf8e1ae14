import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Surroundings } from '../agent/agent.ts';
import type { Clock } from '../base/clock.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { makeFolder, writeDurably } from '../base/files.ts';
import type { Effect, Sight } from '../core/event.ts';
import { runOf } from '../core/fold.ts';
import type { Session, SessionId, TerminalKind } from '../core/session.ts';
import { endRun, hangUp, leftOf } from '../terminal/end.ts';
import { sharedTable } from '../terminal/process-table.ts';
import { runFolder } from '../terminal/run-folder.ts';
import type { RunRef, Terminal } from '../terminal/terminal.ts';
import type { World } from './loop.ts';

export interface WorldParts {
  readonly state: string;
  readonly clock: Clock;
  readonly boot: string;
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  readonly agents: Readonly<Record<string, Agent>>;
  /** May one more run be opened? */
  readonly slot: () => boolean;
}

/** The real world: terminals, processes and files, as a session's loop sees and changes them. */
export function realWorld(parts: WorldParts): World {
  return {
    clock: parts.clock,
    look: (session) => look(parts, session),
    slot: parts.slot,
    act: (session, effect, signal) => act(parts, session, effect, signal),
  };
}

/** Keeps what the caller's process had around it, before the session is accepted. */
export function keepSurroundings(state: string, session: SessionId, surroundings: Surroundings): void {
  const { folder } = runFolder(state, { session, run: 1 });
  makeFolder(folder);
  writeDurably(surroundingsFile(state, session), JSON.stringify(surroundings));
}

/** The run a session is at. */
export function refOf(session: Session): RunRef {
  return { session: session.id, run: runOf(session) };
}

async function look(parts: WorldParts, session: Session): Promise<Omit<Sight, 'tried'>> {
  const ref = refOf(session);
  const { at } = session.phase;
  const terminal = ref.run === 0 ? ({ is: 'absent' } as const) : await parts.terminals[session.spec.terminal].look(ref);
  // Counting reads the whole process table, so it is done only when the answer decides something.
  const counts = (at === 'closing' || at === 'recovering') && ref.run > 0 && terminal.is !== 'alive';
  return {
    terminal,
    left: counts ? leftOf(parts.state, ref, sharedTable()).length : 0,
    screen: 'unknown',
    transcript: { heard: [], turn: 'closed', reply: '' },
    boot: parts.boot,
    slot: parts.slot(),
  };
}

async function act(parts: WorldParts, session: Session, effect: Effect, signal: AbortSignal): Promise<void> {
  const terminal = parts.terminals[session.spec.terminal];
  const ref: RunRef = { session: session.id, run: effect.run };
  switch (effect.kind) {
    case 'open':
      return terminal.open(ref, launchOf(parts, session), session.spec.size);
    case 'mend':
      return terminal.mend(ref);
    case 'hangup':
      return hangUp(parts.state, ref);
    case 'close': {
      const graceMs = session.phase.at === 'closing' ? session.phase.graceMs : session.spec.policy.graceMs;
      await endRun(parts.state, ref, { graceMs, clock: parts.clock, signal });
      if (signal.aborted) return;
      return terminal.release(ref);
    }
    case 'type':
    case 'enter':
      throw new OutlastError('not_supported', `${session.spec.agent} takes no prompts`);
  }
}

function launchOf(parts: WorldParts, session: Session): ReturnType<Agent['launch']> {
  const agent = parts.agents[session.spec.agent];
  if (agent === undefined) throw new OutlastError('not_supported', `there is no agent "${session.spec.agent}"`);
  const path = surroundingsFile(parts.state, session.id);
  try {
    return agent.launch(session.spec, JSON.parse(readFileSync(path, 'utf8')) as Surroundings);
  } catch (cause) {
    throw new OutlastError('terminal_failed', `cannot read ${path}: ${errnoOf(cause) || cause}`, { cause });
  }
}

function surroundingsFile(state: string, session: SessionId): string {
  return join(runFolder(state, { session, run: 1 }).folder, 'surroundings');
}
