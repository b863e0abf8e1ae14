import { AGENT_DEATHS, DAEMON_DEATHS } from '../agents/stories-crash.ts';
import { MOMENT_STORIES } from '../agents/stories-moments.ts';
import { tell } from '../agents/tell.ts';

// The longest first: several are told at once.
tell(MOMENT_STORIES, 'scripted');
tell(DAEMON_DEATHS, 'scripted');
tell(AGENT_DEATHS, 'scripted');
