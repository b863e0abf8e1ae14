import { withoutNote } from './spawn-note.ts';

/** What wakes it begins like this. Whatever sessions printed is indented in it. */
const NEWS = /^\[outlast\] News of [^\n]*\n(?:[^\n]*\n)*?\[end of news\]\n*/;

/** What a prompt asks for, without what we put around it: for lists and headlines, with room for a few words. */
export function askedIn(text: string): string {
  const asked = withoutNote(text).replace(NEWS, '');
  return asked === '' && text !== '' ? 'news of what it started' : asked;
}
