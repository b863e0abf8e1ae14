import { describe, test } from 'vitest';
import { deepTest } from '../campaign.ts';
import { PAGE_WORLDS } from '../pages/page-worlds.ts';
import { expectTrue } from '../pages/told.ts';

// A user without root and with an empty home installs the package, and types what the pages say. Pages that need a real
// agent are in test/e2e-real/pages.test.ts.

const own = Object.entries(PAGE_WORLDS).filter(([, { hasClaude }]) => !hasClaude);

describe('every command prints what the page shows', { timeout: 300_000 }, () => {
  for (const [page, { isQuick }] of own) (isQuick ? test : deepTest)(page, () => expectTrue(page));
});
