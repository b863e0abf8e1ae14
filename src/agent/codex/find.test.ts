import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWhole } from '../seam/lines.ts';
import type { LostConversation } from '../seam/record-search.ts';
import { plainKey } from '../seam/text-key.ts';
import { findCodex } from './find.ts';

const rollout = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'cases/rollout', name, 'rollout.jsonl'), 'utf8');
const ID = '01a1e15e-6e16-7480-881f-377619e2cd22';
const BEGUN_MS = Date.parse('2026-11-15T22:40:01.000Z');
const LOST: LostConversation = {
  workspaces: ['/home/dev/lab'],
  sinceMs: BEGUN_MS - 500,
  untilMs: BEGUN_MS + 60_000,
  keys: [plainKey('hello')],
};
const NONE = { names: () => [], isThere: () => false };
const fits = (text: string, lost: Partial<LostConversation> = {}): readonly string[] =>
  readWhole(findCodex(NONE, () => ({}), { ...LOST, ...lost }).reader, text);

test('a rollout is matched by its folder, its time and its first prompt', () => {
  const text = rollout('complete');
  expect(fits(text)).toEqual([ID]);
  expect(fits(text, { workspaces: ['/home/dev/other'] })).toEqual([]);
  expect(fits(text, { sinceMs: BEGUN_MS + 5_000 })).toEqual([]);
  expect(fits(text, { untilMs: BEGUN_MS - 5_000 })).toEqual([]);
  expect(fits(text, { keys: [plainKey('bye')] })).toEqual([]);
});

test('a rollout that was killed before the model answered matches, and one without a prompt does not', () => {
  expect(fits(rollout('heard-and-not-yet-an-item'), { keys: [plainKey('one')] })).toHaveLength(1);
  expect(fits(rollout('nothing-said-yet'))).toEqual([]);
});

test('the conversation of a sub-agent does not match', () => {
  const [meta = '', ...rest] = rollout('complete').split('\n');
  const line = JSON.parse(meta);
  line.payload.source = { subagent: 'review' };
  expect(fits([JSON.stringify(line), ...rest].join('\n'))).toEqual([]);
});

test('the rollouts of the days of the run are searched', () => {
  const folders: string[] = [];
  const files = {
    isThere: () => true,
    names: (folder: string) => {
      folders.push(folder);
      return folder.endsWith('/15') ? ['rollout-x.jsonl', 'notes.txt'] : [];
    },
  };
  const { sources } = findCodex(files, () => ({ CODEX_HOME: '/c' }), LOST);
  expect(sources).toEqual([{ is: 'file', path: '/c/sessions/2026/11/15/rollout-x.jsonl' }]);
  expect(folders).toEqual(['14', '15', '16', '17'].map((day) => `/c/sessions/2026/11/${day}`));
});
