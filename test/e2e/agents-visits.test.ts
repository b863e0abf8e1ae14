import { LIMITED_VISITS, VISITS } from '../agents/stories-visits.ts';
import { tell } from '../agents/tell.ts';

tell(VISITS, 'scripted');
tell(LIMITED_VISITS, 'scripted');
