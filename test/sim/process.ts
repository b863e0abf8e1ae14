// One process of the fake world, and what a snapshot of it shows.
import { liveVerdict, turnsVerdict } from '../../src/agent/claude/verdict.ts';
import type { Hold, Session } from '../../src/core/session.ts';
import type { ScreenSnapshot, Snapshot, TerminalSnapshot } from '../../src/core/snapshot.ts';
import { tokenOf } from '../../src/core/steps.ts';
import { signalOf } from '../../src/terminal/exit-status.ts';
import type { TurnOutcome } from './turn-outcomes.ts';

/** A running turn. `tokens`: its prompts; null: a prompt that a person typed. */
export interface Turn {
  readonly outcome: TurnOutcome;
  readonly tokens: (string | null)[];
  readonly turnId: string;
  /** There was output. Escape before the first output puts the text back into the box. */
  hasReported: boolean;
  /** Its tool call was allowed. */
  allowed: boolean;
  /** The prompt that the same process receives after this turn. */
  readonly next?: string;
}

export interface Process {
  claimed: boolean;
  claimedAtMs: number;
  conversation: string;
  alive: boolean;
  status: number | null;
  /** Why its launcher could not start it. */
  failed: string | null;
  lastOutputMs: number;
  children: number;
  cut: boolean;
  /** It shows its screen. */
  drawn: boolean;
  hung: boolean;
  dialog: Hold | null;
  /** What the input box holds: a prompt of the daemon, or a person's draft. */
  box: { readonly token: string; readonly text: string } | 'theirs' | null;
  turn: Turn | null;
  /** It has replied, and does not exit. */
  stays: boolean;
  viewers: number;
  /** Its terminal died before the process. */
  terminalGone: boolean;
  /** Another process has continued its conversation. */
  behind: boolean;
}

/** A process that was claimed and has not done anything yet. */
export function freshProcess(nowMs: number, conversation = 'c1'): Process {
  return {
    claimed: true,
    claimedAtMs: nowMs,
    conversation,
    alive: true,
    status: null,
    failed: null,
    lastOutputMs: nowMs,
    children: 0,
    cut: false,
    drawn: false,
    hung: false,
    dialog: null,
    box: null,
    turn: null,
    stays: false,
    viewers: 0,
    terminalGone: false,
    behind: false,
  };
}

/** The changes to a process that ends. */
export const GONE = { alive: false, box: null, turn: null, dialog: null, viewers: 0 } as const;

export function terminalOf(p: Process | undefined, run: number, nowMs: number): TerminalSnapshot {
  if (!p?.claimed) return { is: 'absent' };
  if (p.alive) {
    const quietMs = p.turn?.outcome === 'hangPinging' ? 0 : nowMs - p.lastOutputMs;
    return { is: 'alive', pid: 100 + run, quietMs, outputBytes: 10, sink: p.cut ? 'cut' : 'ok' };
  }
  if (p.status === null) return { is: 'lost', outputBytes: 10 };
  const { status, failed, terminalGone } = p;
  const signal = signalOf(status);
  const dead = { is: 'dead', exit: { status }, outputBytes: 10, drained: true, exitAgeMs: 0 } as const;
  return { ...dead, ...(signal !== null && { signal }), failed, terminalGone };
}

/** The time since the last progress, and since the last change of any kind. */
export function signsOf(p: Process | undefined, nowMs: number): Pick<Snapshot['signs'], 'progressMs' | 'movedMs'> {
  const progressMs = p?.alive ? nowMs - p.lastOutputMs : 0;
  return p?.turn?.outcome === 'hangPinging' ? { progressMs, movedMs: 0 } : { progressMs };
}

/** The verdict of the adapter, as src/supervisor/verdict.ts requests it. */
export function verdictOf(terminal: TerminalSnapshot, s: Session): Pick<Snapshot, 'verdict'> {
  if (terminal.is !== 'dead' || s.run?.how === 'visit') return {};
  const { exit, terminalGone = false } = terminal;
  const lastWord = s.run?.lastWord ?? null;
  const end = { status: exit.status, terminalGone, personSeen: s.attendance.control !== null, lastWord };
  return { verdict: s.spec.drive === 'live' ? liveVerdict(end) : turnsVerdict(end) };
}

/** The screen, with whose text is in the box, as src/supervisor/look.ts finds out. */
export function screenOf(p: Process | undefined, s: Session): ScreenSnapshot {
  if (!p?.alive || !p.drawn || p.hung) return { is: 'unknown' };
  if (p.dialog !== null) return { is: 'dialog', why: p.dialog };
  if (p.turn !== null) return { is: 'busy', draft: p.box !== null };
  if (p.box === null) return { is: 'ready' };
  if (p.box === 'theirs') return { is: 'draft' };
  const { token, text } = p.box;
  const sent = s.prompts.find(({ state }) => state === 'sending' || state === 'unsure');
  if (sent !== undefined && tokenOf(sent) === token) return { is: 'holding' };
  return { is: s.turn.stale === text ? 'stale' : 'draft' };
}
