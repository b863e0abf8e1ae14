import { agentSuite } from '../agents/agent-suite.ts';
import { PI_0_87 } from '../agents/under-test/pi.ts';

agentSuite(PI_0_87);
