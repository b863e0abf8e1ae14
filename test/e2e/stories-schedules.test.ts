import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';

// Schedules as a person types them, with daemons that are killed.

const world = new World();
const work = mkdtempSync(join(tmpdir(), 'outlast-work-'));

beforeAll(() => world.start());
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(work, { recursive: true, force: true });
});

const cli = (...words: string[]) => world.cli(words, { cwd: work });

test('a daemon that is killed again and again starts the session of a planned time exactly once', async () => {
  const made = await cli('exec', '--at', '+2s', '--name', 'once', '--', 'sh', '-c', 'echo started >> ledger');
  expect(made).toMatchObject({ status: 0, stderr: expect.stringContaining('Scheduled.') });
  const isStarted = async (): Promise<boolean> => {
    await world.restart();
    return (await world.client.schedules.show('once')).schedule.state === 'ended';
  };
  await eventually(isStarted, { what: 'a schedule that is done' });
  await world.client.wait({ session: 'once', for: 'exit', timeoutMs: 20_000 });
  const { sessions } = await world.client.list({ state: 'all' });
  expect(sessions.filter(({ schedule }) => schedule?.name === 'once')).toHaveLength(1);
  const { events } = await world.client.schedules.show('once');
  expect(events.map(({ event }) => event)).toEqual([
    ...['schedule.created', 'schedule.starting', 'schedule.started', 'schedule.ended'],
  ]);
  expect((await world.cli(['exec', '--', 'cat', 'ledger'], { cwd: work })).stdout).toBe('started\n');
});

test('a schedule is listed with its next time, and says that nothing starts the daemon after a reboot', async () => {
  const made = await cli('exec', '--every', '0 9 * * 1-5', '--tz', 'Asia/Tokyo', '--name', 'report', '--', 'true');
  expect(made.stderr).toMatch(/next +\d{4}-\d\d-\d\d 09:00 \(Asia\/Tokyo\), in /);
  expect(made.stderr).toContain('To change that: outlast service install');
  const listed = await cli('schedule', 'list');
  expect(listed.stdout).toMatch(/^report +active +in .* 0 9 \* \* 1-5 +- +command: true$/m);
  expect((await cli('schedule', 'pause', 'report')).stdout).toMatch(/^report: paused, next .*09:00 \(Asia\/Tokyo\)\n$/);
  expect((await cli('schedule', 'show', made.stdout.trim().slice(0, 14))).stdout).toContain('schedule.paused');
  const session = (await cli('schedule', 'run-now', 'report')).stdout.trim();
  await cli('wait', session);
  expect((await cli('show', session)).stdout).toMatch(/^schedule +report, planned for /m);
  expect((await cli('list')).stdout).toMatch(/SCHEDULE/);
  expect((await cli('schedule', 'remove', 'report')).stdout).toBe('Removed: report\n');
  expect((await cli('schedule', 'show', 'report')).status).toBe(3);
});
