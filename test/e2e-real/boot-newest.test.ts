import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';

agentSuite(CLAUDE_NEWEST, 'boot', 'boot live', 'one writer');
