import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { makeWorld, type Ran } from '../world.ts';

interface Example {
  readonly heading: string;
  readonly script: string;
  /** Lines that the guide says are printed. */
  readonly printed: readonly string[];
}

const ROOT = join(import.meta.dirname, '../..');
const world = await makeWorld();
const home = join(world.state, 'home');
const bin = join(world.state, 'bin');

mkdirSync(home);
mkdirSync(bin);
writeFileSync(join(bin, 'outlast'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/outlast.cjs')}" "$@"\n`);
chmodSync(join(bin, 'outlast'), 0o755);

afterAll(() => world[Symbol.asyncDispose]());

// The examples use names twice, as people do.
afterEach(async () => {
  const { sessions } = await world.client.list({ state: 'live' });
  await Promise.all(sessions.map(({ id }) => world.client.stop({ session: id, graceMs: 0, force: true })));
});

function examplesOf(page: string): Example[] {
  const blocks = /^```sh\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```/gm;
  return [...page.matchAll(blocks)].map((match) => ({
    heading:
      page
        .slice(0, match.index)
        .match(/^## .*$/gm)
        ?.at(-1)
        ?.slice(3) ?? '',
    script: match[1] ?? '',
    printed: (match[2] ?? '').trimEnd().split('\n'),
  }));
}

function sh(script: string): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...world.env, HOME: home, PATH: `${bin}:${world.env.PATH}` };
    const child = spawn('sh', ['-eu', '-c', script], { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.stderr += chunk.toString();
    });
    child.on('close', (status) => resolve({ status, ...said }));
  });
}

/** Files that a guide shows: their name is in their first line. */
function filesOf(page: string): [name: string, text: string][] {
  return [...page.matchAll(/^```yaml\n(# ([\w-]+\.yaml)\n[\s\S]*?)^```/gm)].map(([, text = '', name = '']) => [
    name,
    text,
  ]);
}

const guides = ['patterns', 'batch'].map((name) => {
  const page = readFileSync(join(ROOT, `docs/guides/${name}.md`), 'utf8');
  return { name, page, examples: examplesOf(page) };
});

test('every block of the guides is an example with what it prints', () => {
  for (const { page, examples } of guides) {
    expect(examples.length).toBeGreaterThanOrEqual(1);
    expect(examples.length).toBe(page.match(/^```sh$/gm)?.length);
  }
});

test.each(
  guides.flatMap(({ name, page, examples }) => examples.map((example) => ({ ...example, name, files: filesOf(page) }))),
)('the example of "$heading" in $name works as the guide says', async ({ script, printed, files }) => {
  for (const [name, text] of files) writeFileSync(join(home, name), text);
  const ran = await sh(script);
  const lines = ran.stdout.split('\n');
  expect({ status: ran.status, missing: printed.filter((line) => !lines.includes(line)) }, ran.stderr).toEqual({
    status: 0,
    missing: [],
  });
});
