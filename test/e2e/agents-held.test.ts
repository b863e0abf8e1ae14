import { DIALOGS, TRUST } from '../agents/stories-held.ts';
import { tell } from '../agents/tell.ts';

// A known one and an unknown one; how each of them looks is tested beside its reader.
const KNOWN = ['the warning about', 'the choice of', 'the login', 'an update'];
tell(DIALOGS, 'scripted', {
  quick: Object.keys(DIALOGS).filter((sentence) => KNOWN.every((words) => !sentence.startsWith(words))),
});
tell(TRUST, 'scripted');
