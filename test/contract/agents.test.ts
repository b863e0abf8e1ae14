import { describe, test } from 'vitest';
import { goldenCases } from '../../src/testing/agent-suite.ts';
import { GOLDEN_SETS } from '../../src/testing/agents/all.ts';

for (const set of GOLDEN_SETS) {
  describe(`what ${set.agent} prints, shows and writes has the meaning that we assume`, () => {
    for (const { kind, name, run } of goldenCases(set)) test(`${kind}: ${name}`, run);
  });
}
