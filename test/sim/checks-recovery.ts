import type { Actor, HostReason } from '../../src/core/actor.ts';
// What must be true of every history about faults, bounds and waits. Counted here independently of the fold.
import type { Event, EventBody } from '../../src/core/event.ts';
import { apply } from '../../src/core/fold.ts';
import type { Fault, Outcome, Session } from '../../src/core/session.ts';
import type { History } from './history.ts';
import { COMPACT } from './remedies.ts';
import type { Script } from './scripts.ts';

const AFTER_MS = 60_000;
const SPREAD_MS = 240_000;
const LOOK_MS = 60_000;
const PROBE_MS = 300_000;
const UNKNOWN_MS = 1_800_000;
const WAKE_MS = 10_000;
const SLACK_MS = 1_000;

/** Faults in how a session was resumed, parked, held or given up. */
export function recoveryFaults(script: Script, history: History, outcome: Outcome | null): string[] {
  const calm = history.strikes === 0;
  const tally = new Tally(script, calm);
  let session: Session | null = null;
  for (const event of history.events) {
    if (session !== null) tally.take(session, event);
    session = apply(session, event);
  }
  return [...tally.faults, ...givenUpFaults(script, outcome), ...saidFaults(script, history)];
}

type Body<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

class Tally {
  readonly faults: string[] = [];
  readonly #script: Script;
  readonly #calm: boolean;
  /** Of its own: since the last answer, and when it was resumed after one since the last word. */
  #inRow = 0;
  #resumedAtMs: number[] = [];
  #turns = 0;
  #wordAtMs = 0;
  /** It is held until it is resumed, whatever its phase. */
  #isHeld = false;
  /** A person got an answer in the visit that is going on. */
  #isSolved = false;
  readonly #troubles = new Map<string, number>();
  readonly #faultedRuns = new Set<number>();

  constructor(script: Script, calm: boolean) {
    this.#script = script;
    this.#calm = calm;
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
    this.#expect(!isUnknown || untilMs - atMs >= UNKNOWN_MS, 'a limit that nobody gave an end is tried too soon');
  }

  #expect(right: boolean, why: string): void {
    if (!right) this.faults.push(why);
  }

  #faulted({ fault, retryAtMs, run }: Body<'run.faulted'>, nowMs: number): void {
    this.#expect(!this.#faultedRuns.has(run), `run ${run} was faulted twice`);
    this.#faultedRuns.add(run);
    if (fault.kind !== 'memory') this.#expectBackoff(retryAtMs - nowMs, this.#inRow, fault.kind);
    if (!isOfHost(fault)) this.#inRow += 1;
  }

  #delayed({ prompt, retryAtMs, why }: Body<'prompt.delayed'>, nowMs: number): void {
    if (why.includes('hung')) return;
    const times = (this.#troubles.get(prompt) ?? 0) - 1;
    this.#expectBackoff(retryAtMs - nowMs, times, why);
    this.#expect(times < this.#script.spec.policy.resumesMax, 'an overload is tried for ever');
  }

  #expectBackoff(ms: number, times: number, why: string): void {
    const { backoffMsMin, backoffMsMax } = this.#script.spec.policy;
    const plainMs = Math.min(backoffMsMin * 2 ** times, backoffMsMax);
    const isRight = ms >= Math.floor(plainMs * 0.8) && ms <= Math.ceil(plainMs * 1.2);
    this.#expect(isRight, `after ${why} it pauses for ${ms} ms, time ${times}`);
  }

  #starting(
    { phase, conversation: { id: conversation }, recovery: { remediation } }: Session,
    { how }: Body<'run.starting'>,
    nowMs: number,
  ): void {
    this.#isSolved = false;
    this.#expect(how !== 'fork' || conversation === remediation.origin, 'copied although the copy is there');
    const isParked = phase.at === 'held' || phase.at === 'limited';
    this.#expect(!isParked || how === 'visit', `a run was started while ${phase.at}`);
    if (phase.at !== 'recovering') return;
    this.#expect(nowMs >= phase.retryAtMs, 'resumed before its time');
    if (isOfHost(phase.fault)) return;
    this.#resumedAtMs.push(nowMs);
    const { resumesMax, resumesWindowMax = resumesMax, resumesWindowMs = 0 } = this.#script.spec.policy;
    this.#expect(this.#resumedAtMs.length <= resumesMax, 'resumed more often than it may be');
    const lately = this.#resumedAtMs.filter((atMs) => nowMs - atMs < resumesWindowMs).length;
    this.#expect(lately <= resumesWindowMax, 'resumed more often in a while than it may be');
    const isMany = (this.#script.hostResumes ?? 0) >= 20 && this.#wordAtMs === 0;
    this.#expect(!isMany, 'resumed although too much breaks on its host');
  }

  #sending(session: Session, { prompt: id, turn, run }: Body<'prompt.sending'>, nowMs: number): void {
    const { phase, prompts, spec } = session;
    this.#expect(phase.at !== 'limited', 'sent while limited');
    this.#expect(!this.#isHeld, 'sent before the word that it was held for');
    const prompt = prompts.find((p) => p.id === id);
    if (prompt === undefined) return;
    this.#expect(nowMs >= prompt.notBeforeMs, 'sent before its time');
    const isOver = prompt.state === 'queued' || prompt.run !== run;
    this.#expect(isOver, 'continued while its turn may go on');
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
    this.#expect(!isHost(by, 'visit') || this.#isSolved, 'released by an answer that nobody got');
    if (by !== undefined && by.is !== 'host') {
      this.#resumedAtMs = [];
      this.#turns = 0;
      this.#wordAtMs = nowMs;
    } else if (phase.at === 'limited' && by === undefined) {
      const lateMs = atMs - phase.untilMs;
      this.#expect(this.#script.account?.answeredMs === undefined, 'an answer to its account did not wake it');
      this.#expect(lateMs >= AFTER_MS, `woken ${lateMs} ms after its limit`);
      const isSoon = lateMs <= AFTER_MS + SPREAD_MS + LOOK_MS + SLACK_MS;
      this.#expect(isSoon || !this.#calm, `woken only ${lateMs} ms after its limit`);
    } else if (isHost(by, 'probe') && phase.at === 'held') {
      this.#expect(nowMs - phase.sinceMs >= PROBE_MS, 'probed too soon');
      const isOwn = prompts.some(({ state }) => state === 'troubled');
      this.#expect(isOwn, 'probed with what has no trouble of its own');
    }
    if (body.type === 'session.released' && phase.at === 'held' && phase.why.needsResume === true) {
      const isFree = by !== undefined || ['login', 'unfound'].includes(phase.why.kind);
      this.#expect(isFree, `released from ${phase.why.kind} without a word`);
    }
  }

  #woken(nowMs: number): void {
    const answeredMs = this.#script.account?.answeredMs ?? Number.POSITIVE_INFINITY;
    this.#expect(nowMs >= answeredMs, 'woken by an answer that nobody got');
    this.#expect(!this.#calm || nowMs <= answeredMs + WAKE_MS + LOOK_MS, 'woken long after the answer');
  }

  #closing({ attendance: { control }, created }: Session, { outcome }: Body<'session.closing'>, nowMs: number): void {
    if (outcome.kind !== 'abandoned' || outcome.fault.kind !== 'deadline') return;
    const { deadlineMsMax } = this.#script.spec.policy;
    const dueMs = Math.max(created.steadyMs, this.#wordAtMs) + (deadlineMsMax ?? Number.POSITIVE_INFINITY);
    this.#expect(nowMs >= dueMs, 'given up before its deadline');
    const isTheirs = (this.#script.wishes ?? []).some(({ input }) => input.type === 'hand-off');
    this.#expect(!this.#calm || isTheirs || nowMs - dueMs < SLACK_MS, 'given up long after its deadline');
    this.#expect(control?.how !== 'handoff', 'the deadline ended what a person has in hand');
  }
}

function isOfHost(fault: Fault): boolean {
  return fault.kind === 'cut' || (fault.kind === 'lost' && (fault.reboot || fault.planned === true));
}

/** The outcome of an abandoned session names the fault, and the bound that was reached. */
function givenUpFaults({ spec, givenUp }: Script, outcome: Outcome | null): string[] {
  if (outcome?.kind !== 'abandoned' || spec.drive === 'command') return [];
  const { fault, why = '' } = outcome;
  const needsBound = !['deadline', 'unstarted', 'breached'].includes(fault.kind);
  const faults = needsBound && why === '' ? [`abandoned for ${fault.kind} without a bound`] : [];
  const said = `${fault.kind} ${why}`;
  return givenUp === undefined || givenUp.test(said) ? faults : [...faults, `abandoned with: ${said}`];
}

/** A continuation says that the turn was interrupted, and quotes its prompt. */
function saidFaults(script: Script, { world, strikes }: History): string[] {
  const texts: Record<string, string> = { p1: 'Fix the tests', p2: 'And the docs', ...script.texts };
  const isContinued = (token: string): boolean => !token.endsWith('#1');
  const bad = world.said.filter(({ token, text }) => {
    const asked = texts[token.split('#')[0] ?? ''] ?? '?';
    if (token.includes('~')) return text !== COMPACT;
    return isContinued(token) && !(text.includes('interrupted') && text.includes(asked));
  });
  const faults = bad.map(({ token, text }) => `${token} was told as ${text}`);
  if (strikes > 0) return faults;
  const lacks = Object.entries(script.says ?? {}).filter(
    ([token, pattern]) => !world.said.some((said) => said.token === token && pattern.test(said.text)),
  );
  return [...faults, ...lacks.map(([token, pattern]) => `${token} was not told ${pattern}`)];
}

function isHost(by: Actor | undefined, why: HostReason): boolean {
  return by?.is === 'host' && by.why === why;
}
