import type { EventLine } from '../../client/browser.ts';
import { type Happening, runOf } from './happening.ts';

/** A run of the process of a session, or a turn in it. */
export interface Group {
  readonly is: 'run' | 'turn';
  readonly key: string;
  /** Of a run its number, of a turn which try it is. */
  readonly number: number;
  /** Of a turn: its prompt. */
  readonly title: string;
  readonly fromMs: number;
  /** Null: it goes on. */
  toMs: number | null;
  /** Its beginning is older than what was read. */
  readonly isCut: boolean;
}

/** An event with the groups that it is in. */
export interface Placed {
  readonly happening: Happening;
  readonly run: Group | null;
  readonly turn: Group | null;
}

/** The events that end a turn. */
const TURN_ENDS: ReadonlySet<string> = new Set([
  ...['prompt.answered', 'prompt.failed', 'prompt.troubled', 'prompt.interrupted', 'turn.ended', 'turn.deferred'],
]);

/** Puts each event into its run and its turn, in the order in which they happened. */
export function placed(happenings: readonly Happening[]): Placed[] {
  const places = new Places();
  return happenings.map((happening) => places.place(happening));
}

class Places {
  readonly #titles = new Map<string, string>();
  #run: Group | null = null;
  #turn: Group | null = null;
  #runLast = 0;

  place(happening: Happening): Placed {
    const { event, atMs } = happening;
    const { event: type, body } = event;
    if (type === 'prompt.queued') this.#titles.set(String(body.prompt), String(body.text ?? ''));
    this.#enterRun(event, atMs);
    if (type === 'prompt.sending') this.#enterTurn(event, String(body.prompt), Number(body.turn ?? 1), atMs);
    if (type === 'turn.started') this.#enterTurn(event, String(body.text ?? ''), 1, atMs);
    const found = { happening, run: this.#run, turn: this.#isInTurn(event) ? this.#turn : null };
    if (TURN_ENDS.has(type)) this.#leaveTurn(atMs);
    if (type === 'run.faulted' || type === 'run.ended') this.#leaveRun(atMs);
    return found;
  }

  #enterRun(event: EventLine, atMs: number): void {
    const run = runOf(event);
    if (run === null || run <= this.#runLast || event.event.startsWith('session.')) return;
    this.#leaveRun(atMs);
    this.#runLast = run;
    const isCut = event.event !== 'run.starting' && event.event !== 'prompt.sending';
    this.#run = { is: 'run', key: `run ${run}`, number: run, title: '', fromMs: atMs, toMs: null, isCut };
  }

  #enterTurn({ seq }: EventLine, prompt: string, number: number, atMs: number): void {
    this.#leaveTurn(atMs);
    const title = this.#titles.get(prompt) ?? prompt;
    this.#turn = { is: 'turn', key: `turn ${seq}`, number, title, fromMs: atMs, toMs: null, isCut: false };
  }

  /** What is queued meanwhile is no part of the turn that runs. */
  #isInTurn({ event }: EventLine): boolean {
    return event !== 'prompt.queued' && event !== 'prompt.waiting';
  }

  #leaveTurn(atMs: number): void {
    if (this.#turn !== null) this.#turn.toMs = atMs;
    this.#turn = null;
  }

  #leaveRun(atMs: number): void {
    this.#leaveTurn(atMs);
    if (this.#run !== null) this.#run.toMs = atMs;
    this.#run = null;
  }
}
