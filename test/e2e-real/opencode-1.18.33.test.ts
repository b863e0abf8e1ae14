import { agentSuite } from '../agents/agent-suite.ts';
import { OPENCODE_1_18 } from '../agents/under-test/opencode.ts';

agentSuite(OPENCODE_1_18);
