import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBoot, verdictOf } from '../agents/foreign.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';
import { keep } from '../boot-files.ts';

const SCRIPTED = { boot: { agents: ['scripted'], delayMs: 0 } };
const open = (): Promise<Stage> => openStage(STAND_IN, { config: SCRIPTED });
const at = ({ config, workspace }: Stage) => ({ config, cwd: workspace });
/** As much of an id as the table shows for conversations that were not interrupted. */
const SHOWN_CHARS = 8;

test('T-BOOT-2 a conversation whose session was removed can be resumed again', async () => {
  await using stage = await open();
  const { id, path } = keep('asked', at(stage));
  const [text, { atime, mtime }] = [readFileSync(path), statSync(path)];
  const first = (await runBoot(stage, { resume: [id] })).conversations[0]?.session ?? '';
  await stage.world.client.stop({ session: first });
  await stage.world.client.wait({ session: first, for: 'ended', timeoutMs: 60_000 });
  const ended = await stage.cli(['boot', '--resume', id]);
  expect([ended.status, ended.stdout]).toEqual([1, expect.stringContaining('outlast resume')]);
  await stage.world.client.remove({ session: first, force: true });
  // As before: the session wrote nothing to it.
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
  const [second] = (await runBoot(stage, { resume: [id] })).conversations;
  expect(second).toMatchObject({ did: 'resumed' });
  expect(second?.session).not.toBe(first);
});

test('T-BOOT-3 an abandoned conversation fails with --resume all, and is tried when it is named', async () => {
  await using stage = await open();
  const lost = stage.folder('lost');
  const { id } = keep('asked', { config: stage.config, cwd: lost });
  rmSync(lost, { recursive: true });
  for (const _ of [1, 2, 3]) await runBoot(stage, { resume: ['all'] });
  const all = await stage.cli(['boot', '--resume', 'all']);
  expect([all.status, all.stdout]).toEqual([1, expect.stringContaining('skipped after 3 failed tries')]);
  mkdirSync(lost);
  const named = await stage.cli(['boot', '--resume', id.slice(0, SHOWN_CHARS)]);
  expect([named.status, named.stdout]).toEqual([0, expect.stringContaining('1 resumed')]);
});

test('T-BOOT-4 every id that boot prints is accepted, and one that could not be resumed is not a success', async () => {
  await using stage = await open();
  const [done, asked] = [keep('done', at(stage)), keep('asked', at(stage))];
  const short = done.id.slice(0, SHOWN_CHARS);
  expect((await stage.cli(['boot', '--dry-run'])).stdout).toContain(` ${short} `);
  const answered = await stage.cli(['boot', '--resume', short]);
  expect([answered.status, answered.stdout]).toEqual([1, expect.stringContaining('complete')]);
  // An unknown id stops it before anything is done.
  const strange = await stage.cli(['boot', '--resume', asked.id, '--resume', 'nobody00']);
  expect([strange.status, strange.stderr]).toEqual([3, expect.stringContaining('nobody00')]);
  expect((await verdictOf(stage, asked.id))?.verdict).toBe('interrupted');
  const { status, stdout } = await stage.cli(['boot', '--resume', asked.id.slice(0, SHOWN_CHARS)]);
  expect(status).toBe(0);
  const row = stdout.split('\n').find((line) => line.includes(asked.id)) ?? '';
  const session = row.split(/ {2,}/)[4] ?? '';
  expect((await stage.cli(['show', session])).status).toBe(0);
});

test('T-BOOT-21 a permission mode that Outlast does not know is passed on, or nothing is resumed', async () => {
  await using stage = await open();
  const kept = keep('asked', { ...at(stage), permissionMode: 'superMode' });
  const [resumed] = (await runBoot(stage, { resume: [kept.id] })).conversations;
  expect(resumed).toMatchObject({ did: 'resumed' });
  const { session } = await stage.world.client.show(resumed?.session ?? '');
  const plan = readFileSync(join(stage.world.state, 'sessions', session.id, 'runs/1/plan'), 'utf8');
  expect(plan).toMatch(/--permission-mode\W+superMode/);
  const lost = keep('asked', { ...at(stage), permissionMode: '--dangerously-skip-permissions' });
  const why = 'cannot be taken over: its permission mode, "--dangerously-skip-permissions", cannot be given';
  expect((await runBoot(stage, { resume: [lost.id] })).conversations).toMatchObject([
    { did: 'failed', detail: expect.stringContaining(why), session: null },
  ]);
  const wanted = { conversation: lost.id, env: stage.env, umask: 0o022, trust: false };
  const byHand = stage.world.client.call('conversation.resume', wanted);
  await expect(byHand).rejects.toMatchObject({ code: 'not_supported', message: expect.stringContaining(why) });
});

test('T-BOOT-5 the beginning of two ids names neither', async () => {
  await using stage = await open();
  for (const end of ['1', '2']) keep('asked', { ...at(stage), id: `11111111-2222-4333-8444-55555555555${end}` });
  const { status, stderr } = await stage.cli(['boot', '--resume', '11111111']);
  expect([status, stderr]).toEqual([3, expect.stringContaining('2 conversations begin with "11111111"')]);
  expect((await stage.world.client.list()).sessions).toEqual([]);
});

test('T-BOOT-6 a table that is cut says how many it leaves out, and has all interrupted conversations', async () => {
  await using stage = await open();
  const asked = keep('asked', { ...at(stage), agoMs: 600_000 });
  for (let i = 0; i < 503; i += 1) keep('done', at(stage));
  const { stdout, stderr } = await stage.cli(['boot', '--dry-run']);
  expect(stdout).toContain(asked.id);
  expect(stdout.trim().split('\n').length).toBe(502);
  expect(stderr).toContain('4 more are not shown');
});
