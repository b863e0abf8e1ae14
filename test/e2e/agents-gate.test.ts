import { agentSuite } from '../agents/agent-suite.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';

// The longest first: stories run concurrently.
agentSuite(STAND_IN, 'gate trials', 'gate', 'gate hurt', 'gated calls', 'gate in other folders', 'gate in messages');
