import { agentSuite } from '../agents/agent-suite.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';

agentSuite(
  CLAUDE_NEWEST,
  'real',
  'turns',
  'live',
  'live without tmux',
  'server',
  'threads',
  'missing',
  'moments',
  'deaths',
  'doubts',
  'apart',
  'around',
  'trust',
  'dialogs',
  'updates',
  'updates that fail',
  'live on a pty',
);
