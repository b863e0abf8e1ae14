import { agentIsHere } from '../../scripts/agents.ts';
import { NEWEST_CLAUDE } from '../agents/under-test/claude.ts';
import { some } from '../campaign.ts';

/** The newest Claude Code, for tests that older ones do not need. Skipped where it is not installed, except in CI. */
export const NEWEST = ([NEWEST_CLAUDE] as const).filter((version) => agentIsHere(version) || process.env.CI === 'true');

/** With both drives in campaigns; in other test runs with the first, or with the second. */
const DRIVES = NEWEST.flatMap((version) => [[version, 'turns'] as const, [version, 'live'] as const]);
export const NEWEST_IN_TURNS = some(DRIVES, 2);
export const NEWEST_LIVE = some(DRIVES.toReversed(), 2);
