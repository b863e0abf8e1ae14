import { agentSuite } from '../agents/agent-suite.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';

// The newest real agent is told some of the moments that are left for campaigns here.
agentSuite(STAND_IN, 'boot', 'boot live');
