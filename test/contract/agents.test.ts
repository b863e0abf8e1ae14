import { describe, test } from 'vitest';
import { goldenCases } from '../../src/testing/agent-suite.ts';
import { CLAUDE_CASES } from '../../src/testing/agents/claude.ts';
import { CODEX_CASES } from '../../src/testing/agents/codex.ts';
import { ECHO_CASES } from '../../src/testing/agents/echo.ts';
import { OPENCODE_CASES } from '../../src/testing/agents/opencode.ts';

for (const set of [CLAUDE_CASES, CODEX_CASES, ECHO_CASES, OPENCODE_CASES]) {
  describe(`what ${set.agent} says, shows and writes down means what we think`, () => {
    for (const { kind, name, run } of goldenCases(set)) test(`${kind}: ${name}`, run);
  });
}
