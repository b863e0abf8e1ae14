import { agentSuite } from '../agents/agent-suite.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';

// The newest real agent runs some of the moments that only campaigns run here.
agentSuite(STAND_IN, 'boot', 'boot live');
