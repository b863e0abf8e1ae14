import { agentSuite } from '../agents/agent-suite.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';

agentSuite(STAND_IN, 'one writer');
