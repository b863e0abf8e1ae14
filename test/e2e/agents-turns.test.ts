import { TURNS } from '../agents/stories-turns.ts';
import { tell } from '../agents/tell.ts';

tell(TURNS, 'scripted');
