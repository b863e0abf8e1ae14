import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PageWorld, pageOf } from './page-world.ts';

interface Example {
  readonly heading: string;
  readonly script: string;
  /** Lines that the guide says are printed. */
  readonly printed: readonly string[];
}

const world = new PageWorld();

beforeAll(() => world.start());

afterAll(() => world[Symbol.asyncDispose]());

// The examples reuse names, as people do.
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

/** Files that a guide shows: their name is in their first line. */
function filesOf(page: string): [name: string, text: string][] {
  return [...page.matchAll(/^```yaml\n(# ([\w-]+\.yaml)\n[\s\S]*?)^```/gm)].map(([, text = '', name = '']) => [
    name,
    text,
  ]);
}

const guides = ['patterns', 'batch', 'schedules'].map((name) => {
  const page = pageOf(`docs/guides/${name}.md`);
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
  for (const [name, text] of files) writeFileSync(join(world.work, name), text);
  const ran = await world.sh(script);
  const lines = ran.stdout.split('\n');
  expect({ status: ran.status, missing: printed.filter((line) => !lines.includes(line)) }, ran.stderr).toEqual({
    status: 0,
    missing: [],
  });
});
