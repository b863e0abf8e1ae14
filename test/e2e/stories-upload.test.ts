import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { randomPng } from '../png.ts';
import { gatedWorld, person } from './gated.ts';

// Files that a caller puts into the folder of a session, up to the prompt of the agent.

const world = await gatedWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('a file is uploaded, named in a prompt, read by the agent, and removed with its session', async () => {
  const { cli, workspace } = person(world, 'uma');
  writeFileSync(join(workspace, 'build log.txt'), 'line 7 is wrong\n');
  const session = await world.client.start({ agent: 'scripted', cwd: workspace, name: 'reads' });
  const sent = await cli(['upload', 'reads', 'build log.txt']);
  expect(sent.status, sent.stderr).toBe(0);
  const path = sent.stdout.trim();
  expect(path).toMatch(new RegExp(`^${world.state}/sessions/${session.id}/files/[0-9a-f-]+/build-log\\.txt$`));
  const steps = [{ tool: 'Bash', input: { command: `cat ${path}`, description: 'x' } }, { text: 'read' }];
  await session.converse(`see ${path}\nSCRIPT${JSON.stringify({ steps })}SCRIPT`, { timeoutMs: 60_000 });
  const { markdown } = await session.turn();
  expect(markdown).toContain('line 7 is wrong');
  expect((await cli(['stop', 'reads'])).status).toBe(0);
  expect((await cli(['remove', 'reads', '--force'])).status).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('an image of several pieces is an image of a prompt by the path that it got', async () => {
  const { workspace } = person(world, 'vic');
  const session = await world.client.start({ agent: 'scripted', cwd: workspace });
  const png = Buffer.concat([randomPng(), Buffer.alloc(7 * 1024 * 1024, 'x')]);
  const seen: number[] = [];
  const path = await session.upload({ name: 'shot.png', content: png, progress: (bytes) => seen.push(bytes) });
  expect(seen).toEqual([3 * 1024 * 1024, 6 * 1024 * 1024, png.length]);
  expect(readFileSync(path).equals(png)).toBe(true);
  expect((await session.converse('look', { images: [path], timeoutMs: 60_000 })).met).toBe('answered');
  const queued = await world.client.events({ session: session.id, types: ['prompt.queued'] }).next();
  expect(queued.value?.body).toMatchObject({ images: [{ name: 'shot.png', bytes: png.length }] });
});

test('what cannot be uploaded is refused with what to do', async () => {
  const { cli, workspace } = person(world, 'wim');
  writeFileSync(join(workspace, 'large'), Buffer.alloc(20 * 1024 * 1024 + 1));
  writeFileSync(join(workspace, 'small'), 'x');
  const over = await world.client.start({ agent: 'scripted', cwd: workspace, name: 'over' });
  await over.stop();
  await world.client.start({ argv: ['sleep', '1000'], cwd: workspace, name: 'sleeps' });
  const live = await world.client.start({ agent: 'scripted', cwd: workspace, name: 'takes' });
  for (const [words, why] of [
    [['upload', 'over', 'small'], 'over has ended and takes no files'],
    [['upload', 'sleeps', 'small'], 'sleeps runs a command, not an agent'],
    [['upload', 'takes', 'large'], 'more than 20 MB; make it smaller'],
    [['upload', 'takes', 'missing'], 'cannot read missing'],
    [['upload', 'takes', '.'], 'is not a file'],
    [['upload', 'nobody', 'small'], 'nobody'],
  ] as const) {
    const ran = await cli(words);
    expect([words, ran.stdout, ran.status === 0]).toEqual([words, '', false]);
    expect(ran.stderr).toContain(why);
  }
  const piece = { session: live.id, key: 'k', name: 'a', bytes: 2 };
  await expect(world.client.call('session.upload', { ...piece, base64: '!!' })).rejects.toThrow('not base64');
  await expect(world.client.call('session.upload', { ...piece, name: '../a', base64: 'eA==' })).rejects.toThrow(
    'the name of a file without a folder',
  );
  expect(existsSync(join(world.state, 'sessions', live.id, 'files'))).toBe(false);
});
