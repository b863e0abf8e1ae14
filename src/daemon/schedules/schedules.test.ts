import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startInput } from '../../api/start-shape.ts';
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { person } from '../../core/actor.ts';
import { inputId } from '../../core/cause.ts';
import type { ScheduleSpec } from '../../core/schedule/schedule.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { COMMAND_SPEC } from '../../testing/spec.ts';
import type { StartFor } from './outcome.ts';
import { Schedules } from './schedules.ts';

const HOUR = 3_600_000;
const ANN = person('ann');
const REQUEST = startInput().parse({ argv: ['true'], cwd: '/', env: { SECRET: 'x' } });
const SPEC: ScheduleSpec = {
  ...{ name: 'hourly', when: { kind: 'every', cron: '0 * * * *' }, timeZone: 'UTC', missed: 'run', overlap: 'start' },
  ...{ untilMs: null, startsMax: 1, what: { agent: null, text: 'true', workspace: '/' }, owner: null, key: 'k' },
};

/** A host whose daemon is killed, and started again, on one journal. */
class Host {
  readonly state = mkdtempSync(join(tmpdir(), 'outlast-schedules-'));
  readonly journal = memoryJournal();
  readonly started: SessionId[] = [];
  nowMs = 5;
  #schedules: Schedules | null = null;
  readonly #sleepers = new Set<() => void>();

  constructor() {
    onTestFinished(() => rmSync(this.state, { recursive: true, force: true }));
  }

  /** Starts a daemon that is killed before or after its n-th write; null: it lives. */
  async boot(kill: { readonly at: number; readonly when: 'before' | 'after' } | null = null): Promise<Schedules> {
    await this.#schedules?.stop();
    const writes = { left: kill?.at ?? Number.POSITIVE_INFINITY, isDead: false };
    const write = <T>(work: () => T): T => {
      if (writes.isDead) throw new Error('killed');
      writes.left -= 1;
      if (writes.left > 0) return work();
      writes.isDead = true;
      if (kill?.when === 'after') work();
      throw new Error('killed');
    };
    const start: StartFor = async (request) => write(() => this.#create(request.key ?? ''));
    const journal = {
      find: (word: string) => this.journal.find(word),
      taken: (cause: never) => this.journal.taken(cause),
      onAppend: (look: never) => this.journal.onAppend(look),
      schedules: {
        all: () => this.journal.schedules.all(),
        events: (query: never) => this.journal.schedules.events(query),
        head: () => this.journal.schedules.head(),
        purge: (ms: number) => this.journal.schedules.purge(ms),
        put: (schedule: never) => write(() => this.journal.schedules.put(schedule)),
        append: (each: never) => write(() => this.journal.schedules.append(each)),
      },
    } as unknown as Journal;
    const parts = { state: this.state, journal, clock: this.#clock(), log: () => {}, start, told: () => {} };
    this.#schedules = new Schedules(parts);
    this.#schedules.start();
    await this.settle();
    return this.#schedules;
  }

  /** Sets the time, and lets everything happen that is due. */
  async at(nowMs: number): Promise<void> {
    this.nowMs = nowMs;
    for (const wake of [...this.#sleepers]) wake();
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  types(): string[] {
    return this.journal.schedules.events({ after: 0, limit: 99 }).map(({ event }) => event.body.type.slice(9));
  }

  #create(key: string): SessionId {
    const session = newId(this.nowMs) as SessionId;
    const events = [{ type: 'session.created', spec: COMMAND_SPEC } as const];
    const cause = inputId('start', key);
    const times = { atMs: this.nowMs, steadyMs: this.nowMs };
    expect(this.journal.append({ session, afterSeq: 0, events, cause, ...times })).not.toBe('seen');
    this.started.push(session);
    return session;
  }

  #clock(): Clock {
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const untilMs = this.nowMs + ms;
        const wake = (): void => {
          if (this.nowMs < untilMs && signal?.aborted !== true) return;
          this.#sleepers.delete(wake);
          resolve();
        };
        this.#sleepers.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
        wake();
      });
    return { wallMs: () => this.nowMs, steadyMs: () => this.nowMs, sleep };
  }
}

const POINTS = [1, 2, 3, 4].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when })));

test.each(POINTS)('killed $when write $at, a planned time gets exactly one session', async (kill) => {
  const host = new Host();
  const first = await host.boot();
  await first.create(SPEC, REQUEST, ANN);
  await host.boot(kill);
  await host.at(HOUR);
  await host.boot();
  await host.at(HOUR + 20_000);
  expect(host.started).toHaveLength(1);
  expect(host.types()).toEqual(['created', 'starting', 'started', 'ended']);
  const [schedule] = host.journal.schedules.all();
  expect(schedule).toMatchObject({ starts: 1, session: host.started[0], state: 'ended', open: null });
});

test('the same request comes twice: there is one schedule, and a name is taken while it lives', async () => {
  const schedules = await new Host().boot();
  const [one, other] = await Promise.all([1, 2].map(() => schedules.create(SPEC, REQUEST, ANN)));
  expect(other?.id).toBe(one?.id);
  const again = schedules.create({ ...SPEC, key: 'other' }, REQUEST, ANN);
  await expect(again).rejects.toMatchObject({ code: 'name_taken' });
});

test('a schedule is found by its name, its id and the beginning of its id', async () => {
  const schedules = await new Host().boot();
  const { id } = await schedules.create(SPEC, REQUEST, ANN);
  for (const word of ['hourly', id, id.slice(0, 12)]) expect(schedules.find(word).id).toBe(id);
  for (const word of ['', 'nothing']) expect(() => schedules.find(word)).toThrow('there is no schedule');
  await schedules.create({ ...SPEC, name: 'other', key: null }, REQUEST, ANN);
  expect(() => schedules.find(id.slice(0, 3))).toThrow('the ids of 2 schedules begin with');
});

test('the request is for its user only, and is deleted with the schedule', async () => {
  const host = new Host();
  const schedules = await host.boot();
  const { id } = await schedules.create(SPEC, REQUEST, ANN);
  const folder = join(host.state, 'schedules', id);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
  await schedules.change(id, { type: 'schedule.removed', by: ANN });
  expect(readdirSync(join(host.state, 'schedules'))).toEqual([]);
  await host.boot();
  await host.at(HOUR);
  expect(host.started).toEqual([]);
});

test('a lost journal gets its schedules back from their folders', async () => {
  const host = new Host();
  const { id } = await (await host.boot()).create(SPEC, REQUEST, ANN);
  host.journal.schedules.purge(0);
  const lost = Object.assign(new Host(), { state: host.state });
  const found = await lost.boot();
  expect(found.find('hourly').id).toBe(id);
  await lost.at(HOUR);
  expect(lost.started).toHaveLength(1);
});

test('a folder without a schedule is removed: the daemon died before it was accepted', async () => {
  const host = new Host();
  const schedules = await host.boot({ at: 1, when: 'before' });
  await expect(schedules.create(SPEC, REQUEST, ANN)).rejects.toThrow('killed');
  await host.boot();
  expect([readdirSync(join(host.state, 'schedules')), host.types()]).toEqual([[], []]);
});

test('a request that cannot be read is a failure that is told, and an hourly schedule tries again', async () => {
  const host = new Host();
  const schedules = await host.boot();
  const { id } = await schedules.create(SPEC, REQUEST, ANN);
  rmSync(join(host.state, 'schedules', id, 'request'));
  await host.at(HOUR);
  expect(host.types()).toEqual(['created', 'starting', 'failed']);
  expect(schedules.find(id)).toMatchObject({ state: 'active', last: { how: 'failed', code: 'schedule_failed' } });
  await host.at(2 * HOUR);
  expect(host.types().slice(3)).toEqual(['starting', 'failed']);
});

test('a session that is started by hand needs no planned time, and each gets its own', async () => {
  const host = new Host();
  const schedules = await host.boot();
  const { id } = await schedules.create({ ...SPEC, startsMax: null }, REQUEST, ANN);
  await schedules.runNow(id);
  host.nowMs += 1;
  expect((await schedules.runNow(id)).session).toBe(host.started[1]);
  await host.at(HOUR);
  expect(host.started).toHaveLength(3);
});
