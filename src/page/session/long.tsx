import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Safe } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';

/** A text of which only the first lines are shown, until a person wants all of it. */
export function Long({ text, linesMax }: { readonly text: string; readonly linesMax: number }): VNode {
  const [isWhole, setWhole] = useState(false);
  const lines = text.trim().split('\n');
  const isCut = !isWhole && lines.length > linesMax + 2;
  return (
    <div class="long">
      <p>
        <Safe text={(isCut ? lines.slice(0, linesMax) : lines).join('\n')} />
      </p>
      {isCut && (
        <button type="button" class="quiet more-lines" onClick={() => setWhole(true)}>
          {STRINGS.talk.more(lines.length - linesMax)}
        </button>
      )}
    </div>
  );
}
