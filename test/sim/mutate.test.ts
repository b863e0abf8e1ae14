import { expect, test } from 'vitest';
import { caught } from './mutate.ts';
import { MUTATIONS } from './mutations.ts';

for (const mutation of MUTATIONS) {
  test(`the simulator notices when ${mutation.mistake}`, { timeout: 300_000 }, () => {
    expect(caught(mutation)).toMatch(/npm run sim -- --script/);
  });
}
