import { agentSuite } from '../agents/agent-suite.ts';
import { GEMINI_0_61 } from '../agents/under-test/gemini.ts';

agentSuite(GEMINI_0_61);
