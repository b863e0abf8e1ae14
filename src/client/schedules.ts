import type { CallOutput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';
import type { Clock } from '../base/clock.ts';
import type { StartInput } from './client.ts';
import type { Given, Own } from './given.ts';
import { newKey } from './key.ts';
import { startGiven } from './start-given.ts';

/** When sessions are started, and what they are. The time zone is the caller's own unless given. */
export type ScheduleInput = Omit<Given<'schedule.create'>, 'start' | 'timezone' | 'caller'> & {
  readonly start: StartInput;
  readonly timezone?: string | undefined;
};

type Call = <N extends OperationName>(name: N, input: Given<N>, signal?: AbortSignal) => Promise<CallOutput<N>>;

/** Sessions that are started later: `await outlast.schedules.create({ every: '0 9 * * 1-5', start: { prompt } })` */
export class Schedules {
  readonly #call: Call;
  readonly #own: () => Own;
  readonly #clock: Clock;

  constructor(call: Call, own: () => Own, clock: Clock) {
    this.#call = call;
    this.#own = own;
    this.#clock = clock;
  }

  /** Starts sessions later: `at` a time, or at `every` match of a cron expression; those end when they are done. */
  create({ start, ...when }: ScheduleInput, signal?: AbortSignal) {
    const ends = when.every === undefined || start.agent === undefined ? {} : { keepOpen: false };
    const made = startGiven(this.#clock, this.#own(), { ...ends, ...start });
    const { timezone = ownTimeZone() } = when;
    return this.#call('schedule.create', { key: newKey(this.#clock), ...when, timezone, start: made }, signal);
  }

  /** All schedules, oldest first. */
  async list(signal?: AbortSignal) {
    return (await this.#call('schedule.list', {}, signal)).schedules;
  }

  /** A schedule, its next times and what happened to it. By its id, its name, or the first characters of its id. */
  show(schedule: string, limit?: number, signal?: AbortSignal) {
    return this.#call('schedule.show', { schedule, ...(limit !== undefined && { limit }) }, signal);
  }

  /** Pauses it: nothing is started until it is resumed. */
  async pause(schedule: string, signal?: AbortSignal) {
    return (await this.#call('schedule.pause', { schedule }, signal)).schedule;
  }

  /** Resumes it, from its next planned time on. */
  async resume(schedule: string, signal?: AbortSignal) {
    return (await this.#call('schedule.resume', { schedule }, signal)).schedule;
  }

  /** Starts one of its sessions now; `session` of the result is the id. */
  async run(schedule: string, signal?: AbortSignal) {
    return (await this.#call('schedule.run', { schedule }, signal)).schedule;
  }

  /** Removes it. Its sessions stay. */
  async remove(schedule: string, signal?: AbortSignal): Promise<void> {
    await this.#call('schedule.remove', { schedule }, signal);
  }
}

/** The IANA name of the time zone of this process. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
