import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../agents/under-test/claude-home.ts';
import { keep } from '../boot-files.ts';
import { eventually } from '../eventually.ts';
import { container, machine } from '../fault/machine.ts';
import { World } from '../world.ts';

/** A machine that can be rebooted; its daemon writes to a file what boots found. */
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

test('after a boot a person is notified of interruptions, and asked; a daemon restart is not a boot', async () => {
  const { root, started, told, away } = house('ask');
  try {
    const kept = keep('asked', { config: join(root, 'config'), cwd: root });
    const first = await started([]);
    // There is nothing before the first start.
    expect((await first.client.lastBoots()).boots).toEqual([]);
    await first.restart();
    expect((await first.client.lastBoots()).boots).toEqual([]);
    await first.kill();
    first.client.close();
    await using second = await started(machine(root, '/nonexistent'));
    await eventually(() => told().includes(kept.id), { msMax: 20_000 });
    expect(told()).toContain(
      'Outlast after the boot: 1 of 1 conversations was interrupted; to continue: outlast boot --resume all',
    );
    expect((await second.client.list()).sessions).toEqual([]);
    // Also without any notice.
    const left = '1 conversation was interrupted; to continue: outlast boot --resume all';
    expect((await second.client.daemonStatus()).interrupted).toBe(left);
    const [boot] = (await second.client.lastBoots()).boots;
    expect(boot).toMatchObject({ why: 'boot', foreign: 'ask', conversations: [{ id: kept.id, did: 'nothing' }] });
    await second.client.call('boot.run', { env: environment(root, null), resume: [kept.id] });
    expect((await second.client.daemonStatus()).interrupted).toBeNull();
  } finally {
    away();
  }
});

test('a container that is restarted counts as a boot, though its kernel is the same', async () => {
  const { root, started, told, away } = house('ask');
  try {
    const kept = keep('asked', { config: join(root, 'config'), cwd: root });
    const first = await started(container('/nonexistent'));
    expect((await first.client.daemonStatus()).away).toBeNull();
    await first.kill();
    first.client.close();
    await using second = await started(container('/nonexistent'));
    await eventually(() => told().includes(kept.id), { msMax: 20_000 });
    expect((await second.client.daemonStatus()).away).toMatchObject({ kind: 'boot', planned: false });
  } finally {
    away();
  }
});

test('a scan on behalf of a service notifies people, once about the same', async () => {
  const { root, started, told, away } = house('ask');
  try {
    const where = { config: join(root, 'config'), cwd: root };
    await using world = await started([]);
    const asked = (tell: boolean) => world.client.call('boot.run', { env: environment(root, null), tell });
    const first = keep('asked', where);
    await asked(false);
    const second = keep('asked', where);
    await asked(true);
    await eventually(() => told().includes(second.id), { msMax: 20_000 });
    expect(told()).toContain(first.id);
    expect(told()).toContain('Outlast: 2 of 2 conversations were interrupted');
    await asked(true);
    const third = keep('asked', where);
    await asked(true);
    await eventually(() => told().includes(third.id), { msMax: 20_000 });
    expect(told().match(/conversations were interrupted/g)).toHaveLength(2);
  } finally {
    away();
  }
});

test('with the policy off nothing is scanned after a boot', async () => {
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
