import { withoutNote } from './spawn-note.ts';

/** The block of updates before a prompt; the output of sessions is indented in it. Before 0.2 it was called news. */
const UPDATES = /^\[outlast\] (?:Updates from|News of) [^\n]*\n(?:[^\n]*\n)*?\[end of (?:updates|news)\]\n*/;

/** The text of a prompt without the block that we add: for lists and headlines. */
export function withoutUpdates(text: string): string {
  let asked = withoutNote(text);
  while (UPDATES.test(asked)) asked = asked.replace(UPDATES, '');
  return asked === '' && text !== '' ? 'updates from sessions it started' : asked;
}
