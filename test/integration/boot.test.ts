import {
  appendFileSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBoot, verdictOf } from '../agents/foreign.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';
import { keep, STATE_NAMES } from '../boot-files.ts';
import { eventually } from '../eventually.ts';

const SCRIPTED = { boot: { agents: ['scripted'], delayMs: 0 } };
const open = (): Promise<Stage> => openStage(STAND_IN, { config: SCRIPTED });
const at = ({ config, workspace }: Stage) => ({ config, cwd: workspace });
const MINUTE_MS = 60_000;
/** Longer than the uptime of the machine: what was active just before its boot counts. */
const AGES_MS = 400 * 24 * 60 * MINUTE_MS;

/** When a process started, as the kernel counts. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function claim(stage: Stage, id: string, fields: object): void {
  mkdirSync(join(stage.config, 'sessions'), { recursive: true });
  const path = join(stage.config, 'sessions', `${Object.values(fields).join('-')}.json`);
  writeFileSync(path, JSON.stringify({ sessionId: id, statusUpdatedAt: Date.now(), ...fields }));
}

test('a dry run gives a verdict on every conversation, and does nothing', async () => {
  await using stage = await open();
  const kept = STATE_NAMES.map((state) => keep(state, at(stage)));
  const old = keep('asked', { ...at(stage), agoMs: AGES_MS });
  const { status, stdout, stderr } = await stage.cli(['boot', '--dry-run']);
  expect([status, stderr]).toEqual([0, '1 more were not active at the time; --window widens the range.\n']);
  for (const { id, verdict } of kept) {
    const row = stdout.split('\n').find((line) => line.includes(id.slice(0, 8)));
    expect(row).toContain(` ${verdict} `);
  }
  expect(stdout).not.toContain(old.id.slice(0, 8));
  expect(stdout).toContain('3 of 11 conversations were interrupted.');
  const seen = JSON.parse((await stage.cli(['boot', '--dry-run', '--window', '900d', '--json'])).stdout);
  expect(seen.counts.interrupted).toBe(4);
  expect((await stage.world.client.list()).sessions).toEqual([]);
  expect((await stage.world.client.lastBoots()).boots).toEqual([]);
});

test('an agent without stored conversations cannot be selected', async () => {
  await using stage = await open();
  const { status, stderr } = await stage.cli(['boot', '--dry-run', '--only', 'clude']);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/"clude" is not one of .*claude/)]);
});

test('the process that has a conversation open is proven by pid and start, or by the open file', async () => {
  await using stage = await open();
  const [own, reused, written, read] = Array.from({ length: 4 }, () => keep('called', at(stage)));
  if (!own || !reused || !written || !read) throw new Error('four conversations');
  claim(stage, own.id, { pid: process.pid, procStart: startOf(process.pid), status: 'busy' });
  claim(stage, reused.id, { pid: process.pid, procStart: '1', status: 'busy' });
  const files = [openSync(written.path, 'a'), openSync(read.path, 'r')];
  const verdicts = await Promise.all([own, reused, written, read].map(({ id }) => verdictOf(stage, id)));
  for (const file of files) closeSync(file);
  expect(verdicts.map((one) => one?.verdict)).toEqual(['alive', 'interrupted', 'alive', 'interrupted']);
  expect(verdicts[0]?.why).toBe(`process ${process.pid} has it open`);
  const after = await verdictOf(stage, written.id);
  expect(after?.verdict).toBe('interrupted');
});

test('the last report of a killed process is evidence: a long silence, and a question to a person', async () => {
  await using stage = await open();
  const silent = keep('called', { ...at(stage), agoMs: 45 * MINUTE_MS });
  const waiting = keep('called', at(stage));
  claim(stage, silent.id, { pid: 4_000_000, procStart: '1', status: 'busy' });
  claim(stage, waiting.id, { pid: 4_000_001, procStart: '1', status: 'waiting' });
  expect((await verdictOf(stage, silent.id))?.verdict).toBe('interrupted');
  expect((await verdictOf(stage, waiting.id))?.verdict).toBe('waiting');
});

test('what belongs to another user, and what cannot be read, is left alone', async () => {
  await using stage = await open();
  const [foreign, gone] = [keep('asked', at(stage)), keep('asked', at(stage))];
  chownSync(foreign.path, 12_345, 12_345);
  writeFileSync(gone.path, 'x'.repeat(20_000));
  expect((await verdictOf(stage, foreign.id))?.verdict).toBe('foreign-owner');
  expect((await verdictOf(stage, gone.id))?.verdict).toBe('unreadable');
});

test('nothing is resumed until a person says so; then only what was named', async () => {
  await using stage = await open();
  const [one, other] = [keep('asked', at(stage)), keep('called', at(stage))];
  const old = keep('asked', { ...at(stage), agoMs: AGES_MS });
  const asked = await stage.cli(['boot', '--no-wait']);
  expect(asked.stdout).toContain('2 of 3 conversations were interrupted; to continue: outlast boot --resume all.');
  expect((await stage.world.client.list()).sessions).toEqual([]);
  const { status, stdout } = await stage.cli(['boot', '--resume', one.id]);
  expect([status, stdout]).toEqual([0, expect.stringContaining('1 resumed')]);
  const { sessions } = await stage.world.client.list();
  expect(sessions.map(({ conversation, name }) => [conversation, name])).toEqual([
    [one.id, `boot-${one.id.slice(0, 8)}`],
  ]);
  expect((await verdictOf(stage, other.id))?.verdict).toBe('interrupted');
  const named = await stage.cli(['boot', '--resume', old.id, '--json']);
  expect(JSON.parse(named.stdout).conversations).toMatchObject([{ id: old.id, did: 'resumed' }]);
  expect((await verdictOf(stage, one.id))?.verdict).toBe('handled');
  const last = await stage.cli(['boot', '--last']);
  expect(last.stdout).toContain('1 resumed');
  const strange = await stage.cli(['boot', '--resume', 'nobody']);
  expect([strange.status, strange.stderr]).toEqual([
    3,
    expect.stringContaining('no conversation was found for nobody'),
  ]);
});

test('three failed tries are enough, over restarts of the daemon, until a person names it', async () => {
  await using stage = await open();
  const lost = stage.folder('lost');
  const { id } = keep('asked', { config: stage.config, cwd: lost });
  rmSync(lost, { recursive: true });
  for (const _ of [1, 2, 3]) {
    const seen = await runBoot(stage, { resume: ['all'] });
    expect(seen.conversations).toMatchObject([{ did: 'failed', detail: expect.stringContaining(lost) }]);
    await stage.world.restart();
  }
  const [left] = (await runBoot(stage, { resume: ['all'] })).conversations;
  expect(left).toMatchObject({ did: 'failed', detail: 'skipped after 3 failed tries' });
  mkdirSync(lost);
  const [named] = (await runBoot(stage, { resume: [id] })).conversations;
  expect(named).toMatchObject({ did: 'resumed' });
});

test('a conversation that is found twice is resumed once', async () => {
  await using stage = await open();
  keep('asked', at(stage));
  symlinkSync(stage.config, join(stage.root, 'home/.outlast-scripted'));
  const seen = await runBoot(stage, { resume: ['all'] });
  expect([seen.counts, seen.conversations.length]).toEqual([{ interrupted: 1 }, 1]);
  expect((await stage.world.client.list()).sessions.length).toBe(1);
});

test('two scans at once resume a conversation once', async () => {
  await using stage = await open();
  keep('asked', at(stage));
  const looks = await Promise.all([runBoot(stage, { resume: ['all'] }), runBoot(stage, { resume: ['all'] })]);
  expect(looks.flatMap(({ conversations }) => conversations.map(({ did }) => did)).sort()).toEqual([
    'nothing',
    'resumed',
  ]);
  expect((await stage.world.client.list()).sessions.length).toBe(1);
});

test('a conversation that is continued elsewhere while we wait is not resumed', async () => {
  await using stage = await open();
  const [opened, answered] = [keep('called', at(stage)), keep('asked', at(stage))];
  const looking = runBoot(stage, { resume: ['all'], delayMs: 3_000 });
  await eventually(() => stage.world.log().includes('conversations will be resumed'));
  const file = openSync(opened.path, 'a');
  appendFileSync(answered.path, readFileSync(keep('done', at(stage)).path));
  const { conversations } = await looking;
  closeSync(file);
  expect(conversations.map(({ did }) => did)).toEqual(['nothing', 'nothing']);
  expect(conversations.map(({ detail }) => detail).sort()).toEqual([
    `process ${process.pid} has it open`,
    'the reply ended with end_turn',
  ]);
  expect((await stage.world.client.list()).sessions).toEqual([]);
});

test('a session owns what it takes over, within its limits, and resumes nothing else', async () => {
  await using stage = await open();
  const [first, second] = [0, 1].map(() => keep('done', { ...at(stage), agoMs: 48 * 60 * MINUTE_MS }).id);
  const boss = await stage.start({ name: 'boss', prompt: 'hello', spawn: { childrenMax: 1 } });
  await boss.waitFor('idle', { timeoutMs: 20_000 });
  const inside = (...words: string[]) => stage.cli(words, { env: { OUTLAST_RUN: `${boss.id}.1` } });
  const lasting = script({ tool: 'Bash', input: { command: 'sleep 1000', description: 'x' } });
  const taken = JSON.parse((await inside('resume', '--conversation', first ?? '', lasting, '--json')).stdout);
  expect(taken.session.owner).toMatchObject({ session: boss.id, depth: 1 });
  const more = await inside('resume', '--conversation', second ?? '');
  expect(more).toMatchObject({ status: 4, stderr: expect.stringContaining('its maximum of live sessions (1/1)') });
  const all = await inside('boot', '--resume', 'all');
  expect(all).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('boss may not resume conversations that it did not start'),
  });
  expect((await inside('boot', '--dry-run')).status).not.toBe(4);
});

test('resume --conversation takes over any conversation that is not in use', async () => {
  await using stage = await open();
  const { id } = keep('done', { ...at(stage), agoMs: 48 * 60 * MINUTE_MS });
  // As much of its id as the table shows.
  const taken = await stage.cli(['resume', '--conversation', id.slice(0, 8), 'and now?', '--json']);
  expect([taken.status, taken.stderr]).toEqual([0, '']);
  const { session } = JSON.parse(taken.stdout);
  expect(session).toMatchObject({ conversation: id, workspace: stage.workspace, agent: 'scripted' });
  const replied = await stage.world.client.reply({ session: session.id, timeoutMs: 30_000 });
  expect(replied.reply).toBe('You said: and now?');
  await stage.world.client.wait({ session: session.id, for: 'ended', timeoutMs: 20_000 });
  expect((await stage.cli(['resume', '--conversation', id.slice(0, 7)])).status).toBe(3);
  const again = await stage.cli(['resume', '--conversation', id]);
  expect([again.status, again.stderr]).toEqual([4, expect.stringContaining(`outlast resume ${session.id}`)]);
  const unknown = await stage.cli(['resume', '--conversation', '00000000-0000-4000-8000-000000000000']);
  expect([unknown.status, unknown.stderr]).toEqual([3, expect.stringContaining('no conversation')]);
});

test('a transcript of 300 MB is judged by its end', async () => {
  await using stage = await open();
  const large = keep('called', { ...at(stage), holeBytes: 300 * 1024 ** 2 });
  expect(await verdictOf(stage, large.id)).toMatchObject({ verdict: 'interrupted', bytes: expect.any(Number) });
  const hole = keep('done', at(stage));
  writeFileSync(hole.path, `{"type":"user","x":"${'y'.repeat(100 * 1024 ** 2)}`);
  await eventually(async () => (await verdictOf(stage, hole.id))?.verdict === 'unreadable');
});
