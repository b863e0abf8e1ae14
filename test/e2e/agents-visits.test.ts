import { VISITS } from '../agents/stories-visits.ts';
import { tell } from '../agents/tell.ts';

tell(VISITS, 'scripted');
