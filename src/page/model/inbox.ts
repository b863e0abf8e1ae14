import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ApprovalView } from '../../api/contract-approvals.ts';
import type { Clock } from '../../base/clock.ts';
import type { Outlast } from '../../client/browser.ts';

/** How a question was answered; null: its call no longer waits. */
export type Decided = { readonly allow: boolean; readonly by: string; readonly why: string } | null;

/** A question of an agent, and when this page got it. */
export interface Question {
  readonly asked: ApprovalView;
  /** When its time is up, in steady milliseconds of this page; null: never. */
  readonly endsMs: number | null;
  /** How it was answered; undefined: it is open. */
  readonly decided?: Decided;
}

/** How long a question stays after it was answered, so that a person sees who did it. */
const SHOWN_MS = 3_000;
const PAUSE_MS = 1_000;

/** All open questions, oldest first. */
export class Inbox {
  readonly #questions: Signal<readonly Question[]> = signal([]);
  readonly #decided: Signal<number> = signal(0);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get questions(): ReadonlySignal<readonly Question[]> {
    return this.#questions;
  }

  /** How many were decided since the page was opened. */
  get decided(): ReadonlySignal<number> {
    return this.#decided;
  }

  /** The question with this id. */
  find(id: string): Question | undefined {
    return this.#questions.value.find(({ asked }) => asked.id === id);
  }

  /** Follows the questions of all sessions until the signal fires. */
  async follow(outlast: Outlast, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A new stream names all open questions again.
      const old = new Set(this.#questions.value.map(({ asked }) => asked.id));
      try {
        for await (const line of outlast.approvals.follow({}, signal)) {
          old.delete(line.id);
          if (line.approval !== undefined) this.#ask(line.approval);
          else this.#settle(line.id, line.decided ?? null);
        }
      } catch {
        // The connection says why.
      }
      await this.#clock.sleep(PAUSE_MS, signal);
      for (const id of old) this.#remove(id);
    }
  }

  #ask(asked: ApprovalView): void {
    const endsMs = asked.leftMs === null ? null : this.#clock.steadyMs() + asked.leftMs;
    const others = this.#questions.value.filter((each) => each.asked.id !== asked.id);
    this.#questions.value = [...others, { asked, endsMs }].sort(
      (a, b) => a.asked.askedAtMs - b.asked.askedAtMs || (a.asked.id < b.asked.id ? -1 : 1),
    );
  }

  #settle(id: string, decided: Decided): void {
    if (this.find(id) === undefined) return;
    this.#questions.value = this.#questions.value.map((each) => (each.asked.id === id ? { ...each, decided } : each));
    if (decided !== null) this.#decided.value += 1;
    void this.#clock.sleep(SHOWN_MS).then(() => this.#remove(id));
  }

  #remove(id: string): void {
    this.#questions.value = this.#questions.value.filter(({ asked }) => asked.id !== id);
  }
}
