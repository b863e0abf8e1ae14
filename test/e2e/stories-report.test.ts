import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { script as steps } from '../agents/story-text.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { newHome } from './homes.ts';

// The command line, a real daemon and the scripted agent: what a person reads after a failure.

const state = mkdtempSync(join(tmpdir(), 'outlast-'));
const notes = join(state, 'notes');
const command = ['sh', '-c', `cat >>'${notes}'`];
const world = await makeWorld({ state, config: { notices: [{ name: 'file', on: ['failed'], command }] } });
afterAll(() => world[Symbol.asyncDispose]());

const home = newHome(world);
const cli = (...words: string[]) => world.cli(words, { cwd: home, env: { HOME: home } });

test('a command that failed is reported on one page, as Markdown and as JSON', async () => {
  const line = 'echo TOKEN=hunter2; echo the end; exit 3';
  const id = (await cli('exec', '-b', '--name', 'bad', '-c', line)).stdout.trim();
  await cli('wait', id);
  const page = await cli('report', 'bad');
  expect([page.status, page.stderr]).toEqual([0, '']);
  expect(page.stdout).toMatch(/^# Report: bad\n\n- `Ended after [\d.]+s: exit 3`\n/);
  expect(page.stdout).toMatch(/\nrun 1 {2}launch {2}.*\n {2}end: exit 3\n/);
  expect(page.stdout).toContain('\nthe end\n');
  expect(page.stdout).not.toContain('hunter2');
  const { stdout } = await cli('report', id, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ session: id, name: 'bad', output: ['TOKEN=***', 'the end'] });
  expect(await cli('report', 'nobody')).toMatchObject({ status: 3, stdout: '' });
});

test('the report of a killed agent says how it continued, while it lives and after it ended', async () => {
  const id = (await cli('start', '--agent', 'scripted', '--name', 'api', 'hello')).stdout.trim();
  await cli('wait', id, '--for', 'reply');
  await cli('prompt', id, steps({ hang: 'stream' }));
  const pid = await eventually(async () => {
    const { session } = await world.client.show(id);
    return session.run === 2 && session.prompts[0]?.state === 'accepted' && session.pid;
  });
  process.kill(pid, 'SIGKILL');
  const runs = async () => (await world.client.call('session.report', { session: id })).runs;
  await eventually(async () => (await runs())[2]?.pid, { what: 'a third run' });
  expect((await runs())[1]).toMatchObject({
    run: 2,
    pid,
    end: 'signal 9 KILL (or exit 137)',
    remedy: 'resumed as run 3',
  });
  await cli('stop', 'api');
  const page = (await cli('report', 'api')).stdout;
  expect(page).toMatch(/- `Ended after [\d.]+s: stopped by /);
  expect(page).toMatch(/run 2 broke: signal 9 KILL \(or exit 137\); next try after [\d.]+s\n/);
  expect(page).toMatch(/## Last turn\n\n> /);
});

test('the notice of a bad end has the first lines of the report', async () => {
  const id = (await cli('start', '--agent', 'scripted', '--end', steps({ status: 400 }))).stdout.trim();
  await cli('wait', id);
  const read = (): string => (existsSync(notes) ? readFileSync(notes, 'utf8') : '');
  const text = await eventually(() => read().includes(id) && read());
  expect(text).toMatch(/1 run, 0 resumes after faults; .*\nLast turn: failed: /);
  expect(text).toContain(`outlast report ${id}\n`);
});

test('show --path prints the folder and nothing else', async () => {
  const id = (await cli('exec', '-b', '-c', 'true')).stdout.trim();
  await cli('wait', id);
  const { status, stdout } = await cli('show', '--path', id);
  expect([status, stdout]).toEqual([0, `${join(world.state, 'sessions', id)}\n`]);
  expect(existsSync(stdout.trim())).toBe(true);
  expect(JSON.parse((await cli('show', id, '--path', '--json')).stdout)).toEqual({ path: stdout.trim() });
});
