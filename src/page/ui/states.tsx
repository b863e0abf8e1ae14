import type { VNode } from 'preact';
import { RECORD_STRINGS } from '../words/record-strings.ts';
import { Icon } from './icon.tsx';
import { Safe } from './safe.tsx';

/** Grey lines while something is read. */
export function Loading({ word }: { readonly word: string }): VNode {
  return (
    <div class="view-loading" role="status">
      <span class="out-of-sight">{word}</span>
      {Array.from({ length: 6 }, (_, i) => (
        <span class="view-loading-line" style={{ '--wide': `${[62, 88, 74, 93, 51, 80][i]}%` }} />
      ))}
    </div>
  );
}

/** Says why something could not be read, and reads it again if a person wants to. */
export function Unread({ why, again }: { readonly why: string; readonly again: () => void }): VNode {
  return (
    <div class="view-unread" role="alert">
      <h2>{RECORD_STRINGS.failed}</h2>
      <p>
        <Safe text={why} />
      </p>
      <button type="button" class="plain small" onClick={again}>
        <Icon name="again" size={14} /> {RECORD_STRINGS.tryAgain}
      </button>
    </div>
  );
}
