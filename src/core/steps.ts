import { isBound } from './actor.ts';
import { isSameBoot } from './boot.ts';
import type { Effect, EventBody, Step } from './event.ts';
import { type Fault, type How, type Prompt, runOf, type Session } from './session.ts';
import type { Snapshot, TerminalSnapshot } from './snapshot.ts';
import { isLongLived } from './spec.ts';
import { unreported } from './unreported.ts';

// Building blocks for steps.

/** Output may arrive this long after the exit; then the run is over anyway, and marked incomplete. */
const DRAIN_MS_MAX = 1_000;
/** How soon to look again while the last output is in transit. */
export const DRAIN_LOOK_MS = 20;
/** How soon to look again at something that a person does. */
export const PERSON_LOOK_MS = 300;

export const append = (...events: EventBody[]): Step => ({ do: 'append', events });
export const act = (effect: Effect): Step => ({ do: 'act', effect });
export const wait = (untilMs: number | null): Step => ({ do: 'wait', untilMs });

/** The exit is known, the last output is still in transit. */
export function draining(snapshot: Snapshot): boolean {
  const { terminal } = snapshot;
  return terminal.is === 'dead' && !terminal.drained && terminal.exitAgeMs < DRAIN_MS_MAX;
}

/** The agent shows its input box and is idle. */
export function isAtRest({ screen }: Snapshot): boolean {
  return ['ready', 'draft', 'stale', 'holding'].includes(screen.is);
}

/** The event for the end of the current run. */
export function ended(s: Session, snapshot: Snapshot): EventBody {
  const { terminal } = snapshot;
  const exit = terminal.is === 'dead' ? terminal.exit : null;
  const outputBytes = terminal.is === 'absent' ? 0 : terminal.outputBytes;
  const complete = terminal.is === 'dead' && terminal.drained && s.run?.incomplete === false;
  return { type: 'run.ended', run: runOf(s), exit, outputBytes, complete };
}

/** For agents: a run that is gone is a fault, unless a person left it. For a live run: null. */
export function gone(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const never = unstarted(s, snapshot, nowMs);
  if (never) return never;
  if (snapshot.terminal.is === 'dead') {
    const { signal, terminalGone = false } = snapshot.terminal;
    const isLive = isLongLived(s.spec);
    // Until its output is complete, or known to be lost, it cannot be told whether its terminal is gone.
    if (isLive && draining(snapshot)) return wait(nowMs + DRAIN_LOOK_MS);
    if (isLive && snapshot.verdict === 'left') return append({ type: 'session.closing', outcome: LEFT });
    const isCut = (isLive && terminalGone) || isHungUp(s, signal, nowMs);
    return faulted(s, isCut ? { kind: 'cut' } : exited(s, snapshot, snapshot.terminal), nowMs);
  }
  if (snapshot.terminal.is !== 'alive') return faulted(s, lost(s, snapshot), nowMs);
  return null;
}

const LEFT = { kind: 'stopped', by: { is: 'person', name: null, at: 'terminal' } } as const;

/**
 * It got SIGHUP from its terminal: a tmux server died, or a person closed it, and nothing tells the two apart. It is
 * resumed, because lost work is worse than work that has to be stopped. One that dies like this right away does it by
 * itself.
 */
function isHungUp(s: Session, signal: string | undefined, nowMs: number): boolean {
  const openedAtMs = s.run?.openedAtMs ?? nowMs;
  return s.spec.drive === 'live' && signal === 'HUP' && nowMs - openedAtMs > SETTLED_MS;
}

const SETTLED_MS = 30_000;

/** The agent cannot be started at all, now or later. */
export function unstarted(s: Session, { terminal }: Snapshot, nowMs: number): Step | null {
  if (s.spec.drive === 'command' || terminal.is !== 'dead' || terminal.failed === null) return null;
  const fault: Fault = { kind: 'unstarted', why: terminal.failed };
  // Its folder may come back. Until then the session is held before the next try.
  if (terminal.failed === 'cwd') return s.phase.at === 'recovering' ? null : faulted(s, fault, nowMs);
  return append({ type: 'session.closing', outcome: { kind: 'abandoned', fault } });
}

/** Gone without a status: with the machine, or by itself. */
export function lost(s: Session, snapshot: Snapshot): Fault {
  const reboot = isOfEarlierBoot(s, snapshot);
  return snapshot.planned ? { kind: 'lost', reboot, planned: true } : { kind: 'lost', reboot };
}

/** Its run was started before this boot of the machine or container. */
function isOfEarlierBoot({ run }: Session, { boot }: Snapshot): boolean {
  return run !== null && !isSameBoot(run.boot, boot);
}

/**
 * It exited by itself, or was killed for its memory use or with the machine: a shutdown ends every process from outside
 * and does not count as a fault.
 */
export function exited(
  s: Session,
  snapshot: Snapshot,
  { exit, signal = '', oom }: Extract<TerminalSnapshot, { is: 'dead' }>,
): Fault {
  if (oom === true) return { kind: 'memory', bytes: s.spec.policy.memoryBytesMax ?? 0 };
  const isAway = snapshot.planned || isOfEarlierBoot(s, snapshot);
  const isFromOutside = FROM_OUTSIDE.has(signal) || snapshot.verdict === 'unknown';
  return isAway && isFromOutside ? lost(s, snapshot) : { kind: 'exited', exit };
}

/** The signals with which a machine that shuts down ends processes. An agent may exit with 0 on them. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['HUP', 'KILL', 'TERM']);

/** Records a fault; a command is then closed, an agent resumed after a pause. */
export function faulted(s: Session, fault: Fault, nowMs: number): Step {
  const retryAtMs = nowMs + backoffMs(s, s.recovery.faults);
  return append(...unwanted(s), { type: 'run.faulted', run: runOf(s), fault, retryAtMs });
}

/** Growing intervals, different for each session. */
export function backoffMs(s: Session, times: number): number {
  const { backoffMsMin, backoffMsMax } = s.spec.policy;
  const plainMs = Math.min(backoffMsMin * 2 ** times, backoffMsMax);
  return Math.round(plainMs * (0.8 + (0.4 * spreadMs(s, 1_000)) / 1_000));
}

/** A number below `max`, specific to this session at this point of its life: deterministic jitter. */
export function spreadMs(s: Session, max: number): number {
  let hash = 2_166_136_261;
  for (const letter of `${s.id} ${s.seq}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return Math.floor((hash / 4_294_967_296) * max);
}

/** A turn that was being interrupted ended with its run and is not continued in the next one. */
export function unwanted(s: Session): EventBody[] {
  const { interrupting } = s.turn;
  if (interrupting === null || isBound(interrupting.by, 'hang')) return [];
  const isHeard = ({ state }: Prompt): boolean =>
    state === 'accepted' || (s.spec.drive === 'turns' && state !== 'queued');
  const ours = s.prompts.filter((p) => p.run === runOf(s) && isHeard(p));
  return ours.map(({ id }) => ({ type: 'prompt.interrupted', prompt: id, by: interrupting.by }));
}

/** The intent to open the next run. */
export function starting(s: Session, snapshot: Snapshot): Extract<EventBody, { type: 'run.starting' }> {
  const { lastMark } = snapshot.transcript;
  const upTo = lastMark === undefined ? {} : { upTo: lastMark };
  const known = { ...upTo, ...unreported(s, snapshot) };
  return { type: 'run.starting', run: runOf(s) + 1, how: how(s, snapshot), boot: snapshot.boot, ...known };
}

/**
 * Starts the next run, with its prompt if that travels with the launch. A run that resumes a deferred call has none.
 */
export function beginning(s: Session, snapshot: Snapshot): EventBody[] {
  if (s.gate.deferred?.is === 'waiting') return [{ ...starting(s, snapshot), silent: true }];
  return [...resending(s, snapshot), starting(s, snapshot)];
}

/** In turns the prompt travels with the launch, so it is sent again when a run is started again. */
function resending(s: Session, snapshot: Snapshot): EventBody[] {
  const prompt = s.prompts[0];
  if (s.spec.drive !== 'turns' || prompt === undefined) return [];
  const isReceived = snapshot.transcript.received.includes(tokenOf(prompt));
  const unwritten = !isReceived && isBegun(prompt) ? ({ unwritten: true } as const) : {};
  const turn = isReceived || unwritten.unwritten ? prompt.turn + 1 : Math.max(prompt.turn, 1);
  const fromStart = isFromStart(s, prompt, snapshot) ? ({ fromStart: true } as const) : {};
  return [{ type: 'prompt.sending', prompt: prompt.id, turn, run: runOf(s) + 1, ...fromStart, ...unwritten }];
}

/**
 * The agent has called tools for it, so it must not begin again as if nothing had happened. Its record may lag by a
 * moment, and a kill in that moment loses the prompt there.
 */
export function isBegun({ state, unknown, done = [], earlier = [] }: Prompt): boolean {
  return state === 'accepted' && [unknown, done, earlier].some(({ length }) => length > 0);
}

/**
 * Its turn failed, and the agent stored nothing that can be resumed: so it has done nothing either. A new conversation
 * does not know the prompt.
 */
function isFromStart(s: Session, { turn, troubles, unknown }: Prompt, { transcript }: Snapshot): boolean {
  if (turn === 0 || troubles === 0 || unknown.length > 0) return false;
  return !transcript.exists && s.conversation.written === 'no';
}

/** A conversation that is on disk is resumed; otherwise a new one is launched, or another one copied. */
function how(s: Session, snapshot: Snapshot): How {
  const { origin } = s.recovery.remediation;
  // The original is on disk; the copy is not, until the agent names it.
  const isToCopy = origin !== null && s.conversation.id === origin;
  if (snapshot.transcript.exists && !isToCopy) return 'resume';
  return (origin ?? s.spec.conversation?.forkOf ?? null) === null ? 'launch' : 'fork';
}

/** Its turn hung and was interrupted: it continues at once. */
export function hung(prompt: Prompt): EventBody {
  return { type: 'prompt.delayed', prompt: prompt.id, retryAtMs: 0, why: 'its turn hung, and was interrupted' };
}

/** Identifies one try to send a prompt. */
export function tokenOf(prompt: Prompt): string {
  return `${prompt.id}#${prompt.turn}`;
}

/** The prompt that is being sent to the current run. */
export function sendingOf(s: Session): Prompt | undefined {
  return s.prompts.find((p) => p.state === 'sending' && p.run === runOf(s));
}

/** The intent whose effect must not be repeated; null: the next effect may be. */
export function intentOf(s: Session): string | null {
  if (s.turn.interrupting !== null) return `interrupt ${runOf(s)} ${s.turn.interrupting.sinceMs}`;
  const prompt = sendingOf(s);
  if (prompt === undefined) return s.run?.cut ? `hangup ${s.run.number}` : null;
  const press = prompt.entered ? `enter ${prompt.enters ?? 1}` : 'type';
  return `${press} ${tokenOf(prompt)} ${prompt.run}`;
}
