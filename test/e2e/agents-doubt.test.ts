import { APART } from '../agents/stories-apart.ts';
import { DOUBTS } from '../agents/stories-doubt.ts';
import { tell } from '../agents/tell.ts';

tell(DOUBTS, 'scripted');
tell(APART, 'scripted');
