import { MISSING } from '../agents/stories-missing.ts';
import { tell } from '../agents/tell.ts';

tell(MISSING, 'scripted');
