import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sources } from './tree.ts';

// Counts of what makes it hard to add agents. They may only fall: a change that lowers a count writes the new one into
// ratchet.json.

const files = sources();

/** The number of members of an interface, including those it inherits; 0 if it does not exist. */
function membersOf(name: string): number {
  const found = files.flatMap(({ text }) => {
    const match = new RegExp(`^export interface ${name}\\b([^{]*)\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text);
    return match === null ? [] : [{ above: match[1] ?? '', body: match[2] ?? '' }];
  });
  const own = found.flatMap(({ body }) => body.match(/^ {2}(?:readonly )?\w+\??[(:<]/gm) ?? []).length;
  const above = found.flatMap(({ above }) => above.replace('extends', '').match(/\w+/g) ?? []);
  return above.reduce((sum, each) => sum + membersOf(each), own);
}

/** Sub-folders of one folder that import each other. The folder itself counts as a sub-folder. */
function mutualPairs(): string[] {
  const edges = new Set(files.flatMap(({ path, text }) => importsOf(path, text).map((to) => `${dirname(path)} ${to}`)));
  return [...edges].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ');
    return from < to && from.split('/')[1] === to.split('/')[1] && edges.has(`${to} ${from}`);
  });
}

function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g);
  return [...found].map(([, named, lazy]) => dirname(join(dirname(path), named ?? lazy ?? '')));
}

const COUNTS: Readonly<Record<string, () => number>> = {
  'members of Talk': () => membersOf('Talk'),
  'members of Session': () => membersOf('Session'),
  'files in the root of src/daemon': () => files.filter(({ path }) => dirname(path) === 'src/daemon').length,
  'pairs of sub-folders that import each other': () => mutualPairs().length,
};

test.each(Object.entries(COUNTS))('%s: no more than before, and ratchet.json says how many', (name, count) => {
  const allowed = JSON.parse(readFileSync(join(ROOT, 'test/tidy/ratchet.json'), 'utf8')) as Record<string, number>;
  const found = count();
  const advice = found < Number(allowed[name]) ? `write ${found} into ratchet.json` : 'this may only fall';
  expect(found, `${name}: ${advice}`).toBe(allowed[name]);
});
