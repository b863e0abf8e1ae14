import { agentSuite } from '../agents/agent-suite.ts';
import { QWEN_0_24 } from '../agents/under-test/qwen.ts';

agentSuite(QWEN_0_24);
