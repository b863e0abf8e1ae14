import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_2_1_197 } from '../agents/under-test/claude.ts';

agentSuite(
  CLAUDE_2_1_197,
  'gate',
  'gate hurt',
  'gated calls',
  'gate in other folders',
  'gate trials',
  'gate in messages',
);
