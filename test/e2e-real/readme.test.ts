import { test } from 'vitest';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { expectTrue } from '../pages/told.ts';

// A user without root and with an empty home, a real Claude Code and a scripted model.

const isHere = CLAUDE_NEWEST.isHere() || process.env.CI === 'true';

test.runIf(isHere)('every command of the README prints what it shows', { timeout: 240_000 }, () =>
  expectTrue('README.md'),
);
