import { agentSuite } from '../agents/agent-suite.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';

agentSuite(STAND_IN, 'turns');
// Listed as skipped, with the reason.
agentSuite(STAND_IN, 'real', 'server', 'usage', 'images', 'recovery', 'kills', 'refused', 'remedies');
