import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { runOf } from '../core/fold.ts';
import type { Session, SessionId } from '../core/session.ts';
import { runIdentities } from '../terminal/look.ts';
import { keepWithin } from '../terminal/output-cap.ts';
import { type Identity, isAlive } from '../terminal/processes.ts';
import { runFolder } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';

export interface PulseParts {
  readonly live: () => readonly Session[];
  readonly nudge: (session: SessionId) => void;
  readonly clock: Clock;
  readonly state: string;
  readonly log: Log;
}

interface World extends PulseParts {
  /** Who keeps each run going. Read once: reading four files for each run each second would be most of our work. */
  readonly known: Map<string, readonly Identity[]>;
  /** What was said already. */
  readonly told: Set<string>;
}

const BEAT_MS = 1_000;

/**
 * Feels the pulse of every live run once a second. A launcher or holder that was killed cannot tell anybody; output
 * that outgrows its cap is freed from its beginning; an output sink that was replaced has left a mark.
 */
export function startPulse(parts: PulseParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const beating = beat({ ...parts, known: new Map(), told: new Set() }, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return beating;
    },
  };
}

async function beat(world: World, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const live = world.live();
    for (const session of live) {
      const ref = { session: session.id, run: runOf(session) };
      if (session.run?.pid && needsLook(world, ref)) world.nudge(session.id);
      await keepCap(world, session, ref);
    }
    forget(world, live);
    await world.clock.sleep(BEAT_MS, stopping);
  }
}

function needsLook({ state, known }: World, ref: RunRef): boolean {
  const key = `${ref.session}.${ref.run}`;
  const keepers = known.get(key) ?? identities(state, ref);
  known.set(key, keepers);
  return !keepers.every((identity) => isAlive(identity)) || isThere(runFolder(state, ref).torn);
}

function identities(state: string, ref: RunRef): Identity[] {
  const { launcher, holder } = runIdentities(state, ref);
  return [launcher, holder].filter((identity) => identity !== null);
}

async function keepCap(world: World, session: Session, ref: RunRef): Promise<void> {
  const files = runFolder(world.state, ref);
  const { outputBytesMax } = session.spec.policy;
  // The size alone says in microseconds that there is nothing to do.
  if ((statSync(files.output, { throwIfNoEntry: false })?.size ?? 0) <= outputBytesMax) return;
  const { problem } = await keepWithin(files, outputBytesMax);
  if (problem === null || world.told.has(problem)) return;
  world.told.add(problem);
  world.log('output cannot be freed', { session: session.id, why: problem });
}

function forget({ known }: World, live: readonly Session[]): void {
  const runs = new Set(live.map((session) => `${session.id}.${runOf(session)}`));
  for (const key of known.keys()) if (!runs.has(key)) known.delete(key);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
