import { liveStories, NO_TMUX } from '../agents/stories-live.ts';
import { tell } from '../agents/tell.ts';

const stories = liveStories('pty');
// In every run half of the stories are told on a pty, and the other half on tmux.
tell(stories, 'scripted', { quick: Object.keys(stories).filter((_, i) => i % 2 === 1) });
tell(NO_TMUX, 'scripted');
