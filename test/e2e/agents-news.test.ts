import { newsStories, newsTroubles } from '../agents/stories-news.ts';
import { tell } from '../agents/tell.ts';

for (const drive of ['turns', 'live'] as const) tell({ ...newsStories(drive), ...newsTroubles(drive) }, 'scripted');
