import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { OldVersion } from '../kept/old-version.ts';
import { bash, mark, SERVERS, story } from '../kept/scenes.ts';
import type { Upgrade } from '../kept/upgrade.ts';

// What the first kept version did not have: agents that are driven by messages, staged updates, a config.

const WAIT_MS = 60_000;

/** Whether a kept version has an agent that is driven by messages, and was recorded with one. */
export function isLater(old: OldVersion): boolean {
  return old.has('dist/echo.js');
}

/** Today's daemon reads the config of the old version: each key has its old meaning. */
export async function expectConfig(upgrade: Upgrade, noticesBefore: readonly string[]): Promise<void> {
  const { old } = upgrade;
  expect(await upgrade.view('model')).toMatchObject({ model: 'claude-kept-1' });
  // No agent is given: the config has the default.
  const started = await upgrade.cli(['start', '--name', 'model-again', '--model', 'kept', 'hello'], { name: 'model' });
  expect([started.status, started.stderr]).toMatchObject([0, expect.not.stringContaining('config')]);
  expect(await upgrade.view('model-again')).toMatchObject({ agent: 'scripted', model: 'claude-kept-1' });
  expect(await upgrade.cli(['exec', '-c', 'kept-tool'])).toMatchObject({ status: 0, stdout: 'from the tool\n' });
  // The rule in the config denies the call, so nobody is asked.
  const denied = story(bash('kept-forbidden x'), { text: 'denied' });
  await upgrade.cli(['start', '--name', 'ruled', '--gate', '--ask-timeout', 'none', denied], { name: 'model' });
  expect((await upgrade.world.client.reply({ session: 'ruled', timeoutMs: WAIT_MS })).reply).toBe('denied');
  // Notices that the old version sent are not sent again.
  const isSent = (): boolean => old.notices().some((line) => line.includes('(cut)'));
  await eventually(isSent, { what: 'a notice of the new daemon', msMax: WAIT_MS });
  expect(old.notices().slice(0, noticesBefore.length)).toEqual(noticesBefore);
  expect(old.notices()).toEqual([...new Set(old.notices())]);
}

/** Agents that are driven by messages continue their conversations. A question ends with its process. */
export async function expectServers({ world: { client }, ...upgrade }: Upgrade): Promise<void> {
  const { old } = upgrade;
  const one = async (name: string): Promise<void> => {
    const before = (await client.show(`on-${name}`)).session;
    const { met, reply } = await client.converse(`on-${name}`, 'say again', { timeoutMs: WAIT_MS });
    expect([name, met, reply]).toEqual([name, 'answered', 'again']);
    expect((await client.show(`on-${name}`)).session.conversation).toBe(before.conversation);
    expect(old.ledger(name)).toEqual([name]);
  };
  await Promise.all(SERVERS.map(one));
  expect(await client.reply({ session: 'wonders', timeoutMs: WAIT_MS })).toMatchObject({ met: 'answered' });
  expect(old.ledger('wonders')).toEqual([]);
}

/** An update that was staged when the power was cut is delivered once, after the interrupted turn. */
export async function expectStaged(upgrade: Upgrade): Promise<void> {
  const { old, world } = upgrade;
  const deliveries = async (): Promise<string[]> =>
    (await world.events('working')).filter((type) => type === 'update.delivered');
  await eventually(async () => (await deliveries()).length > 0, { what: 'the staged update', msMax: WAIT_MS });
  await world.client.wait({ session: 'working', for: 'idle', timeoutMs: WAIT_MS });
  expect(await deliveries()).toHaveLength(1);
  expect(old.ledger('working').toSorted()).toEqual(['began', 'news']);
}

/** The agents that are in a turn when the old daemon dies, one of them with a pending question. */
export const RUNNING = [...SERVERS.map((name) => `in-${name}`), 'asks-server', 'told'] as const;

/** Starts turns of agents that are driven by messages, one with a question, and one with a staged update. */
export async function startLater(old: OldVersion, go: string): Promise<string> {
  const cwd = join(old.root, 'workspace');
  for (const name of SERVERS) {
    const turn = ['run echo begun >> "$HOME/ledger"', `wait ${go}`, 'run echo ended >> "$HOME/ledger"', 'say done'];
    await old.run(['start', '--agent', name, '--live', '--name', `in-${name}`, turn.join('\n')], {
      name: `in-${name}`,
      cwd,
    });
  }
  const gate = ['--live', '--gate', '--ask-timeout', 'none'];
  const asks = 'run echo allowed >> "$HOME/ledger"\nsay from asks-server';
  await old.run(['start', '--agent', 'echo', '--name', 'asks-server', ...gate, asks], { name: 'asks-server' });
  const child = bash('outlast exec -b --wake --name told-child -- false');
  const work = bash(`until [ -e ${go} ]; do sleep 0.05; done`);
  const turn = story(child, work, mark('after'), { text: 'from told' });
  await old.run(['start', '--agent', 'scripted', '--name', 'told', turn], { name: 'told' });
  const isStaged = async (): Promise<boolean> => (await old.run(['events', 'told'])).includes('update.staged');
  await eventually(isStaged, { what: 'a staged update', msMax: WAIT_MS });
  for (const name of SERVERS)
    await eventually(() => old.ledger(`in-${name}`).length === 1, { what: `${name} in a turn`, msMax: WAIT_MS });
  return eventually(async () => /"id":\s*"(\w+)"/.exec(await old.run(['approvals', 'asks-server', '--json']))?.[1], {
    what: 'a question in messages',
    msMax: WAIT_MS,
  });
}

/** Today's daemon decides a question of a process that the old one started. */
export async function answerLater({ world: { client }, old }: Upgrade, question: string): Promise<void> {
  const open = await eventually(
    async () => {
      const all = await client.approvals.list({ session: 'asks-server' });
      return all.length > 0 && all;
    },
    { what: 'the question of an adopted process', msMax: WAIT_MS },
  );
  expect([open.map(({ id }) => id), old.ledger('asks-server')]).toEqual([[question], []]);
  await client.approvals.decide(question, true, { by: 'ann' });
}

/** Turns that started under the old daemon end under this one, and nothing is done or delivered twice. */
export async function expectLaterEnds({ world, old }: Upgrade): Promise<void> {
  for (const name of SERVERS) {
    expect((await world.client.reply({ session: `in-${name}`, timeoutMs: WAIT_MS })).reply).toBe('done');
    expect([name, old.ledger(`in-${name}`)]).toEqual([name, ['begun', 'ended']]);
  }
  expect((await world.client.reply({ session: 'asks-server', timeoutMs: WAIT_MS })).reply).toBe('from asks-server');
  expect(old.ledger('asks-server')).toEqual(['allowed']);
  expect((await world.client.reply({ session: 'told', timeoutMs: WAIT_MS })).reply).toBe('from told');
  const updates = (await world.events('told')).filter((type) => type.startsWith('update.'));
  expect(updates).toEqual(['update.queued', 'update.staged', 'update.delivered']);
}

/** A schedule is still paused, and starts a session when it is asked to; expected where the record has one. */
export async function expectSchedule({ old, world: { client } }: Upgrade): Promise<void> {
  if (!existsSync(join(old.state, 'schedules'))) return;
  const { schedule } = await client.schedules.show('yearly');
  expect(schedule).toMatchObject({ state: 'paused', every: '30 7 1 1 *', timezone: 'Europe/Berlin', missed: 'skip' });
  const { session } = await client.schedules.run('yearly');
  const { session: ended } = await client.wait({ session: session ?? '', for: 'exit', timeoutMs: WAIT_MS });
  expect([ended.name, ended.exit?.status]).toEqual(['yearly', 0]);
}
