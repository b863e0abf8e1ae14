import { liveStories, NO_TMUX } from '../agents/stories-live.ts';
import { tell } from '../agents/tell.ts';

tell(liveStories('pty'), 'scripted');
tell(NO_TMUX, 'scripted');
