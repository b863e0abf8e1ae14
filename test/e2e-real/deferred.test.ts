import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { DEFERRED } from '../agents/stories-deferred.ts';
import { tell } from '../agents/tell.ts';

/** Without the agents none, but for CI. */
const VERSIONS = (['2.1.325', '2.1.197'] as const).filter(
  (version) => agentIsHere(version) || process.env.CI === 'true',
);

/** What depends less on the version is told with the newest only, and what the stand-in proves too in campaigns. */
const FIRST = 'a question outlives its process and the daemon; its answer takes the turn up, and the call is made once';
const QUICK = {
  '2.1.325': [FIRST, 'a no takes the turn up too, and its reason reaches the agent'],
  '2.1.197': [FIRST],
} as const;

describe.each(VERSIONS)('Claude Code %s', (version) => {
  tell(DEFERRED, version, { msMax: 120_000, quick: QUICK[version] });
});
