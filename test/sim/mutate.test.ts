import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { some, tried } from '../campaign.ts';
import { caught } from './mutate.ts';
import { MUTATIONS } from './mutations.ts';

test('every mutation applies: its file contains the text that it replaces', () => {
  const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  const stale = MUTATIONS.filter(({ file, from }) => !read(file).includes(from));
  expect(stale.map(({ mistake }) => mistake)).toEqual([]);
});

// Each mutation needs a process, so an ordinary run tries one in fifteen.
for (const mutation of some(MUTATIONS, 15)) {
  test(`the simulator notices when ${mutation.mistake}`, { timeout: 300_000 }, () => {
    expect(caught(mutation)).toMatch(/npm run sim -- --script/);
    tried('mistakes in the source that the simulator caught', 1);
  });
}
