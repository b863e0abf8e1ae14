import type { VNode } from 'preact';
import { visibleParts } from '../words/visible.ts';

/** A foreign text: characters that hide, reverse or act are shown as their codes. */
export function Safe({ text }: { readonly text: string }): VNode {
  return <>{visibleParts(text).map(({ text: part, isCode }) => (isCode ? <span class="odd">{part}</span> : part))}</>;
}

/** A foreign text as one line. */
export function SafeLine({ text }: { readonly text: string }): VNode {
  // Only what is white space to everybody: a byte order mark would be one, too, and hides.
  return <Safe text={text.replaceAll(/[ \t\r\n]+/g, ' ')} />;
}
