import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../agents/home.ts';
import { keep } from '../boot-files.ts';
import { eventually } from '../eventually.ts';
import { machine } from '../fault/machine.ts';
import { World } from '../world.ts';

/** A machine that can be started again; its daemon tells a file what boots found. */
function house(foreign: 'ask' | 'off') {
  const root = mkdtempSync(join(tmpdir(), 'ol-told-'));
  const told = join(root, 'told');
  writeFileSync(told, '');
  const notices = [{ name: 'person', on: ['boot'], command: ['sh', '-c', `cat >>'${told}'`] }];
  const config = { boot: { foreign, agents: ['scripted'], delayMs: 0 }, notices };
  const started = async (wrap: readonly string[]): Promise<World> => {
    const world = new World({ state: join(root, 'state'), config, wrap });
    Object.assign(world.env, environment(root, null));
    await world.start();
    return world;
  };
  const away = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  return { root, started, away, told: () => readFileSync(told, 'utf8') };
}

test('after a boot a person is told what was interrupted, and asked; a restart of the daemon is no boot', async () => {
  const { root, started, told, away } = house('ask');
  try {
    const kept = keep('asked', { config: join(root, 'config'), cwd: root });
    const first = await started([]);
    // Nothing was before the first start.
    expect((await first.client.lastBoots()).boots).toEqual([]);
    await first.restart();
    expect((await first.client.lastBoots()).boots).toEqual([]);
    await first.kill();
    first.client.close();
    await using second = await started(machine(root, '/nonexistent'));
    await eventually(() => told().includes(kept.id), { msMax: 20_000 });
    expect(told()).toContain(
      'Outlast after the boot: 1 of 1 conversations was interrupted; to go on: outlast boot --resume all',
    );
    expect((await second.client.list()).sessions).toEqual([]);
    const [boot] = (await second.client.lastBoots()).boots;
    expect(boot).toMatchObject({ why: 'boot', foreign: 'ask', conversations: [{ id: kept.id, did: 'nothing' }] });
  } finally {
    away();
  }
});

test('with the policy off nobody looks after a boot', async () => {
  const { root, started, told, away } = house('off');
  try {
    keep('asked', { config: join(root, 'config'), cwd: root });
    const first = await started([]);
    await first.kill();
    first.client.close();
    await using second = await started(machine(root, '/nonexistent'));
    await eventually(async () => (await second.client.daemonStatus()).pid > 0);
    expect([(await second.client.lastBoots()).boots, told()]).toEqual([[], '']);
  } finally {
    away();
  }
});
