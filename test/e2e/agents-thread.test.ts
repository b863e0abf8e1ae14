import { AROUND } from '../agents/stories-around.ts';
import { THREADS } from '../agents/stories-thread.ts';
import { tell } from '../agents/tell.ts';

tell(THREADS, 'scripted');
tell(AROUND, 'scripted');
