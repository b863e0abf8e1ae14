import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openEditor } from '../acp-world.ts';
import { randomPng } from '../png.ts';
import { gatedWorld, person } from './gated.ts';

// Images with a prompt, up to the process of the agent. That a model gets them is shown with the real agents
// (test/agents/stories-images.ts).

const world = await gatedWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** The images that the prompt of a process of one turn names, in base64, and the rest of it. */
function promptOf(id: string, n: number): { images: string[]; text: string } {
  const words = readFileSync(join(world.state, 'sessions', id, 'runs', String(n), 'prompt'), 'utf8').split(' ');
  const first = words.findIndex((word) => !word.startsWith('@'));
  const images = words.slice(0, first).map((word) => readFileSync(word.slice(1), 'base64'));
  return { images, text: words.slice(first).join(' ') };
}

test('run sends images by their path in its folder, and removing the session deletes them', async () => {
  const { cli, workspace } = person(world, 'ira');
  const png = randomPng();
  writeFileSync(join(workspace, 'shot.png'), png);
  const ran = await cli(['run', '--agent', 'scripted', '--name', 'shots', '--image', 'shot.png', 'what is wrong?']);
  expect(ran.status, ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(/^You said: @\/.* what is wrong\?\n$/);
  const { session } = await world.client.show('shots');
  expect(promptOf(session.id, 1)).toEqual({ images: [png.toString('base64')], text: 'what is wrong?' });
  const queued = await world.client.events({ session: session.id, types: ['prompt.queued'] }).next();
  const sha256 = createHash('sha256').update(png).digest('hex');
  const path = `images/${sha256}.png`;
  const image = { name: 'shot.png', type: 'image/png', bytes: png.length, sha256, path };
  expect(queued.value?.body).toMatchObject({ text: 'what is wrong?', images: [image] });
  const stored = join(world.state, 'sessions', session.id, path);
  expect(readFileSync(stored).equals(png)).toBe(true);
  expect((await cli(['remove', 'shots', '--force'])).status).toBe(0);
  expect(existsSync(stored)).toBe(false);
});

test('a repeated prompt needs its image no more, and a prompt without images is a text as before', async () => {
  const { cli, workspace } = person(world, 'jon');
  const shot = join(workspace, 'shot.png');
  writeFileSync(shot, randomPng());
  const session = await world.client.start({ agent: 'scripted', cwd: workspace });
  const given = { key: 'once', images: [shot] };
  expect((await session.converse('look', { ...given, timeoutMs: 60_000 })).met).toBe('answered');
  rmSync(shot);
  expect((await session.prompt('look', given)).prompt).toBe('once');
  expect((await cli(['converse', session.id, 'plain'])).stdout).toBe('You said: plain\n');
  expect(promptOf(session.id, 1).images).toHaveLength(1);
  expect(promptOf(session.id, 2)).toEqual({ images: [], text: 'plain' });
});

test('images that cannot be sent are refused with what to do, and nothing is started', async () => {
  const { cli, workspace } = person(world, 'kay');
  writeFileSync(join(workspace, 'notes.png'), 'no picture');
  writeFileSync(join(workspace, 'shot.png'), randomPng());
  const before = (await world.client.list()).sessions.length;
  for (const [words, why] of [
    [['run', '--agent', 'scripted', '--image', 'missing.png', 'look'], 'there is no such file'],
    [['run', '--agent', 'scripted', '--image', 'notes.png', 'look'], 'use PNG, JPEG, GIF or WebP'],
    [['run', '--agent', 'scripted', '--image', workspace, 'look'], 'is a folder'],
    [['start', '--agent', 'scripted', '--live', '--image', 'shot.png'], 'images go with a prompt'],
    [['run', '--agent', 'scripted', '--command', '--image', 'shot.png', '/compact'], 'a command of the agent'],
    [['run', '--agent', 'echo', '--image', 'shot.png', 'look'], 'echo takes no images in turns; these do: '],
  ] as const) {
    const ran = await cli(words);
    expect([words, ran.stdout]).toEqual([words, '']);
    expect(ran.status).toBeGreaterThan(0);
    expect(ran.stderr).toContain(why);
  }
  expect((await world.client.list()).sessions.length).toBe(before);
});

test('an editor sends an image in its prompt', async () => {
  await using editor = await openEditor(world, 'lea', ['--agent', 'scripted', '--no-gate']);
  const id = await editor.newSession();
  const data = randomPng().toString('base64');
  const prompt = [
    { type: 'text', text: 'what is this?' } as const,
    { type: 'image', data, mimeType: 'image/png' } as const,
  ];
  const answered = await editor.agent.request('session/prompt', { sessionId: id, prompt });
  expect(answered).toMatchObject({ stopReason: 'end_turn' });
  expect(promptOf(id, 1)).toEqual({ images: [data], text: 'what is this?' });
});
