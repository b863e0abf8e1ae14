import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_2_1_325 } from '../agents/under-test/claude.ts';

agentSuite(
  CLAUDE_2_1_325,
  'gate',
  'gate hurt',
  'gated calls',
  'gate in other folders',
  'gate trials',
  'gate in messages',
);
