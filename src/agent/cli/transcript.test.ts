import { expect, test } from 'vitest';
import { readWhole } from '../seam/lines.ts';
import { cliRecord } from './transcript.ts';

const record = cliRecord({
  path: '{workspace}/{conversation}.md',
  prompt: { regex: '^#### (.*)$' },
  reply: { regex: '^([^>#].*)$' },
});
const HISTORY =
  '# started\n\n#### one\n#### more\n\nfirst\nreply\n\n> Tokens: 1\n\n#### again\n\nsecond\n\n#### again\n\n';

test('prompts of several lines, replies, and an open turn', () => {
  const { prompts, isBegun } = readWhole(record, HISTORY);
  expect(isBegun).toBe(true);
  expect(prompts.map(({ turn, reply }) => [turn, reply])).toEqual([
    ['closed', 'first\nreply'],
    ['closed', 'second'],
    ['open', ''],
  ]);
  expect(prompts[0]?.keys).toEqual(record.keysOf('one\nmore'));
  expect(prompts[0]?.keys).toEqual(record.keysOf('one more'));
  expect(new Set(prompts.map(({ turnId }) => turnId)).size).toBe(3);
});

test('it gives the same in pieces', () => {
  const [a, b] = [HISTORY.slice(0, 30), HISTORY.slice(30)];
  const cut = a.lastIndexOf('\n') + 1;
  const pieces = [a.slice(0, cut), a.slice(cut) + b];
  const known = pieces.reduce((all, piece) => record.read(all, piece), record.empty);
  expect(record.view(known)).toEqual(readWhole(record, HISTORY));
});

test('the file is where the config says', () => {
  const files = { names: () => [], isThere: (path: string) => path === '/w/c1.md' };
  const of = (id: string | null) => record.sources(files, () => ({}), { id, reported: null, workspace: '/w' });
  expect(of('c1').main).toEqual({ is: 'file', path: '/w/c1.md' });
  expect(of('c2').main).toBeNull();
  expect(of(null).place()).toBeNull();
  const home = cliRecord({ path: '~/logs/{conversation}.md', prompt: { regex: 'x' } });
  expect(home.sources(files, () => ({ HOME: '/h' }), { id: 'c', reported: null }).place()).toBe('/h/logs/c.md');
});
