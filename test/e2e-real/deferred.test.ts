import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { DEFERRED } from '../agents/stories-deferred.ts';
import { chosen, tell } from '../agents/tell.ts';
import { isCampaign } from '../campaign.ts';

/** Without the agents none, but for CI. */
const VERSIONS = (['2.1.325', '2.1.197'] as const).filter(
  (version) => agentIsHere(version) || process.env.CI === 'true',
);

/** What depends less on the version is told with the newest only, unless this is a campaign. */
const isEach = (version: string): boolean => version === '2.1.325' || isCampaign;
const FIRST = 'a question outlives its process and the daemon; its answer takes the turn up, and the call is made once';

describe.each(VERSIONS)('Claude Code %s', (version) => {
  tell(isEach(version) ? DEFERRED : chosen(DEFERRED, FIRST), version, 120_000);
});
