import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/seam/agent.ts';
import type { Session, SessionId } from '../core/session.ts';
import type { ScreenSnapshot, Signs, TerminalSnapshot } from '../core/snapshot.ts';
import { runProcesses } from '../terminal/end.ts';
import { sharedTable } from '../terminal/process-table.ts';
import { runName } from '../terminal/run-folder.ts';
import { refOf } from './runs.ts';
import { Unchanged } from './unchanged.ts';
import type { WorldView } from './world-state.ts';

/** Below this, a hang is out of the question and nothing is measured. */
const SUSPICIOUS_MS = 60_000;
/** The interval between two measurements of processor time. */
const APART_MS = 5_000;
/** The share of the interval that counts as work. */
const WORK_SHARE = 0.01;

interface Measured {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly isComputing: boolean;
}

/** What else is observed of a run. */
interface Shown {
  readonly terminal: TerminalSnapshot;
  readonly screen: ScreenSnapshot;
}

/** Collects the signs that distinguish a long turn from one that hangs. */
export class SignReader {
  readonly #measured = new Map<string, Measured>();
  readonly #unchanged = new Unchanged();

  /** A changing screen is no sign of progress: a spinner turns for ever. A growing token count is. */
  async read(world: WorldView, session: Session, agent: Agent, { terminal, screen }: Shown): Promise<Signs> {
    const { clock, transcriptReader, streams } = world;
    const nowMs = clock.steadyMs();
    const name = runName(refOf(session));
    const since = (what: string, stamp: number, firstMs: number): number =>
      this.#unchanged.ageMs(`${name} ${what}`, stamp, nowMs, firstMs);
    const hookMs = since('hook', session.turn.progressAtMs, nowMs - session.turn.progressAtMs);
    const writtenAtMs = transcriptReader.transcriptAtMs(session, agent);
    const transcriptMs = writtenAtMs === null ? null : since('transcript', writtenAtMs, clock.wallMs() - writtenAtMs);
    // A stream of JSON is printed when something happened; a screen is painted all the time.
    const isStream = session.spec.drive === 'turns' && terminal.is === 'alive';
    const printed = isStream ? streams.progress(session.id) : null;
    const streamMs = printed === null ? null : since('stream', printed, 0);
    const tokens = screen.is === 'busy' ? (screen.tokens ?? null) : null;
    const tokensMs = tokens === null ? null : since('tokens', tokens, 0);
    const movedMs = terminal.is === 'alive' ? movedOf(session, terminal, since) : Number.POSITIVE_INFINITY;
    const sinceMs = 'sinceMs' in session.phase ? nowMs - session.phase.sinceMs : 0;
    const ages = [
      hookMs,
      sinceMs,
      ...(transcriptMs === null ? [] : [transcriptMs]),
      ...(streamMs === null ? [] : [streamMs]),
      ...(tokensMs === null ? [] : [tokensMs]),
    ];
    const progressMs = Math.round(Math.min(...ages));
    // An earlier verdict needs its evidence earlier too.
    const { thinkMsMax = SUSPICIOUS_MS * 2 } = session.spec.policy;
    if (progressMs < Math.min(SUSPICIOUS_MS, thinkMsMax / 2))
      return { progressMs, movedMs, isComputing: false, words: [] };
    const isComputing = this.#isBusy(world, session, terminal);
    const age = (what: string, ms: number | null): string[] =>
      ms === null ? [] : [`${what} ${Math.round(ms / 1000)} s ago`];
    const isLate = isStream && agent.turns?.reportsCallsLate === true;
    const recordedCalls = isLate ? await transcriptReader.openCalls(session, agent) : [];
    const tools = [...session.turn.calls.map(({ tool }) => tool), ...recordedCalls];
    const words = [
      ...age('last hook', hookMs),
      ...age('transcript written', transcriptMs),
      ...age('stream written', streamMs),
      ...age('tokens counted', tokensMs),
      tools.length === 0 ? 'no tool at work' : `at work: ${tools.join(', ')}`,
      isComputing ? 'its children use the processor' : 'its children do not use the processor',
    ];
    return { progressMs, movedMs, isComputing, recordedCalls, words };
  }

  /** Forgets a session that is over. */
  forget(session: SessionId): void {
    this.#unchanged.forget(`${session}.`);
    for (const key of this.#measured.keys()) if (key.startsWith(`${session}.`)) this.#measured.delete(key);
  }

  /** Do the agent's child processes use the processor? The agent itself always does, a little. */
  #isBusy({ state, clock }: WorldView, session: Session, terminal: TerminalSnapshot): boolean {
    const ref = refOf(session);
    const key = runName(ref);
    const nowMs = clock.steadyMs();
    const before = this.#measured.get(key);
    if (before !== undefined && nowMs - before.atMs < APART_MS) return before.isComputing;
    const own = terminal.is === 'alive' ? terminal.pid : 0;
    const children = runProcesses(state, ref, sharedTable()).filter(({ pid }) => pid !== own);
    const cpuMs = children.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
    // One measurement says nothing; until the second, it counts as busy.
    const spentMs = before === undefined ? null : cpuMs - before.cpuMs;
    const isComputing =
      children.length > 0 && (spentMs === null || spentMs > (nowMs - (before?.atMs ?? nowMs)) * WORK_SHARE);
    this.#measured.set(key, { atMs: nowMs, cpuMs, isComputing });
    return isComputing;
  }
}

type Since = (what: string, stamp: number, firstMs: number) => number;

/** Messages do not pass through the output of the run. */
function movedOf({ spec }: Session, { quietMs, outputBytes }: Alive, since: Since): number {
  return spec.drive === 'server' ? quietMs : since('moved', outputBytes, 0);
}

type Alive = Extract<TerminalSnapshot, { is: 'alive' }>;

const TICK_MS = 10;

function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0; // Gone by now, or no /proc: no activity that we can see.
  }
}
