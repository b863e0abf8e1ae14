import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, pageText, stepsOf } from '../pages/page.ts';
import { PAGE_WORLDS } from '../pages/page-worlds.ts';
import { ROOT } from './tree.ts';

// Every block of a page for users is checked: commands are typed and their output compared (`console`), programs and
// configs are checked by their types and schemas, and the rest is shown for reading only.

interface Exception {
  readonly page: string;
  /** How the block begins. */
  readonly start: string;
  /** Why it is not typed as it stands. */
  readonly why: string;
  /** The test that takes the block from the page and runs it; null: none can. */
  readonly test: string | null;
}

/** Blocks of commands that are not typed by a user in an empty home. */
const EXCEPTIONS: readonly Exception[] = [
  {
    page: 'README.md',
    start: 'npm install && npm link',
    why: 'it fetches what a build needs; the rest is typed from docs/guides/install.md',
    test: null,
  },
  {
    page: 'README.md',
    start: 'npm start',
    why: 'these are the commands of a clone, and the second one runs this test',
    test: null,
  },
  {
    page: 'docs/guides/install.md',
    start: 'npm config set prefix',
    why: 'it installs a clone',
    test: 'test/e2e/install.test.ts',
  },
  {
    page: 'docs/guides/mcp.md',
    start: 'outlast mcp --http',
    why: 'servers run until they are ended, on ports that may be in use',
    test: 'test/integration/mcp-http.test.ts',
  },
  {
    page: 'docs/guides/metrics.md',
    start: 'outlast metrics --format prometheus',
    why: 'it writes into a folder of the node exporter, as root',
    test: null,
  },
  {
    page: 'docs/guides/recovery.md',
    start: 'outlast start --on-limit switch',
    why: 'it takes two agents, one of them at its limit',
    test: 'test/e2e-real/switch.test.ts',
  },
  {
    page: 'docs/guides/security.md',
    start: 'sudo useradd',
    why: 'it adds a user to the machine',
    test: 'test/e2e-real/service.test.ts',
  },
  {
    page: 'docs/guides/security.md',
    start: '#!/bin/sh',
    why: 'a file',
    test: 'test/e2e/sandbox.test.ts',
  },
  {
    page: 'docs/guides/security.md',
    start: 'cd ~/project',
    why: 'it needs bubblewrap',
    test: 'test/e2e/sandbox.test.ts',
  },
  {
    page: 'docs/guides/security.md',
    start: 'docker build',
    why: 'it needs a container engine, and the page says that it is not run',
    test: null,
  },
  {
    page: 'docs/guides/service.md',
    start: 'outlast service install',
    why: 'it needs a systemd with a manager for the user',
    test: 'test/e2e-real/service.test.ts',
  },
  {
    page: 'docs/guides/service.md',
    start: 'loginctl enable-linger',
    why: 'it needs a systemd with a manager for the user',
    test: 'test/e2e-real/service.test.ts',
  },
  {
    page: 'docs/guides/web.md',
    start: 'tailscale serve',
    why: 'it needs an account of Tailscale',
    test: null,
  },
];

/** For reading, or checked by other tests: `ts` in test/e2e/package.test.ts, `json` in page-json.test.ts. */
const NOT_COMMANDS = new Set(['text', 'json', 'ts', 'yaml', 'ini', 'dockerfile']);

function pages(): string[] {
  const below = ['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  );
  return ['README.md', ...below.filter((path) => path.endsWith('.md'))];
}

const fencesOf = (text: string): string[] =>
  [...text.matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, language = '']) => language);

/** The text of a test as if no call were wrapped. */
const textOf = (file: string): string => pageText(file).replaceAll(/\(\s+/g, '(').replaceAll(/\s+/g, ' ');

test('every page with commands has a world in which a test types them', () => {
  const typed = pages().filter((page) => stepsOf(pageText(page)).length > 0);
  expect(Object.keys(PAGE_WORLDS).toSorted()).toEqual(typed.toSorted());
});

test('every other block of commands is a known exception, and the test that runs it takes it from the page', () => {
  const blocks = pages().flatMap((page) => blocksOf(pageText(page), 'sh').map((text) => ({ page, text })));
  const fits = ({ page, start }: Exception, block: (typeof blocks)[number]): boolean =>
    page === block.page && block.text.startsWith(start);
  expect(blocks.filter((block) => !EXCEPTIONS.some((each) => fits(each, block)))).toEqual([]);
  expect(EXCEPTIONS.filter((each) => !blocks.some((block) => fits(each, block)))).toEqual([]);
  const untaken = EXCEPTIONS.filter(({ page, start, test: file }) => {
    if (file === null) return false;
    const [line = ''] = start.split('\n');
    return !existsSync(join(ROOT, file)) || !textOf(file).includes(`shellBlock('${page}', '${line}`);
  });
  expect(untaken).toEqual([]);
});

test('every block says what it is', () => {
  const known = (language: string): boolean =>
    language === 'console' || language === 'sh' || NOT_COMMANDS.has(language);
  const wrong = pages().flatMap((page) =>
    fencesOf(pageText(page))
      .filter((language) => !known(language))
      .map((language) => `${page}: ${language || 'no language'}`),
  );
  expect(wrong).toEqual([]);
});

test('nothing that is shown for reading only looks like a command', () => {
  const hidden = pages().flatMap((page) =>
    blocksOf(pageText(page), 'text')
      .filter((text) => /^(\$ )?(outlast|npm|node|curl|git|sudo) [a-z-]/m.test(text))
      .map((text) => `${page}: ${text.split('\n')[0]}`),
  );
  expect(hidden).toEqual([]);
});

test('programs that pages show run on the oldest Node, which has no `using`', () => {
  const newer = [...pages(), 'examples/README.md']
    .flatMap((page) => blocksOf(pageText(page), 'ts'))
    .filter((text) => /^\s*(await )?using /m.test(text));
  expect(newer).toEqual([]);
});
