import { liveStories } from '../agents/stories-live.ts';
import { tell } from '../agents/tell.ts';

const stories = liveStories('tmux');
// The other half is told on a pty: agents-live-pty.test.ts.
tell(stories, 'scripted', { quick: Object.keys(stories).filter((_, i) => i % 2 === 0) });
