import { GOLDEN_SETS } from '../../src/testing/agents/all.ts';
import { agentSuite, caseSuite } from '../agents/agent-suite.ts';
import { AGENTS_UNDER_TEST } from '../agents/under-test/all.ts';
import { CLAUDE_2_1_197, CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';

agentSuite(CLAUDE_2_1_197, 'cases');
agentSuite(CLAUDE_NEWEST, 'cases');
agentSuite(STAND_IN, 'cases');

// Agents that are only read have no stories. Echo runs its cases with its stories.
const played = Object.values(AGENTS_UNDER_TEST).map(({ cases }) => cases);
for (const set of GOLDEN_SETS) if (!played.includes(set)) caseSuite(set.agent, set);
