import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_2_1_197 } from '../agents/under-test/claude.ts';

agentSuite(CLAUDE_2_1_197, 'usage', 'images', 'recovery', 'kills', 'refused', 'remedies', 'visits', 'limited visits');
