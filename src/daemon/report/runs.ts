import type { CallOutput } from '../../api/contract.ts';
import { actorText } from '../../core/actor.ts';
import type { Event } from '../../core/event.ts';
import type { Outcome } from '../../core/session.ts';
import { exitText } from '../../present/outcome.ts';
import { faultText } from '../views/view.ts';
import { Ends } from './ends.ts';
import { plain } from './head.ts';

/** One run in a report. */
export type RunStory = CallOutput<'session.report'>['runs'][number];

type Open = { -readonly [K in keyof RunStory]: RunStory[K] };

const FIRST_MAX = 3;
const LAST_MAX = 17;
const SIGN_CHARS_MAX = 150;
/** How many signs and running tools of one run are kept. */
const SIGNS_MAX = 8;
const CALLS_MAX = 3;

/** The events that end a turn and with it its running tools, even if no end was reported. */
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
  /** Running tools, by the id of their call. */
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
        return this.#end(atMs, body.exit === null ? 'it left no status' : exitText(body.exit.status));
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
    // A fault comes first where there is one; the exit status says less.
    if (run.end !== null) return;
    run.end = this.#outcome?.kind === 'stopped' ? `${text}, ended by Outlast` : plain(text);
  }

  /** Other events that settle a run that broke. */
  #settle(body: Event['body']): void {
    if (TURN_ENDS.has(body.type)) this.#calls.clear();
    if (body.type === 'session.held') this.#remedy(`a person was asked: ${plain(body.why.text)}`, false);
    if (body.type === 'prompt.answered') this.#remedy('its turn was complete: the reply was used');
    if (body.type !== 'session.closing' && body.type !== 'session.ended') return;
    const { outcome } = body;
    this.#outcome = outcome;
    if (outcome.kind === 'abandoned') {
      if (this.#run?.end === null) this.#run.end = plain(faultText(outcome.fault));
      this.#remedy(outcome.why === undefined ? 'abandoned' : `abandoned: ${plain(outcome.why)}`);
    }
    if (outcome.kind === 'stopped') this.#remedy(`none: stopped by ${plain(actorText(outcome.by))}`);
  }

  /** Records the reaction to a broken run, up to the final one. Asking a person is not final. */
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
    const all = [...this.#calls.values()].map((call) => `running when it broke: ${call}`);
    const more = all.length > CALLS_MAX ? [`and ${all.length - CALLS_MAX} more`] : [];
    return [...all.slice(0, CALLS_MAX), ...more];
  }
}
