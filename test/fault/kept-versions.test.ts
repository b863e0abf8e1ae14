import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { some } from '../campaign.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { pathsBelow } from '../kept/folder-file.ts';
import type { OldVersion } from '../kept/old-version.ts';
import { bash, mark, story } from '../kept/scenes.ts';
import { Upgrade, VERSIONS, writtenIn } from '../kept/upgrade.ts';
import {
  answerLater,
  expectConfig,
  expectLaterEnds,
  expectSchedule,
  expectServers,
  expectStaged,
  isLater,
  RUNNING,
  startLater,
} from './kept-later.ts';

// Earlier versions, as scripts/keep-version.ts stored them: today's daemon reads their files and adopts their runs.

const WAIT_MS = 60_000;
const LONG = { timeout: 300_000 };

test.concurrent.each(VERSIONS)(
  'T-UPG-3: %s: after a reboot its journal, config and run folders are opened, and all sessions continue',
  LONG,
  async (version) => {
    await using upgrade = new Upgrade(version);
    const { old, world } = upgrade;
    const before = writtenIn(old.state);
    const notices = old.notices();
    const files = pathsBelow(join(old.state, 'sessions')).filter((path) =>
      /runs\/\d+\/(output|stderr|plan)$/.test(path),
    );
    const texts = files.map((path) => [path, readFileSync(path, 'latin1')]);
    await world.start();
    const { sessions } = await world.client.list({ limit: 100 });
    expect(sessions.map(({ name }) => name).sort()).toEqual(before.names.toSorted());
    await expectEnded(upgrade);
    await expectConversations(upgrade);
    await expectWaiting(upgrade);
    await expectQuestion(upgrade, before.question);
    if (isLater(old)) {
      await expectServers(upgrade);
      await expectStaged(upgrade);
      await expectConfig(upgrade, notices);
      await expectSchedule(upgrade);
    }
    expectOnce(old);
    await world.kill();
    const after = writtenIn(old.state);
    expect(after.events.slice(0, before.events.length)).toEqual(before.events);
    expect(after.audit.slice(0, before.audit.length)).toEqual(before.audit);
    expect(files.map((path) => [path, readFileSync(path, 'latin1')])).toEqual(texts);
  },
);

/** Ended sessions are unchanged. A command that ran when the power was cut is lost, and not run again. */
async function expectEnded(upgrade: Upgrade): Promise<void> {
  for (const name of ['done', 'bad', 'stopped', 'decided', 'child', 'weekly-first', 'weekly-second'])
    expect([name, (await upgrade.view(name)).phase]).toEqual([name, 'ended']);
  expect(await upgrade.view('done')).toMatchObject({ exit: { status: 0 } });
  expect((await upgrade.cli(['output', 'done'])).stdout.trim().split('\n')).toHaveLength(500);
  expect(await upgrade.view('bad')).toMatchObject({ exit: { status: 3 } });
  expect(await upgrade.cli(['output', 'bad', '--stderr'])).toMatchObject({ stdout: 'err\n' });
  expect(await upgrade.view('stopped')).toMatchObject({ outcome: { kind: 'stopped' } });
  expect(await upgrade.view('child')).toMatchObject({ exit: { status: 4 } });
  await upgrade.world.client.wait({ session: 'cut', for: 'ended', timeoutMs: WAIT_MS });
  expect(await upgrade.view('cut')).toMatchObject({ outcome: { kind: 'abandoned' } });
}

/** Agents continue their conversations. */
async function expectConversations(upgrade: Upgrade): Promise<void> {
  const one = async (name: string): Promise<void> => {
    const { conversation } = await upgrade.view(name);
    const { met, reply } = await upgrade.world.client.converse(name, 'still there?', { timeoutMs: WAIT_MS });
    expect([name, met, reply]).toEqual([name, 'answered', 'You said: still there?']);
    expect((await upgrade.view(name)).conversation).toBe(conversation);
  };
  await Promise.all(['turns', 'live-pty', 'live-tmux', 'tree', 'owner'].map(one));
  expect((await upgrade.view('tree')).worktree).toMatchObject({ dirty: 1 });
}

/** Sessions that waited for a person, a limit or another session still wait, and then continue. */
async function expectWaiting(upgrade: Upgrade): Promise<void> {
  const { client } = upgrade.world;
  expect(await upgrade.view('held')).toMatchObject({ phase: 'held', hold: { kind: 'billing' } });
  expect(await upgrade.view('limited')).toMatchObject({ phase: 'limited', limitedUntilMs: 4_102_444_800_000 });
  expect(await upgrade.view('after')).toMatchObject({ prompts: [{ state: 'queued' }] });
  for (const name of ['held', 'limited']) {
    expect([name, upgrade.old.ledger(name)]).toEqual([name, ['a']]);
    await client.resume({ session: name });
  }
  for (const [name, reply] of Object.entries({ held: 'paid', limited: 'went on', after: 'from after' }))
    expect(await client.reply({ session: name, timeoutMs: WAIT_MS })).toMatchObject({ met: 'answered', reply });
}

/** A deferred question outlasts its process, and its decision counts. A question on a screen ends with its process. */
async function expectQuestion({ world: { client }, old }: Upgrade, question: string): Promise<void> {
  expect((await client.reply({ session: 'asked', timeoutMs: WAIT_MS })).reply).toBe('from asked');
  expect((await client.approvals.list()).map(({ id }) => id)).toEqual([question]);
  expect(old.ledger('parked')).toEqual([]);
  await client.approvals.decide(question, true, { by: 'ann' });
  expect((await client.reply({ session: 'parked', timeoutMs: WAIT_MS })).reply).toBe('from parked');
  expect(await client.approvals.verify()).toMatchObject({ ok: true });
}

/** Everything was done once, by either version. */
function expectOnce(old: OldVersion): void {
  const commands = { done: ['once'], cut: ['once'], owner: ['child'] };
  const agents = { turns: ['turns'], 'live-pty': ['pty'], 'live-tmux': ['tmux'], after: ['after'] };
  const parked = { held: ['a', 'b'], limited: ['a', 'b'], decided: ['yes'], parked: ['parked'], asked: [] };
  const all = { ...commands, ...agents, ...parked, tree: ['worktree'], batch: ['first'] };
  expect(Object.fromEntries(Object.keys(all).map((name) => [name, old.ledger(name)]))).toEqual(all);
}

test.concurrent.each(some(VERSIONS, 2))(
  'T-UPG-4: %s: its runs are adopted with their run folders and its config, and end properly',
  LONG,
  async (version) => {
    await using upgrade = new Upgrade(version);
    const { old, world } = upgrade;
    await old.start();
    const { question, folder, go } = await startAll(old);
    const later = isLater(old) ? { names: RUNNING, question: await startLater(old, go) } : null;
    const names = [...Object.keys(DRIVES), ...OTHERS, ...(later?.names ?? [])];
    const running = await Promise.all(names.map((name) => processOf(old, name)));
    await old.kill();
    await world.start();
    for (const { name, pid, run } of running) {
      expect([name, await upgrade.view(name)]).toMatchObject([name, { pid, run }]);
      expect([name, isRunning(pid)]).toEqual([name, true]);
    }
    const open = await world.client.approvals.list({ session: 'asks' });
    expect([open.map(({ id }) => id), old.ledger('asks')]).toEqual([[question], []]);
    await world.client.approvals.decide(question, true, { by: 'ann' });
    if (later !== null) await answerLater(upgrade, later.question);
    writeFileSync(go, '');
    await expectEnds(upgrade);
    if (later !== null) await expectLaterEnds(upgrade);
    // Today's version finishes a batch that the old one started, and repeats nothing of it.
    const batch = await upgrade.cli(['batch', 'old.json'], { name: 'begun', cwd: folder });
    expect([batch.status, old.ledger('begun')]).toEqual([0, ['first', 'second']]);
    for (const { name, run } of running) expect([name, (await upgrade.view(name)).run]).toEqual([name, run]);
    expect(await world.client.approvals.verify()).toMatchObject({ ok: true });
  },
);

const DRIVES = { 'in-turns': [], 'in-pty': ['--live', '--pty'], 'in-tmux': ['--live', '--tmux'] };
const OTHERS = ['command', 'asks', 'live-pty', 'live-tmux'];

/** Starts what runs when the old daemon dies: a command, agents in a turn, one with a question, and a batch. */
async function startAll(old: OldVersion): Promise<{ question: string; folder: string; go: string }> {
  const [go, folder] = [join(old.root, 'go'), join(old.root, 'workspace')];
  const untilGo = `until [ -e ${go} ]; do sleep 0.05; done`;
  const command = `echo begun; ${untilGo}; echo once >> "$HOME/ledger"; seq 1 20000; exit 5`;
  await old.run(['exec', '-b', '--name', 'command', '-c', command], { name: 'command' });
  const starts = Object.entries(DRIVES).map(async ([name, words]) => {
    const work = bash(`echo begun >> "$HOME/ledger"; ${untilGo}; echo ended >> "$HOME/ledger"`);
    const text = story(work, mark('after'), { text: `from ${name}` });
    await old.run(['start', '--agent', 'scripted', '--name', name, ...words, text], { name });
    await eventually(() => old.ledger(name).length === 1, { what: `${name} at work`, msMax: WAIT_MS });
  });
  const gate = ['--live', '--tmux', '--gate', '--ask-timeout', 'none'];
  const asks = story(mark('allowed'), { text: 'from asks' });
  await old.run(['start', '--agent', 'scripted', '--name', 'asks', ...gate, asks], { name: 'asks' });
  const first = { prompt: story(mark('first'), { text: 'the first' }) };
  const second = { after: 'first', prompt: story(bash(untilGo), mark('second'), { text: 'the second' }) };
  const plan = { defaults: { agent: 'scripted' }, sessions: { first, second } };
  writeFileSync(join(folder, 'old.json'), JSON.stringify(plan));
  void old.cli(['batch', 'old.json'], { name: 'begun', cwd: folder });
  await Promise.all(starts);
  const question = await eventually(
    async () => /"id":\s*"(\w+)"/.exec(await old.run(['approvals', 'asks', '--json']))?.[1],
    { what: 'a question of the old version', msMax: WAIT_MS },
  );
  const isBegun = async (): Promise<boolean> => (await old.run(['events', 'old-second'])).includes('tool.called');
  await eventually(isBegun, { what: 'a batch half done', msMax: WAIT_MS });
  // The recorded live sessions are back as well, in processes of the old version.
  for (const name of ['live-pty', 'live-tmux']) await old.run(['wait', name, '--for', 'idle', '--timeout', '60s']);
  return { question, folder, go };
}

async function processOf(old: OldVersion, name: string): Promise<{ name: string; pid: number; run: number }> {
  const { pid, run } = JSON.parse(await old.run(['show', name, '--json'])).session;
  return { name, pid, run };
}

/** Runs that the old version started end as expected, with complete output. */
async function expectEnds(upgrade: Upgrade): Promise<void> {
  const { client } = upgrade.world;
  const { old } = upgrade;
  for (const name of [...Object.keys(DRIVES), 'asks'])
    expect((await client.reply({ session: name, timeoutMs: WAIT_MS })).reply).toBe(`from ${name}`);
  for (const name of Object.keys(DRIVES)) expect([name, old.ledger(name)]).toEqual([name, ['begun', 'ended', 'after']]);
  await client.wait({ session: 'command', for: 'ended', timeoutMs: WAIT_MS });
  expect([old.ledger('asks'), old.ledger('command')]).toEqual([['allowed'], ['once']]);
  expect(await upgrade.view('command')).toMatchObject({ exit: { status: 5 } });
  const lines = (await upgrade.cli(['output', 'command'])).stdout.trim().split('\n');
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([20_001, 'begun', '1', '20000']);
  for (const name of ['live-pty', 'live-tmux'])
    expect((await client.converse(name, 'hello', { timeoutMs: WAIT_MS })).reply).toBe('You said: hello');
}
