import { agentSuite } from '../agents/agent-suite.ts';
import { ECHO, ECHO_SERVER } from '../agents/under-test/echo.ts';

agentSuite(ECHO);
agentSuite(ECHO_SERVER);
