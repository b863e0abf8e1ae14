import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';

agentSuite(CLAUDE_NEWEST, 'usage', 'images', 'recovery', 'kills', 'refused', 'remedies', 'visits', 'limited visits');
