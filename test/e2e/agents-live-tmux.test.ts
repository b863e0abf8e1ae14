import { liveStories } from '../agents/stories-live.ts';
import { tell } from '../agents/tell.ts';

tell(liveStories('tmux'), 'scripted');
