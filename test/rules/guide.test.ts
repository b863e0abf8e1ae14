import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRules, spelledActions } from '../../src/core/rules/grammar.ts';
import { judge } from '../../src/core/rules/judge.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guides/rules.md'), 'utf8');
const FIELDS: Readonly<Record<string, string>> = { Bash: 'command', WebFetch: 'url' };

/** The rows of the table of examples in the guide. */
function rows(): string[][] {
  const table = /\n\| rules \| tool \| input \| verdict \|\n[^\n]*\n([\s\S]*?)\n\n/.exec(page)?.[1] ?? '';
  return table.split('\n').map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function rulesIn(cell: string): Record<string, string[]> {
  const lists: Record<string, string[]> = { allow: [], ask: [], deny: [] };
  let list: string[] | undefined;
  for (const [, word, rule] of cell.matchAll(/(allow|ask|deny) |`([^`]+)`/g)) {
    if (word !== undefined) list = lists[word];
    else list?.push(rule ?? '');
  }
  return lists;
}

test('the guide has examples for every verdict', () => {
  expect(rows().length).toBeGreaterThan(30);
  expect([...new Set(rows().map(([, , , verdict]) => verdict))].sort()).toEqual(['allow', 'ask', 'deny']);
});

test.each(rows())('the guide is right about %s for %s %s: %s', (rulesCell, tool, inputCell, verdict) => {
  const { rules, faults } = parseRules(rulesIn(rulesCell ?? ''));
  const text = (inputCell ?? '').replace(/^`([\s\S]*)`$/, '$1').replaceAll('\\|', '|');
  const input = { [FIELDS[tool ?? ''] ?? 'file_path']: text };
  const actions = spelledActions(tool ?? '', input);
  const call = { tool: tool ?? '', actions, workspace: '/home/ann/app', home: '/home/ann' };
  expect(faults).toEqual([]);
  expect(rules.length).toBeGreaterThan(0);
  expect(judge(rules, call).verdict).toBe(verdict);
});
