import { agentSuite } from '../agents/agent-suite.ts';
import { CODEX_0_169_SCREEN } from '../agents/under-test/codex.ts';

agentSuite(CODEX_0_169_SCREEN);
