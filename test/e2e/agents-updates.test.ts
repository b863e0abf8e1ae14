import { newsStories, newsTroubles } from '../agents/stories-updates.ts';
import { tell } from '../agents/tell.ts';

const all = (['turns', 'live'] as const).map((drive) => ({ ...newsStories(drive), ...newsTroubles(drive) }));
tell({ ...all[0], ...all[1] }, 'scripted');
