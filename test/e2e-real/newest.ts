import { agentIsHere } from '../../scripts/agents.ts';
import { some } from '../campaign.ts';

/** The newest Claude Code, for what older ones need not be tried with; where it is not installed none, but for CI. */
export const NEWEST = (['2.1.325'] as const).filter((version) => agentIsHere(version) || process.env.CI === 'true');

/** The same, driven in each way in campaigns; in every other run in the first, or in the other. */
const WAYS = NEWEST.flatMap((version) => [[version, 'turns'] as const, [version, 'live'] as const]);
export const NEWEST_IN_TURNS = some(WAYS, 2);
export const NEWEST_LIVE = some(WAYS.toReversed(), 2);
