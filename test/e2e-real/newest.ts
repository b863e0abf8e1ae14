import { agentIsHere } from '../../scripts/agents.ts';

/** The newest Claude Code, for what older ones need not be tried with; where it is not installed none, but for CI. */
export const NEWEST = (['2.1.325'] as const).filter((version) => agentIsHere(version) || process.env.CI === 'true');

/** The same, driven in each way. */
export const NEWEST_WAYS = NEWEST.flatMap((version) => [[version, 'turns'] as const, [version, 'live'] as const]);
