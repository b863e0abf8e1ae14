import { DEFERRED } from '../agents/stories-deferred.ts';
import { tell } from '../agents/tell.ts';

tell(DEFERRED, 'scripted');
