import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, type World } from '../world.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

/** The webhook is tested with its recipe, in stories-outside.test.ts. */
const tried = new Set(['webhook.ts']);

function run(name: string, ...words: string[]): Promise<{ status: number; out: string }> {
  tried.add(name);
  const env = { ...world.env, OUTLAST_AGENT: 'scripted' };
  return new Promise((resolve) =>
    execFile(process.execPath, [join(EXAMPLES, name), ...words], { env, cwd: world.state }, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code), out: error === null ? out : `${out}${err}` }),
    ),
  );
}

test('a conversation: two replies, then all its events', async () => {
  const { out } = await run('converse.ts');
  const [first, second, ...events] = out.trim().split('\n');
  expect([first, second]).toEqual(['You said: Write down three ideas.', 'You said: Take the best one.']);
  expect(events.filter((event) => event === 'prompt.accepted')).toHaveLength(2);
  expect(events.at(-1)).toBe('session.ended');
});

test('fan out: every part is answered, and a second run finds the same sessions', async () => {
  const { out } = await run('fan-out.ts', 'once');
  expect(out.trim().split('\n')).toEqual(
    ['api', 'web', 'docs'].map((part, i) => expect.stringMatching(`^${i} \\w+ You said: Check ${part}\\.$`)),
  );
  expect((await run('fan-out.ts', 'once')).out).toBe(out);
  expect((await run('fan-out.ts', 'another')).out).not.toBe(out);
});

test('a pipeline: each step has the reply of the one before', async () => {
  const { out } = await run('pipeline.ts');
  expect(out.trim()).toBe('You said: Review what was done:\nYou said: Do this:\nYou said: Make a plan.');
});

test('aborting: what was started is stopped', async () => {
  const slow = `SCRIPT${JSON.stringify({ steps: [{ hang: 'headers' }] })}SCRIPT`;
  expect((await run('cancel.ts', '1500', slow)).out.trim()).toBe('given up; stopped');
});

test('a command is followed to its end', async () => {
  expect((await run('command.ts')).out).toBe('step 1\nstep 2\nstep 3\nended with exit 3\n');
});

test('every example is run here', () => {
  expect([...tried].sort()).toEqual(
    readdirSync(EXAMPLES)
      .filter((name) => name.endsWith('.ts'))
      .sort(),
  );
});
