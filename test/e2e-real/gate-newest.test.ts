import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';

agentSuite(
  CLAUDE_NEWEST,
  'gate',
  'gate hurt',
  'gated calls',
  'gate in other folders',
  'gate trials',
  'gate in messages',
);
