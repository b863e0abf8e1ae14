import { agentSuite } from '../agents/agent-suite.ts';
import { GOOSE_1_52 } from '../agents/under-test/goose.ts';

agentSuite(GOOSE_1_52);
