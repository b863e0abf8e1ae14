import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_2_1_325 } from '../agents/under-test/claude.ts';

agentSuite(CLAUDE_2_1_325, 'usage', 'images', 'recovery', 'kills', 'refused', 'remedies', 'visits', 'limited visits');
