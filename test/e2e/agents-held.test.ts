import { DIALOGS, TRUST } from '../agents/stories-held.ts';
import { tell } from '../agents/tell.ts';

tell(DIALOGS, 'scripted');
tell(TRUST, 'scripted');
