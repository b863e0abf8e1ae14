// Invariants of faults, bounds and waits. They are counted here independently of the fold.
import type { Actor, HostReason } from '../../src/core/actor.ts';
import type { Event, EventBody } from '../../src/core/event.ts';
import { apply } from '../../src/core/fold.ts';
import type { Fault, Outcome, Session } from '../../src/core/session.ts';
import type { History } from './history.ts';
import { COMPACT } from './remedies.ts';
import type { Script } from './scripts.ts';
import { HANDOVER } from './stories-switch.ts';

const AFTER_MS = 60_000;
const SPREAD_MS = 240_000;
const LOOK_MS = 60_000;
const PROBE_MS = 300_000;
const UNKNOWN_MS = 1_800_000;
const WAKE_MS = 10_000;
const SLACK_MS = 1_000;

/** Violations in how a session was resumed, limited, held or given up. */
export function recoveryViolations(script: Script, history: History, outcome: Outcome | null): string[] {
  const isUndisturbed = history.faultCount === 0;
  const tally = new Tally(script, isUndisturbed);
  let session: Session | null = null;
  for (const event of history.events) {
    if (session !== null) tally.take(session, event);
    session = apply(session, event);
  }
  return [...tally.violations, ...abandonedViolations(script, outcome), ...promptTextViolations(script, history)];
}

type Body<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

class Tally {
  readonly violations: string[] = [];
  readonly #script: Script;
  readonly #isUndisturbed: boolean;
  /** Faults since the last reply, without those of the host. */
  #inRow = 0;
  /** Resumes after such faults, and turns, since a caller last resumed the session. */
  #resumedAtMs: number[] = [];
  #turns = 0;
  #resumedByCallerAtMs = 0;
  /** The session is held until a caller resumes it, whatever its phase. */
  #isHeld = false;
  /** A person got a reply in the current visit. */
  #isSolved = false;
  readonly #troubles = new Map<string, number>();
  readonly #faultedRuns = new Set<number>();

  constructor(script: Script, isUndisturbed: boolean) {
    this.#script = script;
    this.#isUndisturbed = isUndisturbed;
  }

  take(session: Session, { body, steadyMs, atMs }: Event): void {
    switch (body.type) {
      case 'run.faulted':
        return this.#faulted(body, steadyMs);
      case 'run.starting':
        return this.#starting(session, body, steadyMs);
      case 'prompt.sending':
        return this.#sending(session, body, steadyMs);
      case 'prompt.troubled':
        this.#troubles.set(body.prompt, (this.#troubles.get(body.prompt) ?? 0) + 1);
        return;
      case 'turn.ended':
        this.#isSolved ||= session.run?.how === 'visit' && body.trouble === undefined;
        return;
      case 'session.held':
        // A login that works again needs no manual resume.
        this.#isHeld = body.why.needsResume === true && body.why.kind !== 'login';
        return;
      case 'session.limited':
        return this.#limited(session, body, atMs);
      case 'prompt.delayed':
        return this.#delayed(body, steadyMs);
      case 'prompt.answered':
        this.#inRow = 0;
        return;
      case 'usage.counted':
        if (body.prompt !== null) this.#turns += 1;
        return;
      case 'session.released':
      case 'session.unlimited':
        return this.#released(session, body, steadyMs, atMs);
      case 'session.closing':
        return this.#closing(session, body, steadyMs);
      default:
        return;
    }
  }

  #limited({ prompts }: Session, { untilMs }: Body<'session.limited'>, atMs: number): void {
    const trouble = prompts[0]?.trouble?.trouble;
    const isUnknown = trouble?.kind === 'limited' && trouble.untilMs === null;
    this.#expect(!isUnknown || untilMs - atMs >= UNKNOWN_MS, 'a limit without a known end was tried too soon');
  }

  #expect(right: boolean, why: string): void {
    if (!right) this.violations.push(why);
  }

  #faulted({ fault, retryAtMs, run }: Body<'run.faulted'>, nowMs: number): void {
    this.#expect(!this.#faultedRuns.has(run), `run ${run} faulted twice`);
    this.#faultedRuns.add(run);
    if (fault.kind !== 'memory') this.#expectBackoff(retryAtMs - nowMs, this.#inRow, fault.kind);
    if (!isOfHost(fault)) this.#inRow += 1;
  }

  #delayed({ prompt, retryAtMs, why }: Body<'prompt.delayed'>, nowMs: number): void {
    if (why.includes('hung')) return;
    const times = (this.#troubles.get(prompt) ?? 0) - 1;
    this.#expectBackoff(retryAtMs - nowMs, times, why);
    this.#expect(times < this.#script.spec.policy.resumesMax, 'an overload was retried more often than allowed');
  }

  #expectBackoff(ms: number, times: number, why: string): void {
    const { backoffMsMin, backoffMsMax } = this.#script.spec.policy;
    const plainMs = Math.min(backoffMsMin * 2 ** times, backoffMsMax);
    const isRight = ms >= Math.floor(plainMs * 0.8) && ms <= Math.ceil(plainMs * 1.2);
    this.#expect(isRight, `after ${why} number ${times} the backoff is ${ms} ms`);
  }

  #starting(
    { phase, conversation: { id: conversation }, recovery: { remediation } }: Session,
    { how }: Body<'run.starting'>,
    nowMs: number,
  ): void {
    this.#isSolved = false;
    this.#expect(
      how !== 'fork' || conversation === remediation.origin,
      'the conversation was copied although a copy exists',
    );
    const isParked = phase.at === 'held' || phase.at === 'limited';
    this.#expect(!isParked || how === 'visit', `a run was started while ${phase.at}`);
    if (phase.at !== 'recovering') return;
    this.#expect(nowMs >= phase.retryAtMs, 'resumed before its backoff was over');
    if (isOfHost(phase.fault)) return;
    this.#resumedAtMs.push(nowMs);
    const { resumesMax, resumesWindowMax = resumesMax, resumesWindowMs = 0 } = this.#script.spec.policy;
    this.#expect(this.#resumedAtMs.length <= resumesMax, 'resumed more often than allowed');
    const lately = this.#resumedAtMs.filter((atMs) => nowMs - atMs < resumesWindowMs).length;
    this.#expect(lately <= resumesWindowMax, 'resumed more often in the window than allowed');
    const isMany = (this.#script.hostResumes ?? 0) >= 20 && this.#resumedByCallerAtMs === 0;
    this.#expect(!isMany, 'resumed although too many sessions fault on its host');
  }

  #sending(session: Session, { prompt: id, turn, run }: Body<'prompt.sending'>, nowMs: number): void {
    const { phase, prompts, spec } = session;
    this.#expect(phase.at !== 'limited', 'sent while limited');
    this.#expect(!this.#isHeld, 'sent before the session was resumed');
    const prompt = prompts.find((p) => p.id === id);
    if (prompt === undefined) return;
    this.#expect(nowMs >= prompt.notBeforeMs, 'sent before its delay was over');
    const isOver = prompt.state === 'queued' || prompt.run !== run;
    this.#expect(isOver, 'continued while its turn may still be running');
    const turnsMax = spec.policy.budget?.turns ?? null;
    this.#expect(turnsMax === null || turn > 1 || this.#turns < turnsMax, 'sent over its budget');
  }

  #released(
    { phase, prompts }: Session,
    body: Body<'session.released' | 'session.unlimited'>,
    nowMs: number,
    atMs: number,
  ): void {
    const { by } = body;
    this.#isHeld = false;
    if (isHost(by, 'answered')) return this.#woken(nowMs);
    this.#expect(!isHost(by, 'visit') || this.#isSolved, 'released by a visit without a reply');
    if (by !== undefined && by.is !== 'host') {
      this.#resumedAtMs = [];
      this.#turns = 0;
      this.#resumedByCallerAtMs = nowMs;
    } else if (phase.at === 'limited' && by === undefined) {
      const lateMs = atMs - phase.untilMs;
      this.#expect(
        this.#script.account?.answeredMs === undefined,
        'a reply to another session of the account did not release it',
      );
      this.#expect(lateMs >= AFTER_MS, `released ${lateMs} ms after its limit`);
      const isSoon = lateMs <= AFTER_MS + SPREAD_MS + LOOK_MS + SLACK_MS;
      this.#expect(isSoon || !this.#isUndisturbed, `released as late as ${lateMs} ms after its limit`);
    } else if (isHost(by, 'probe') && phase.at === 'held') {
      this.#expect(nowMs - phase.sinceMs >= PROBE_MS, 'probed too soon');
      const isOwn = prompts.some(({ state }) => state === 'troubled');
      this.#expect(isOwn, 'a session without a failed prompt probed the login');
    }
    if (body.type === 'session.released' && phase.at === 'held' && phase.why.needsResume === true) {
      const isFree = by !== undefined || ['login', 'unfound'].includes(phase.why.kind);
      this.#expect(isFree, `released from ${phase.why.kind} without a resume`);
    }
  }

  #woken(nowMs: number): void {
    const answeredMs = this.#script.account?.answeredMs ?? Number.POSITIVE_INFINITY;
    this.#expect(nowMs >= answeredMs, 'released by a reply that no session of the account got');
    this.#expect(!this.#isUndisturbed || nowMs <= answeredMs + WAKE_MS + LOOK_MS, 'released long after the reply');
  }

  #closing({ attendance: { control }, created }: Session, { outcome }: Body<'session.closing'>, nowMs: number): void {
    if (outcome.kind !== 'abandoned' || outcome.fault.kind !== 'deadline') return;
    const { deadlineMsMax } = this.#script.spec.policy;
    const dueMs = Math.max(created.steadyMs, this.#resumedByCallerAtMs) + (deadlineMsMax ?? Number.POSITIVE_INFINITY);
    this.#expect(nowMs >= dueMs, 'given up before its deadline');
    const isTheirs = (this.#script.inputs ?? []).some(({ input }) => input.type === 'hand-off');
    this.#expect(!this.#isUndisturbed || isTheirs || nowMs - dueMs < SLACK_MS, 'given up long after its deadline');
    this.#expect(control?.how !== 'handoff', 'the deadline ended a session that is handed off to a person');
  }
}

function isOfHost(fault: Fault): boolean {
  return fault.kind === 'cut' || (fault.kind === 'lost' && (fault.reboot || fault.planned === true));
}

/** The outcome of an abandoned session names the fault, and the bound that was reached. */
function abandonedViolations({ spec, abandonedWith }: Script, outcome: Outcome | null): string[] {
  if (outcome?.kind !== 'abandoned' || spec.drive === 'command') return [];
  const { fault, why = '' } = outcome;
  const needsBound = !['deadline', 'unstarted', 'breached'].includes(fault.kind);
  const violations = needsBound && why === '' ? [`abandoned for ${fault.kind} without a bound`] : [];
  const reason = `${fault.kind} ${why}`;
  return abandonedWith === undefined || abandonedWith.test(reason)
    ? violations
    : [...violations, `abandoned with: ${reason}`];
}

/** Continuations that do not say that the turn was interrupted, or do not quote its prompt. */
function promptTextViolations(script: Script, { world, faultCount }: History): string[] {
  const texts: Record<string, string> = { p1: 'Fix the tests', p2: 'And the docs', ...script.texts };
  const isContinued = (token: string): boolean => !token.endsWith('#1');
  const bad = world.sent.filter(({ token, text }) => {
    const isDecision = token.startsWith('decided-');
    const asked = isDecision ? 'waited for approval' : (texts[token.split('#')[0] ?? ''] ?? '?');
    if (token.includes('~')) return text !== COMPACT;
    // An agent that takes over is told what happened instead.
    const isTold = text.includes('interrupted') || text.startsWith(HANDOVER);
    return isContinued(token) && !(isTold && text.includes(asked));
  });
  const violations = bad.map(({ token, text }) => `${token} was sent as ${text}`);
  if (faultCount > 0) return violations;
  const forbiddenEvents = Object.entries(script.promptPatterns ?? {}).filter(
    ([token, pattern]) => !world.sent.some((sent) => sent.token === token && pattern.test(sent.text)),
  );
  return [...violations, ...forbiddenEvents.map(([token, pattern]) => `${token} was not sent with ${pattern}`)];
}

function isHost(by: Actor | undefined, why: HostReason): boolean {
  return by?.is === 'host' && by.why === why;
}
