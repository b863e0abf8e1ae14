import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { DEFERRED } from '../agents/stories-deferred.ts';
import { tell } from '../agents/tell.ts';

/** Without the agent none, but for CI. */
const VERSIONS = (['2.1.325', '2.1.197'] as const).filter(
  (version) => agentIsHere(version) || process.env.CI === 'true',
);

describe.each(VERSIONS)('Claude Code %s', (version) => tell(DEFERRED, version, 120_000));
