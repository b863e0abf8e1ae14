import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import type { InputId } from '../../src/core/event.ts';
import type { SessionId } from '../../src/core/session.ts';
import { backupFiles, makeBackup } from '../../src/daemon/journal/backup.ts';
import { asideFolders, journalFile } from '../../src/daemon/journal/damaged-journal.ts';
import { startKeeper } from '../../src/daemon/journal/keeper.ts';
import { openJournal } from '../../src/daemon/journal/open.ts';
import { rebuildJournal } from '../../src/daemon/journal/rebuild.ts';
import type { Mirror } from '../../src/daemon/mirror/mirror.ts';
import { faultOf, NO_HASH } from '../../src/journal/audit.ts';
import type { Journal, Position } from '../../src/journal/journal.ts';
import { keepCallerProcess } from '../../src/supervisor/caller-process.ts';
import { runFolder, sessionFolder } from '../../src/terminal/run-folder.ts';
import { asked, decided } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';
import { AGENT_SPEC, COMMAND_SPEC, type JournalSession, JournalWorld } from './journal-world.ts';
import { mirrorOf } from './mirror-world.ts';

// A journal is lost, emptied or damaged while no daemon has it open, and opened again.

let before: Journal;
let world: JournalWorld;
let mirror: Mirror;
let journal: Journal | null = null;
const clock = realClock();
const lines: string[] = [];
const log = (line: string): void => void lines.push(line);
const giveUp = (cause: unknown): never => {
  throw cause;
};
const open = (): Journal => openJournal({ state: world.state, clock, log, giveUp });
const all = (from: Journal) => from.read(0 as Position, 10_000);

beforeEach(() => {
  world = new JournalWorld((state) => {
    before = openJournal({ state, clock, log, giveUp });
    return before;
  });
  mirror = mirrorOf(world);
});

afterEach(() => {
  journal?.close();
  journal = null;
  world[Symbol.dispose]();
});

/** Mirrors everything, and ends the daemon. */
async function mirrored(): Promise<void> {
  await mirror.stop();
  before.close();
}

function stories(): { done: JournalSession; agent: JournalSession } {
  const done = world.make({ name: 'build' }).open(1).close(1, 7).end(7);
  const agent = world.make({ drive: 'turns', name: 'api' }).turn(1, 'a').queue('b');
  return { done, agent };
}

function writeAt(path: string, offset: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, null, offset);
  closeSync(file);
}

const LOSSES: [string, (path: string) => void][] = [
  ['deleted', (path) => ['', '-wal', '-shm'].forEach((end) => void rmSync(path + end, { force: true }))],
  ['emptied', (path) => truncateSync(path, 0)],
  ['cut off', (path) => truncateSync(path, 5_000)],
  ['no database', (path) => writeFileSync(path, 'x'.repeat(50_000))],
];

test.each(LOSSES)('T-JOURNAL-1: a journal that was %s is rebuilt from the folders', async (_, lose) => {
  const { done, agent } = stories();
  await mirrored();
  lose(journalFile(world.state));
  journal = open();
  expect(journal.id).not.toBe(before.id);
  expect(journal.find('build')).toMatchObject({ live: false, session: { id: done.id } });
  const row = journal.find('api');
  expect(row?.session).toMatchObject({ id: agent.id, restored: true, prompts: [{ id: 'b', state: 'queued' }] });
  expect(journal.taken(`start:${done.id}` as InputId)).toBe(done.id);
  expect(existsSync(sessionFolder(world.state, done.id))).toBe(true);
});

test('T-JOURNAL-2: a rebuilt journal keeps every event, with its position, its cause and its times', async () => {
  stories();
  const session = all(before);
  await mirrored();
  rmSync(journalFile(world.state));
  journal = open();
  expect(all(journal).slice(0, session.length)).toEqual(session);
  expect(all(journal).slice(session.length)).toMatchObject([{ event: { body: { type: 'session.restored' } } }]);
});

test('T-JOURNAL-2: what a damaged journal has and the folders do not is recovered from it', async () => {
  const { agent } = stories();
  await mirror.stop();
  // After the last line of the mirror.
  agent.queue('c');
  before.saveCursor(`reader:${agent.id}:poll`, 77);
  before.saveFact('rules', 'mine');
  before.close();
  writeFileSync(`${journalFile(world.state)}.damage`, 'a test said so\n');
  journal = open();
  expect(journal.find('api')?.session.prompts.map(({ id }) => id)).toEqual(['b', 'c']);
  expect(journal.cursor(`reader:${agent.id}:poll`)).toBe(77);
  expect(journal.fact('rules')).toBe('mine');
  const [aside = ''] = asideFolders(world.state);
  expect(readdirSync(aside)).toEqual(expect.arrayContaining(['outlast.db', 'outlast.db.damage']));
});

test('T-JOURNAL-3: a journal that is older than the folders catches up with them, and is kept aside', async () => {
  const { agent } = stories();
  const backup = (await makeBackup(world.state, clock.wallMs())) ?? '';
  agent.open(2, 'b').accept('b');
  const late = world.make({ name: 'late' }).open(1);
  await mirrored();
  for (const end of ['-wal', '-shm']) rmSync(journalFile(world.state) + end, { force: true });
  copyFileSync(backup, journalFile(world.state));
  journal = open();
  // Not queued any more: sending it again would duplicate it.
  expect(journal.find('api')?.session).toMatchObject({
    restored: true,
    prompts: [{ id: 'b', state: 'accepted', run: 2 }],
  });
  expect(journal.find('late')?.session.id).toBe(late.id);
  expect(asideFolders(world.state)).toHaveLength(1);
});

test('T-JOURNAL-4: a run that is known only from its folder is recovered', async () => {
  const { done, agent } = stories();
  await mirrored();
  for (const [id, run] of [
    [done.id, 1],
    [agent.id, 2],
  ] as const) {
    const files = runFolder(world.state, { session: id, run });
    mkdirSync(files.folder, { recursive: true });
    writeFileSync(files.claim, '');
    writeFileSync(files.launcher, `${process.pid} 1 some-boot\n`);
  }
  rmSync(journalFile(world.state));
  journal = open();
  expect(journal.find('api')?.session.run).toMatchObject({ number: 2, boot: 'some-boot' });
  expect(journal.find('build')?.session.phase.at).toBe('ended');
});

test('T-JOURNAL-4: a session that was accepted a moment ago is recovered without a mirror', async () => {
  await mirrored();
  const id = newId(clock.wallMs()) as SessionId;
  const accepted = { spec: COMMAND_SPEC, prompt: null, cause: 'start:k' as InputId, atMs: 5, steadyMs: 6 };
  keepCallerProcess(world.state, id, { env: {}, umask: 0o22, accepted }, { durably: false });
  rmSync(journalFile(world.state));
  journal = open();
  expect(journal.find(id)?.session).toMatchObject({ restored: true, phase: { at: 'queued' } });
  expect(journal.taken('start:k' as InputId)).toBe(id);
});

test('T-JOURNAL-5: lines that are torn or cannot follow are left out, and the rest is kept', async () => {
  const { done, agent } = stories();
  await mirrored();
  appendFileSync(done.file('events.jsonl'), '{"position":99,"seq":');
  appendFileSync(
    agent.file('events.jsonl'),
    '{"position":99,"seq":99,"ts":"2026-01-01T00:00:00Z","event":"x","body":{}}\n',
  );
  rmSync(journalFile(world.state));
  journal = open();
  expect(journal.find('build')?.live).toBe(false);
  expect(journal.find('api')?.session.prompts).toHaveLength(1);
});

test('T-JOURNAL-6: the audit continues in a chain that names the head before it', async () => {
  const agent = world
    .make({ ...AGENT_SPEC, name: 'gated' })
    .queue('a')
    .open(1, 'a')
    .accept('a');
  agent.put(asked('q1'), decided('q1', true));
  const head = before.auditHead();
  await makeBackup(world.state, clock.wallMs());
  agent.put(asked('q2'), decided('q2', false));
  await mirrored();
  rmSync(journalFile(world.state));
  journal = open();
  const rows = journal.audit({ after: 0, limit: 100 });
  expect(rows.map(({ record }) => JSON.parse(record).event)).toEqual([
    'approval.decided',
    'chain.begun',
    'approval.decided',
  ]);
  expect(rows[1]?.prev).toBe(NO_HASH);
  expect(JSON.parse(rows[1]?.record ?? '')).toMatchObject({ head: `${head.number}:${head.hash}`, journal: journal.id });
  const faults = rows.map((row, i) => faultOf(row, rows[i - 1] ?? { number: 0, hash: NO_HASH }));
  expect(faults).toEqual([null, null, null]);
  const forged = { ...rows[1], record: rows[1]?.record.replace(head.hash, NO_HASH) } as NonNullable<(typeof rows)[0]>;
  expect(faultOf(forged, rows[0] ?? forged)).toContain('does not follow');
});

test('T-JOURNAL-7: backups are few, and one can be restored', async () => {
  const { agent } = stories();
  before.saveFact('rules', 'of then');
  const first = (await makeBackup(world.state, 1_000)) ?? '';
  for (const ms of [2_000, 3_000, 4_000]) await makeBackup(world.state, ms);
  expect(backupFiles(world.state)).toHaveLength(4);
  expect(existsSync(first)).toBe(true);
  await makeBackup(world.state, 5_000);
  expect(backupFiles(world.state)).toHaveLength(4);
  expect(existsSync(first)).toBe(false);
  await makeBackup(world.state, 6_000, 2);
  expect(backupFiles(world.state)).toHaveLength(2);
  before.saveFact('rules', 'of now');
  await mirrored();
  const made = rebuildJournal({ state: world.state, clock, log }, 'restored', backupFiles(world.state)[0]);
  journal = open();
  expect(journal.id).toBe(made.journal);
  expect(journal.find(agent.id)?.session.restored).toBe(true);
  expect(journal.fact('rules')).toBe('of then');
});

test('T-JOURNAL-9: damage in an open journal ends the daemon, and the next one handles it', async () => {
  stories();
  await mirrored();
  const ended: unknown[] = [];
  const fatal = (cause: unknown): never => {
    ended.push(cause);
    throw cause;
  };
  const path = journalFile(world.state);
  using spoilt = new DatabaseSync(path);
  const { page } = spoilt.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'sessions'").get() as {
    page: number;
  };
  spoilt.close();
  writeAt(path, (page - 1) * 4096, Buffer.alloc(4096, 0xa5));
  expect(() => openJournal({ state: world.state, clock, log, giveUp: fatal })).toThrow('is damaged');
  expect(ended).toMatchObject([{ code: 'journal_damaged' }]);
  journal = open();
  expect(journal.find('build')?.live).toBe(false);
});

test('T-JOURNAL-7: a daemon backs the journal up again and again, and keeps few', { timeout: 240_000 }, async () => {
  stories();
  const program = join(import.meta.dirname, '../../dist/daemon.js');
  const keeper = startKeeper({
    journal: before as never,
    state: world.state,
    clock,
    log,
    giveUp,
    program,
    everyMs: 20,
  });
  const first = await eventually(() => backupFiles(world.state)[0], { msMax: 60_000 });
  await eventually(() => !backupFiles(world.state).includes(first), { msMax: 120_000 });
  await keeper.stop();
  expect(backupFiles(world.state).length).toBeLessThanOrEqual(4);
  await mirrored();
});

test('a first journal without session folders is simply new, and opening it again changes nothing', async () => {
  await mirrored();
  journal = open();
  expect([journal.id, asideFolders(world.state)]).toEqual([before.id, []]);
});
