import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { buildDaemon, type Daemon } from '../../src/daemon/build/daemon.ts';
import { Stops } from '../../src/daemon/build/stops.ts';
import { readSettings } from '../../src/daemon/config/config.ts';

function aState(): string {
  const state = mkdtempSync(join(tmpdir(), 'outlast-built-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return state;
}

/** A daemon in this very process. */
function build(state: string): Promise<Daemon> {
  const env = { PATH: process.env.PATH, HOME: join(state, 'home'), OUTLAST_STATE: state };
  const giveUp = (error: unknown): never => {
    throw error;
  };
  return buildDaemon({ settings: readSettings(env), env, waits: false, giveUp });
}

test('a daemon is built, serves, stops when a caller asks, and is built again on the same state', async () => {
  const state = aState();
  using client = connect({ state, start: false });
  const first = await build(state);
  const { session, output } = await client.exec({ argv: ['echo', 'hi'], name: 'greeting' });
  expect([output, session.exit?.status]).toEqual(['hi\n', 0]);
  await client.stopDaemon({ planned: true });
  const ending = await first.asked;
  expect(ending).toEqual({ why: 'a caller', planned: true });
  await first.stop(ending);
  const second = await build(state);
  expect((await client.show('greeting')).session.id).toBe(session.id);
  await second.stop({ why: 'the test is over', planned: false });
});

test('two daemons cannot have one folder, and what one could not build it releases', async () => {
  const state = aState();
  mkdirSync(join(state, 'daemon.sock', 'in the way'), { recursive: true });
  await expect(build(state)).rejects.toThrow(/daemon\.sock/);
  rmSync(join(state, 'daemon.sock'), { recursive: true });
  const daemon = await build(state);
  await expect(build(state)).rejects.toMatchObject({ code: 'daemon_running' });
  await daemon.stop({ why: 'the test is over', planned: false });
});

test('what was built last is stopped first, and everything is stopped when one part fails', async () => {
  const ended: string[] = [];
  const stops = new Stops();
  stops.add(() => ended.push('ground'));
  stops.add(
    () => Promise.reject(new Error('stuck')),
    () => ended.push('beside it'),
  );
  stops.add(async () => ended.push('roof'));
  await expect(stops.run()).rejects.toThrow('stuck');
  expect(ended).toEqual(['roof', 'beside it', 'ground']);
  await stops.run();
  expect(ended).toHaveLength(3);
});
