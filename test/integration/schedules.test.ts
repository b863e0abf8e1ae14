import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Outlast, type ScheduleInput } from '../../src/client/index.ts';
import { buildDaemon, type Daemon } from '../../src/daemon/build/daemon.ts';
import { readSettings } from '../../src/daemon/config/config.ts';
import { eventually } from '../eventually.ts';

// Schedules in a real daemon, whose time of day the test sets.

const MINUTE = 60_000;

/** A host with a clock that can be set, and a notice that writes to a file. */
class Host implements AsyncDisposable {
  readonly state = mkdtempSync(join(tmpdir(), 'outlast-planned-'));
  readonly client: Outlast = connect({ state: this.state, start: false });
  aheadMs = 0;
  #daemon: Daemon | null = null;

  constructor() {
    mkdirSync(join(this.state, 'work'));
    onTestFinished(() => rmSync(this.state, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  }

  get work(): string {
    return join(this.state, 'work');
  }

  nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  async boot(): Promise<void> {
    const env = { PATH: process.env.PATH, HOME: join(this.state, 'home'), OUTLAST_STATE: this.state };
    const giveUp = (error: unknown): never => {
      throw error;
    };
    const command: [string, ...string[]] = ['sh', '-c', `cat >> ${this.state}/told`];
    const settings = readSettings(env, { notices: [{ name: 'file', on: ['schedule'], command }] });
    this.#daemon = await buildDaemon({ settings, env, waits: false, giveUp, wallMs: () => this.nowMs() });
  }

  async off(): Promise<void> {
    await this.#daemon?.stop({ why: 'the power is off', planned: false });
    this.#daemon = null;
  }

  told(): string {
    return existsSync(join(this.state, 'told')) ? readFileSync(join(this.state, 'told'), 'utf8') : '';
  }

  /** Sets the clock to just after the next full minute. */
  toNextMinute(): void {
    this.aheadMs += MINUTE - (this.nowMs() % MINUTE) + 50;
  }

  /** The types of the events of a schedule, when there are as many. */
  async types(schedule: string, count: number): Promise<string[]> {
    const typesNow = async (): Promise<string[] | null> => {
      const { events } = await this.client.schedules.show(schedule);
      return events.length < count ? null : events.map(({ event }) => event.replace('schedule.', ''));
    };
    return eventually(typesNow, { what: `${count} events of ${schedule}` });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { sessions } = await this.client.list({ state: 'live' });
    await Promise.all(sessions.map(({ id }) => this.client.stop({ session: id, graceMs: 0 })));
    this.client.close();
    await this.off();
  }
}

const echo = (host: Host, name: string) => ({ argv: ['echo', 'hi'], cwd: host.work, name });

test('a machine that is off for days misses, tells it once, and starts one session for all of it', async () => {
  await using host = new Host();
  await host.boot();
  const start = echo(host, 'daily');
  await host.client.schedules.create({ every: '0 9 * * *', timezone: 'Europe/Berlin', start });
  const skipped = { ...echo(host, 'skipping'), name: 'skipping' };
  await host.client.schedules.create({ every: '0 9 * * *', timezone: 'Europe/Berlin', missed: 'skip', start: skipped });
  await host.off();
  host.aheadMs = 4 * 24 * 60 * MINUTE + ((9 * 60 + 30) * MINUTE - (Date.now() % (24 * 60 * MINUTE)));
  await host.boot();
  expect(await host.types('daily', 4)).toEqual(['created', 'missed', 'starting', 'started']);
  expect(await host.types('skipping', 2)).toEqual(['created', 'missed']);
  const { session } = await host.client.wait({ session: 'daily', for: 'exit', timeoutMs: 20_000 });
  expect(session.schedule).toMatchObject({ name: 'daily' });
  const isTold = (name: string): boolean => host.told().includes(`schedule ${name}: missed`);
  await eventually(async () => ['daily', 'skipping'].every(isTold) || null, { what: 'the notices' });
  const told = host.told();
  expect(told).toMatch(
    /schedule daily: missed \d times from .* 09:00 \(Europe\/Berlin\) to .*; one session is started/,
  );
  expect(told).toMatch(/schedule skipping: missed \d times .*; nothing is started for it/);
  await host.off();
  await host.boot();
  expect(await host.types('daily', 4)).toHaveLength(4);
  expect(host.told().match(/schedule daily/g)).toHaveLength(told.match(/schedule daily/g)?.length ?? 0);
});

test('a clock that is set forward is noticed, and a session that is still working is not started again', async () => {
  await using host = new Host();
  await host.boot();
  const start = { argv: ['sleep', '100'], cwd: host.work };
  const make = (name: string, overlap: 'skip' | 'queue') =>
    host.client.schedules.create({ every: '* * * * *', overlap, start: { ...start, name } });
  await make('skips', 'skip');
  await make('queues', 'queue');
  host.toNextMinute();
  expect(await host.types('skips', 3)).toEqual(['created', 'starting', 'started']);
  await host.types('queues', 3);
  host.toNextMinute();
  expect((await host.types('skips', 4))[3]).toBe('skipped');
  expect((await host.types('queues', 4))[3]).toBe('waiting');
  await host.client.stop({ session: 'queues', graceMs: 0 });
  expect((await host.types('queues', 6)).slice(4)).toEqual(['starting', 'started']);
  const told = await eventually(async () => (host.told().includes('skips') ? host.told() : null), { what: 'a notice' });
  expect(told).toMatch(/schedule skips: no session was started for .*: the last one, \w+, is still working/);
  expect(told).toContain('outlast schedule show skips');
});

test('what is wrong at the planned time is told, and the schedule goes on', async () => {
  await using host = new Host();
  await host.boot();
  const folder = join(host.work, 'folder');
  mkdirSync(folder);
  await host.client.schedules.create({ every: '* * * * *', start: { ...echo(host, 'moved'), cwd: folder } });
  await host.client.schedules.create({ at: '+30s', start: { ...echo(host, 'once'), cwd: folder } });
  rmSync(folder, { recursive: true });
  host.toNextMinute();
  host.aheadMs += MINUTE / 2;
  expect(await host.types('moved', 3)).toEqual(['created', 'starting', 'failed']);
  expect(await host.types('once', 4)).toEqual(['created', 'starting', 'failed', 'ended']);
  const told = await eventually(async () => (host.told().includes('moved') ? host.told() : null), { what: 'a notice' });
  expect(told).toMatch(/schedule moved: no session was started for .*: cannot enter .*folder/);
  mkdirSync(folder);
  const { session } = await host.client.schedules.run('moved');
  expect((await host.client.wait({ session: session ?? '', for: 'exit', timeoutMs: 20_000 })).met).toBe('exit');
});

test('pausing, resuming and removing; a removed session leaves its schedule alone', async () => {
  await using host = new Host();
  await host.boot();
  const { schedules } = host.client;
  const { schedule } = await schedules.create({ every: '* * * * *', start: echo(host, 'busy') });
  expect((await schedules.pause('busy')).state).toBe('paused');
  host.toNextMinute();
  host.toNextMinute();
  expect((await schedules.resume(schedule.id.slice(0, 15))).state).toBe('active');
  host.toNextMinute();
  expect(await host.types('busy', 5)).toEqual(['created', 'paused', 'resumed', 'starting', 'started']);
  await host.client.wait({ session: 'busy', for: 'exit', timeoutMs: 20_000 });
  // Its end is announced first.
  const isRemoved = (): Promise<boolean> =>
    host.client.remove({ session: 'busy' }).then(
      () => true,
      () => false,
    );
  await eventually(isRemoved, { what: 'the removed session' });
  expect(await schedules.list()).toMatchObject([{ name: 'busy', state: 'active', starts: 1 }]);
  await schedules.remove('busy');
  expect(await schedules.list()).toEqual([]);
  await expect(schedules.show('busy')).rejects.toMatchObject({ code: 'schedule_not_found' });
});

const REFUSED = [
  [{ at: '0:00' }, /--at: 0:00 has passed; for the next day write "tomorrow 0:00"/],
  [{ every: '0 9 * *' }, /it has 4 of 5 fields/],
  [{ every: '0 9 * * *', at: '+1h' }, /give one of --at and --every/],
  [{}, /give one of --at and --every/],
  [{ at: '+1h', timezone: 'Nowhere' }, /there is no time zone "Nowhere"/],
  [{ every: '0 9 * * *', until: '+0s' }, /--until: \+0s has passed/],
  [{ at: '+1h', start: { argv: ['true'], cwd: '/nonexistent' } }, /cannot enter \/nonexistent/],
  [{ at: '+1h', start: { agent: 'nobody', prompt: 'x' } }, /nobody/],
] as const;

test('what cannot work is refused when it is made, and leaves nothing behind', async () => {
  await using host = new Host();
  await host.boot();
  for (const [given, message] of REFUSED) {
    const start = 'start' in given ? { ...given.start } : echo(host, 'wrong');
    const asked = host.client.schedules.create({ ...given, start } as ScheduleInput);
    await expect(asked).rejects.toThrow(message);
  }
  expect(await host.client.schedules.list()).toEqual([]);
});
