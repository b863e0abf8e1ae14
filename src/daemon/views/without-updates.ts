import { withoutNote } from './spawn-note.ts';

/** Updates begin like this; the output of sessions is indented in them. Before 0.2 they were called news. */
const UPDATES = /^\[outlast\] (?:Updates from|News of) [^\n]*\n(?:[^\n]*\n)*?\[end of (?:updates|news)\]\n*/;

/** What a prompt asks for, without what we put around it: for lists and headlines, with room for a few words. */
export function withoutUpdates(text: string): string {
  const asked = withoutNote(text).replace(UPDATES, '');
  return asked === '' && text !== '' ? 'updates from sessions it started' : asked;
}
