import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS_UNDER_TEST } from '../agents/under-test/all.ts';
import { allSupport } from '../agents/under-test/needs.ts';
import { ROOT } from './tree.ts';

// The README has one line for each agent, and what it says is played in every test run.

const RUN_STORY = 'run waits for the reply, prints only the reply, and ends the session';

/** Agents whose `outlast run` is played by a test of its own. */
const RUN_TESTS: Readonly<Record<string, string>> = {
  goose: 'test/e2e-real/goose.test.ts',
  acp: 'test/e2e/acp.test.ts',
  NAME: 'test/e2e/any-cli.test.ts',
};

/** The example of an agent, where it is not its name only. */
const MORE_WORDS: Readonly<Record<string, string>> = { acp: ' -- PROGRAM ARGUMENTS' };

/** Agents of Outlast itself, which are for tests. */
const OWN = /^(scripted|echo)/;

interface Row {
  readonly name: string;
  readonly words: string;
  readonly versions: string;
}

function rowsOf(readme: string): Row[] {
  const rows = readme.matchAll(/^\| `outlast run --agent (\S+) "fix the tests"([^`]*)` \| [^|]+ \| ([^|]*) \|$/gm);
  return [...rows].map(([, name = '', words = '', versions = '']) => ({ name, words, versions }));
}

const README = rowsOf(readFileSync(join(ROOT, 'README.md'), 'utf8'));

test('the README has a line for every agent, with its oldest version', () => {
  const agents = allSupport().filter(({ name }) => !OWN.test(name));
  const rows = agents.map(({ name, versions }) => ({
    name,
    words: MORE_WORDS[name] ?? '',
    versions: versions[0] === undefined ? 'any' : `${versions[0]} and newer`,
  }));
  const byName = (a: Row, b: Row): number => a.name.localeCompare(b.name);
  expect(README.toSorted(byName)).toEqual([...rows, { name: 'NAME', words: '', versions: 'any' }].toSorted(byName));
});

test('every test run plays `outlast run` with every agent of the README', () => {
  const under = Object.values(AGENTS_UNDER_TEST);
  const missing = README.filter(({ name }) => {
    const file = RUN_TESTS[name];
    if (file !== undefined) return !/cli\(\['run', /.test(readFileSync(join(ROOT, file), 'utf8'));
    return !under.some((agent) => agent.name === name && agent.quick?.includes(RUN_STORY));
  });
  expect(missing).toEqual([]);
});
