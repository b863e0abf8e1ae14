import fc from 'fast-check';
import { expect, test } from 'vitest';
import { person } from '../actor.ts';
import type { SessionId } from '../session.ts';
import { applySchedule } from './fold-schedule.ts';
import { LATE_MS_MAX, MISSED_MAX, nextOfSchedule, plannedTimes, type ScheduleWorld } from './next-schedule.ts';
import type { Schedule, ScheduleBody, ScheduleId, ScheduleSpec } from './schedule.ts';

const HOUR = 3_600_000;
const hourly = (ms: number): number => (Math.floor(ms / HOUR) + 1) * HOUR;
const SPEC: ScheduleSpec = {
  ...{ name: 'hourly', when: { kind: 'every', cron: '0 * * * *' }, timeZone: 'UTC', missed: 'run', overlap: 'skip' },
  ...{ untilMs: null, startsMax: null, what: { agent: null, text: 'true', workspace: '/' }, owner: null, key: null },
};

/** A schedule that is driven like the daemon does it, and what it started. */
class Driven {
  schedule: Schedule;
  nowMs = 0;
  isBusy = false;
  isOrphan = false;
  readonly bodies: ScheduleBody[] = [];
  readonly started: number[] = [];
  readonly #after: ScheduleWorld['after'];

  constructor(spec: Partial<ScheduleSpec> = {}, after: ScheduleWorld['after'] = hourly) {
    this.#after = after;
    this.schedule = applySchedule(null, this.#event({ type: 'schedule.created', spec: { ...SPEC, ...spec }, by: ANN }));
  }

  /** Sets the clock and does what is due; returns the types of the events. */
  at(nowMs: number): string[] {
    this.nowMs = nowMs;
    const before = this.bodies.length;
    for (let steps = 0; ; steps += 1) {
      if (steps > 20) throw new Error('it never waits');
      const step = nextOfSchedule(this.schedule, { ...this, after: this.#after });
      if (step.do === 'wait') break;
      if (step.do === 'append') for (const body of step.events) this.append(body);
      else this.#start();
    }
    return this.bodies.slice(before).map(({ type }) => type.replace('schedule.', ''));
  }

  append(body: ScheduleBody): void {
    this.schedule = applySchedule(this.schedule, this.#event(body));
    this.bodies.push(body);
  }

  #start(): void {
    const plannedMs = this.schedule.open?.plannedMs ?? -1;
    this.started.push(plannedMs);
    this.append({ type: 'schedule.started', plannedMs, session: `s${this.started.length}` as SessionId });
  }

  #event(body: ScheduleBody) {
    return { schedule: 'a' as ScheduleId, seq: (this.schedule?.seq ?? 0) + 1, atMs: this.nowMs, body };
  }
}

const ANN = person('ann');

test('a session is started at each planned time, once', () => {
  const it = new Driven();
  expect([it.at(HOUR - 1), it.at(HOUR), it.at(HOUR), it.at(HOUR + 1)]).toEqual([[], ['starting', 'started'], [], []]);
  it.at(2 * HOUR + 500);
  expect(it.started).toEqual([HOUR, 2 * HOUR]);
});

test('what was missed is told once, and one session is started for all of it', () => {
  const it = new Driven();
  expect(it.at(5 * HOUR + 10 * 60_000)).toEqual(['missed', 'starting', 'started']);
  expect(it.bodies[0]).toEqual({
    ...{ type: 'schedule.missed', count: 5, firstMs: HOUR, lastMs: 5 * HOUR, does: 'run' },
  });
  expect([it.started, it.at(5 * HOUR + 11 * 60_000)]).toEqual([[5 * HOUR], []]);
  const skipping = new Driven({ missed: 'skip' });
  expect([skipping.at(5 * HOUR + 10 * 60_000), skipping.started]).toEqual([['missed'], []]);
  expect(skipping.at(6 * HOUR)).toEqual(['starting', 'started']);
});

test('a start that is a little late is on time, and stands for the missed ones before it', () => {
  const it = new Driven({ missed: 'skip' });
  expect(it.at(HOUR + LATE_MS_MAX)).toEqual(['starting', 'started']);
  expect(it.at(4 * HOUR + 1)).toEqual(['missed', 'starting', 'started']);
  expect([it.started, it.bodies.find(({ type }) => type === 'schedule.missed')]).toEqual([
    [HOUR, 4 * HOUR],
    { type: 'schedule.missed', count: 2, firstMs: 2 * HOUR, lastMs: 3 * HOUR, does: 'skip' },
  ]);
});

test('a year without a daemon is handled at once, with the last missed time', () => {
  const it = new Driven();
  let asked = 0;
  const counting = new Driven({}, (ms) => {
    asked += 1;
    return hourly(ms);
  });
  const year = 365 * 24 * HOUR;
  for (const each of [it, counting]) each.at(year + 30 * 60_000);
  expect(it.started).toEqual([year]);
  expect(it.bodies[0]).toMatchObject({ count: MISSED_MAX, firstMs: HOUR, lastMs: year });
  expect(asked).toBeLessThan(200);
});

test('while the last session works there is no other one, one when it is done, or one beside it', () => {
  const busy = (overlap: ScheduleSpec['overlap']): Driven => {
    const it = new Driven({ overlap });
    it.at(HOUR);
    it.isBusy = true;
    return it;
  };
  const skipping = busy('skip');
  expect([skipping.at(2 * HOUR), skipping.at(3 * HOUR)]).toEqual([['skipped'], ['skipped']]);
  const queueing = busy('queue');
  expect([queueing.at(2 * HOUR), queueing.at(3 * HOUR)]).toEqual([['waiting'], ['skipped']]);
  queueing.isBusy = false;
  expect([queueing.at(3 * HOUR + 1), queueing.started]).toEqual([
    ['starting', 'started'],
    [HOUR, 2 * HOUR],
  ]);
  expect(busy('start').at(2 * HOUR)).toEqual(['starting', 'started']);
});

test('a clock that is set forward and back again starts nothing twice', () => {
  const it = new Driven();
  it.at(HOUR);
  // A year ahead by mistake, and back: the hours in between are still to come.
  it.at(9_000 * HOUR + 1);
  expect(it.at(HOUR + 5)).toEqual(['rewound']);
  expect([it.at(2 * HOUR), it.at(2 * HOUR)]).toEqual([['starting', 'started'], []]);
  // A few seconds back, right after a start.
  expect([it.at(2 * HOUR - 5_000), it.at(2 * HOUR + 1)]).toEqual([['rewound'], []]);
  expect(it.started).toEqual([HOUR, 9_000 * HOUR, 2 * HOUR]);
});

test('paused, it starts nothing and misses nothing', () => {
  const it = new Driven();
  it.append({ type: 'schedule.paused', by: ANN });
  expect(it.at(9 * HOUR)).toEqual([]);
  it.append({ type: 'schedule.resumed', by: ANN });
  expect([it.at(9 * HOUR + 5), it.at(10 * HOUR)]).toEqual([[], ['starting', 'started']]);
});

test('it ends after its last time, its last session, its end, or with its owner', () => {
  const once = new Driven({ when: { kind: 'at', atMs: 5 } }, (ms) => (ms < 5 ? 5 : null));
  expect(once.at(5)).toEqual(['starting', 'started', 'ended']);
  const twice = new Driven({ startsMax: 2 });
  twice.at(HOUR);
  expect(twice.at(2 * HOUR)).toEqual(['starting', 'started', 'ended']);
  const until = new Driven({ untilMs: 2 * HOUR + 5 });
  until.at(HOUR);
  expect([until.at(2 * HOUR), until.schedule.endedFor]).toEqual([['starting', 'started', 'ended'], 'done']);
  const orphan = new Driven();
  orphan.isOrphan = true;
  expect([orphan.at(HOUR), orphan.schedule.endedFor]).toEqual([['ended'], 'owner']);
});

test('an ended schedule is removed a week later', () => {
  const once = new Driven({ when: { kind: 'at', atMs: 5 } }, (ms) => (ms < 5 ? 5 : null));
  once.at(5);
  expect([once.at(6 * 24 * HOUR), once.at(7 * 24 * HOUR + 5)]).toEqual([[], ['removed']]);
});

test('a session that a caller asks for changes no planned time', () => {
  const it = new Driven();
  it.at(10);
  it.append({ type: 'schedule.starting', plannedMs: 10, why: 'asked' });
  expect([it.at(11), it.at(HOUR)]).toEqual([['started'], ['starting', 'started']]);
  expect(plannedTimes(it.schedule, { nowMs: HOUR, after: hourly }, 2)).toEqual([2 * HOUR, 3 * HOUR]);
});

test('however the clock jumps, nothing is started twice for a planned time', () => {
  const jumps = fc.array(fc.integer({ min: 0, max: 40 * HOUR }), { maxLength: 40 });
  fc.assert(
    fc.property(jumps, fc.constantFrom('run', 'skip'), (times, missed) => {
      const it = new Driven({ missed: missed as 'run' });
      for (const nowMs of times) it.at(nowMs);
      expect(new Set(it.started).size).toBe(it.started.length);
      expect(it.started.every((ms) => ms % HOUR === 0)).toBe(true);
    }),
  );
});
