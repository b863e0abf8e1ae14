import { agentSuite } from '../agents/agent-suite.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';

agentSuite(COPILOT_1_0);
