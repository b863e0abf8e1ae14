import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_2_1_197, CLAUDE_NEWEST } from '../agents/under-test/claude.ts';

agentSuite(CLAUDE_NEWEST, 'deferred');
agentSuite(CLAUDE_2_1_197, 'deferred');
