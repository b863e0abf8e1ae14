import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../agents/under-test/claude-home.ts';
import { keep } from '../boot-files.ts';
import { eventually } from '../eventually.ts';
import { container, machine } from '../fault/machine.ts';
import { World } from '../world.ts';

/** A machine that can be rebooted; its daemon writes the notices about boots to a file. */
function rebootable(foreign: 'ask' | 'off') {
  const root = mkdtempSync(join(tmpdir(), 'ol-notice-'));
  const noticeText = join(root, 'notices');
  writeFileSync(noticeText, '');
  const notices = [{ name: 'person', on: ['boot'], command: ['sh', '-c', `cat >>'${noticeText}'`] }];
  const config = { boot: { foreign, agents: ['scripted'], delayMs: 0 }, notices };
  const startDaemon = async (wrap: readonly string[]): Promise<World> => {
    const world = new World({ state: join(root, 'state'), config, wrap });
    Object.assign(world.env, environment(root, null));
    await world.start();
    return world;
  };
  const removeAll = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  return { root, startDaemon, removeAll, noticeText: () => readFileSync(noticeText, 'utf8') };
}

test('after a boot a person is notified of interruptions, and asked; a daemon restart is not a boot', async () => {
  const { root, startDaemon, noticeText, removeAll } = rebootable('ask');
  try {
    const kept = keep('asked', { config: join(root, 'config'), cwd: root });
    const first = await startDaemon([]);
    // The first start is not a boot.
    expect((await first.client.lastBoots()).boots).toEqual([]);
    await first.restart();
    expect((await first.client.lastBoots()).boots).toEqual([]);
    await first.kill();
    first.client.close();
    await using second = await startDaemon(machine(root, '/nonexistent'));
    await eventually(() => noticeText().includes(kept.id), { msMax: 20_000 });
    expect(noticeText()).toContain(
      'Outlast after the boot: 1 of 1 conversations was interrupted; to continue: outlast boot --resume all',
    );
    expect((await second.client.list()).sessions).toEqual([]);
    // The status shows it without any notice, too.
    const left = '1 conversation was interrupted; to continue: outlast boot --resume all';
    expect((await second.client.daemonStatus()).interrupted).toBe(left);
    const [boot] = (await second.client.lastBoots()).boots;
    expect(boot).toMatchObject({ why: 'boot', foreign: 'ask', conversations: [{ id: kept.id, did: 'nothing' }] });
    await second.client.call('boot.run', { env: environment(root, null), resume: [kept.id] });
    expect((await second.client.daemonStatus()).interrupted).toBeNull();
  } finally {
    removeAll();
  }
});

test('a container that is restarted counts as a boot, though its kernel is the same', async () => {
  const { root, startDaemon, noticeText, removeAll } = rebootable('ask');
  try {
    const kept = keep('asked', { config: join(root, 'config'), cwd: root });
    const first = await startDaemon(container('/nonexistent'));
    expect((await first.client.daemonStatus()).away).toBeNull();
    await first.kill();
    first.client.close();
    await using second = await startDaemon(container('/nonexistent'));
    await eventually(() => noticeText().includes(kept.id), { msMax: 20_000 });
    expect((await second.client.daemonStatus()).away).toMatchObject({ kind: 'boot', planned: false });
  } finally {
    removeAll();
  }
});

test('a scan on behalf of a service notifies people, once about the same', async () => {
  const { root, startDaemon, noticeText, removeAll } = rebootable('ask');
  try {
    const where = { config: join(root, 'config'), cwd: root };
    await using world = await startDaemon([]);
    const scan = (tell: boolean) => world.client.call('boot.run', { env: environment(root, null), tell });
    const first = keep('asked', where);
    await scan(false);
    const second = keep('asked', where);
    await scan(true);
    await eventually(() => noticeText().includes(second.id), { msMax: 20_000 });
    expect(noticeText()).toContain(first.id);
    expect(noticeText()).toContain('Outlast: 2 of 2 conversations were interrupted');
    await scan(true);
    const third = keep('asked', where);
    await scan(true);
    await eventually(() => noticeText().includes(third.id), { msMax: 20_000 });
    expect(noticeText().match(/conversations were interrupted/g)).toHaveLength(2);
  } finally {
    removeAll();
  }
});

test('with the policy off nothing is scanned after a boot', async () => {
  const { root, startDaemon, noticeText, removeAll } = rebootable('off');
  try {
    keep('asked', { config: join(root, 'config'), cwd: root });
    const first = await startDaemon([]);
    await first.kill();
    first.client.close();
    await using second = await startDaemon(machine(root, '/nonexistent'));
    await eventually(async () => (await second.client.daemonStatus()).pid > 0);
    expect([(await second.client.lastBoots()).boots, noticeText()]).toEqual([[], '']);
  } finally {
    removeAll();
  }
});
