import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ScheduleEntry } from '../../journal/schedules.ts';
import type { Config, NoticeConfig } from '../config/schema.ts';
import type { NoticeItem } from '../notices/item.ts';
import { send } from '../notices/routes.ts';
import { isFailure, scheduleItem } from './item.ts';

export interface TellParts {
  readonly journal: Pick<Journal, 'schedules' | 'cursor' | 'saveCursor' | 'fact' | 'saveFact'>;
  readonly config: Pick<Config, 'notices'>;
  readonly clock: Clock;
  readonly log: Log;
}

const PAGE_MAX = 50;
const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 300_000;
const STOP_MS_MAX = 1_000;

/**
 * Sends the notices about schedules. Each notice has a position of its own among their events, which moves past what
 * was delivered or given up: nothing is lost when the daemon ends, and nothing is sent twice unless it ends in between.
 */
export class ScheduleTeller {
  readonly #parts: TellParts;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<unknown>;
  #wake = Promise.withResolvers<void>();

  constructor(parts: TellParts) {
    this.#parts = parts;
    this.#loops = Promise.all(parts.config.notices.map((notice) => this.#follow(notice)));
  }

  /** There are new events. */
  wake(): void {
    const woken = this.#wake;
    this.#wake = Promise.withResolvers();
    woken.resolve();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await Promise.race([this.#loops, this.#parts.clock.sleep(STOP_MS_MAX)]);
  }

  async #follow(notice: NoticeConfig): Promise<void> {
    const { journal, log, clock } = this.#parts;
    const reader = `schedules:${notice.name}`;
    while (!this.#stopping.signal.aborted) {
      const woken = this.#wake.promise;
      try {
        const fromNow = begin(journal, reader);
        const page = journal.schedules.events({ after: fromNow, limit: PAGE_MAX });
        const last = page.at(-1);
        if (last === undefined) await woken;
        else if (await this.#deliver(notice, page)) journal.saveCursor(reader, last.number);
      } catch (error) {
        log(`notice ${notice.name}: ${error}`);
        await clock.sleep(BACKOFF_MS_MIN, this.#stopping.signal);
      }
    }
  }

  /** Delivers the items of a page; false: the daemon stops. */
  async #deliver(notice: NoticeConfig, page: readonly ScheduleEntry[]): Promise<boolean> {
    const { journal, clock, log } = this.#parts;
    const known = new Map(journal.schedules.all().map((schedule) => [schedule.id, schedule]));
    const items = page.flatMap((entry): NoticeItem[] => {
      const schedule = known.get(entry.event.schedule);
      const item = schedule === undefined ? null : scheduleItem(entry, schedule);
      return item === null || !isFor(notice.on, entry) ? [] : [item];
    });
    if (items.length === 0) return true;
    const delivery = { id: `schedules-${notice.name}-${items.at(0)?.position}-${items.at(-1)?.position}`, items };
    for (let tries = 1; tries <= notice.triesMax && !this.#stopping.signal.aborted; tries += 1) {
      const sent = await send(notice, delivery, clock, this.#stopping.signal);
      if (sent.ok) return true;
      log(`notice ${notice.name}: try ${tries} of ${notice.triesMax} about a schedule failed: ${sent.why}`);
      await clock.sleep(Math.min(BACKOFF_MS_MIN * 2 ** (tries - 1), BACKOFF_MS_MAX), this.#stopping.signal);
    }
    return !this.#stopping.signal.aborted;
  }
}

/** A notice that is new in the config gets what happens from now on. */
function begin(journal: TellParts['journal'], reader: string): number {
  if (journal.fact(reader) === null) {
    journal.saveCursor(reader, journal.schedules.head());
    journal.saveFact(reader, 'begun');
  }
  // A journal that was rebuilt counts from 1 again.
  return Math.min(journal.cursor(reader), journal.schedules.head());
}

/** A notice about ends is also sent for a session that was planned and does not exist. */
function isFor(on: NoticeConfig['on'], { event: { body } }: ScheduleEntry): boolean {
  const isOn = (word: string): boolean => on.some((each) => each === word);
  return isOn('schedule') || isOn('ended') || (isOn('failed') && isFailure(body));
}
