import { expect, test } from 'vitest';
import { some } from '../campaign.ts';
import { caught } from './mutate.ts';
import { MUTATIONS } from './mutations.ts';

for (const mutation of some(MUTATIONS, 5)) {
  test(`the simulator notices when ${mutation.mistake}`, { timeout: 300_000 }, () => {
    expect(caught(mutation)).toMatch(/npm run sim -- --script/);
  });
}
