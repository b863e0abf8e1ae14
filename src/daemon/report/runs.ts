import type { CallOutput } from '../../api/contract.ts';
import { actorText } from '../../core/actor.ts';
import type { Event } from '../../core/event.ts';
import type { Outcome } from '../../core/session.ts';
import { exitText, faultText } from '../views/view.ts';
import { Ends } from './ends.ts';
import { plain } from './head.ts';

/** One run as a report tells it. */
export type RunStory = CallOutput<'session.report'>['runs'][number];

type Open = { -readonly [K in keyof RunStory]: RunStory[K] };

const FIRST_MAX = 3;
const LAST_MAX = 17;
const SIGN_CHARS_MAX = 150;
/** Signs and tools at work, of one run. */
const SIGNS_MAX = 8;
const CALLS_MAX = 3;

/** What was at work in a turn is over with it, whether anybody said so or not. */
const TURN_ENDS: ReadonlySet<string> = new Set<Event['body']['type']>([
  'prompt.answered',
  'prompt.failed',
  'prompt.troubled',
  'prompt.interrupted',
  'turn.ended',
]);

/** Collects the runs of a session, event by event: how each began, how it ended, and what was done about it. */
export class RunStories {
  readonly #runs = new Ends<Open>(FIRST_MAX, LAST_MAX);
  /** Tools at work, by the id of their call. */
  readonly #calls = new Map<string, string>();
  #run: Open | null = null;
  #outcome: Outcome | null = null;
  #isSettled = false;

  add({ body, atMs, steadyMs }: Event): void {
    const run = this.#run;
    switch (body.type) {
      case 'run.starting':
        this.#remedy(`${body.how === 'resume' ? 'resumed' : 'started again'} as run ${body.run}`);
        return this.#begin(body.run, body.how, atMs);
      case 'run.opened':
        if (run !== null) run.pid = body.pid || null;
        return;
      case 'run.ended':
        return this.#end(atMs, body.exit === null ? 'it left no status' : exitText(body.exit));
      case 'run.faulted':
        this.#end(atMs, faultText(body.fault));
        if (run === null) return;
        run.backoffMs = Math.max(0, body.retryAtMs - steadyMs);
        run.signs = [...('signs' in body.fault ? (body.fault.signs ?? []) : []), ...this.#atWork()]
          .slice(0, SIGNS_MAX)
          .map((sign) => plain(sign, SIGN_CHARS_MAX));
        return;
      case 'tool.called':
        if (body.call !== null) this.#calls.set(body.call, `${body.tool} ${body.input}`);
        return;
      case 'tool.ended':
        if (body.call !== null) this.#calls.delete(body.call);
        return;
      default:
        this.#settle(body);
    }
  }

  all(): RunStory[] {
    return this.#runs.kept();
  }

  get count(): number {
    return this.#runs.count;
  }

  #begin(run: number, how: string, startedAtMs: number): void {
    const rest = { pid: null, endedAtMs: null, end: null, signs: [], backoffMs: null, remedy: null };
    this.#run = { run, how, startedAtMs, ...rest };
    this.#runs.add(this.#run);
    this.#calls.clear();
    this.#outcome = null;
    this.#isSettled = false;
  }

  #end(atMs: number, text: string): void {
    const run = this.#run;
    if (run === null) return;
    run.endedAtMs ??= atMs;
    // The verdict comes first where there is one; what the process left behind says less.
    if (run.end !== null) return;
    run.end = this.#outcome?.kind === 'stopped' ? `${text}, ended by us` : plain(text);
  }

  /** What else can become of a run that broke. */
  #settle(body: Event['body']): void {
    if (TURN_ENDS.has(body.type)) this.#calls.clear();
    if (body.type === 'session.held') this.#remedy(`a person was asked: ${plain(body.why.text)}`, false);
    if (body.type === 'prompt.answered') this.#remedy('its turn was over: the reply was taken');
    if (body.type !== 'session.closing' && body.type !== 'session.ended') return;
    const { outcome } = body;
    this.#outcome = outcome;
    if (outcome.kind === 'abandoned') {
      if (this.#run?.end === null) this.#run.end = plain(faultText(outcome.fault));
      this.#remedy(outcome.why === undefined ? 'given up' : `given up: ${plain(outcome.why)}`);
    }
    if (outcome.kind === 'stopped') this.#remedy(`none: stopped by ${plain(actorText(outcome.by))}`);
  }

  /** What is done about a run that broke, up to what settles it. A person who is asked does not settle it yet. */
  #remedy(text: string, isFinal = true): void {
    const run = this.#run;
    if (run === null || this.#isSettled || !this.#isBroken(run)) return;
    run.remedy = run.remedy === null ? text : `${run.remedy}; then ${text}`;
    this.#isSettled = isFinal;
  }

  #isBroken({ backoffMs, end }: RunStory): boolean {
    return backoffMs !== null || (end !== null && this.#outcome?.kind === 'abandoned');
  }

  #atWork(): string[] {
    const all = [...this.#calls.values()].map((call) => `at work when it broke: ${call}`);
    const more = all.length > CALLS_MAX ? [`and ${all.length - CALLS_MAX} more`] : [];
    return [...all.slice(0, CALLS_MAX), ...more];
  }
}
