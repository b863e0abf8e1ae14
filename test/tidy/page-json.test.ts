import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseWords } from '../../src/cli/base/parse.ts';
import { findCommand } from '../../src/cli/table.ts';
import { parseRules } from '../../src/core/rules/grammar.ts';
import { mistakesIn } from '../../src/daemon/config/mistakes.ts';
import { blocksOf, pageText } from '../pages/page.ts';
import { ROOT } from './tree.ts';

// The JSON that pages show is what its reader accepts: Outlast's config, a file of rules, or the settings of another
// program that start `outlast`.

interface Shown {
  readonly page: string;
  readonly text: string;
}

const pages = ['docs', 'docs/guides'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
);
const all: Shown[] = pages.flatMap((page) => blocksOf(pageText(page), 'json').map((text) => ({ page, text })));

const keysOf = ({ text }: Shown): string[] => Object.keys(JSON.parse(text) as object);
const has = (shown: Shown, ...keys: readonly string[]): boolean => keys.some((key) => keysOf(shown).includes(key));

/** The settings of other programs, and what is no file: an error of the API. */
const isForeign = (shown: Shown): boolean => has(shown, 'mcpServers', 'mcp', 'agent_servers', 'error');
const isRules = (shown: Shown): boolean => has(shown, 'allow', 'ask', 'deny');
/** An entry of `agents`. */
const isAgent = (shown: Shown): boolean => has(shown, 'turn', 'live', 'acp');

test.each(all.filter((each) => !isForeign(each) && !isRules(each)))('a config of $page has no mistakes', (shown) => {
  const text = isAgent(shown) ? JSON.stringify({ agents: { shown: JSON.parse(shown.text) } }) : shown.text;
  expect(mistakesIn(text, { HOME: '/home/you', PATH: '/usr/bin:/bin' })).toEqual([]);
});

test.each(all.filter(isRules))('the rules of $page are valid', ({ text }) => {
  expect(parseRules(JSON.parse(text)).faults).toEqual([]);
});

test.each(all.filter(isForeign).filter((each) => !has(each, 'error')))(
  'the settings for another program in $page start a command that exists',
  async ({ text }) => {
    const lines = [...text.matchAll(/"command": "outlast", "args": (\[[^\]]*\])/g)];
    expect(lines.length).toBeGreaterThan(0);
    for (const [, words = '[]'] of lines) {
      const found = findCommand(JSON.parse(words) as string[]);
      expect(found).not.toBeNull();
      if (found !== null) parseWords(await found.row.load(), found.rest);
    }
  },
);

test('there is JSON of each kind', () => {
  expect([all.some(isRules), all.some(isForeign), all.some(isAgent), all.length > 12]).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
