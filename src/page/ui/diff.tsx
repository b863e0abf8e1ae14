import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { DiffLine, FileDiff } from '../model/diff.ts';
import { STRINGS } from '../words/strings.ts';
import { Safe } from './safe.tsx';

const SIGN: Readonly<Record<DiffLine['is'], string>> = { same: ' ', added: '+', removed: '−', gap: '', note: '' };

/** How many files and lines are changed. */
export function DiffStat({ added, removed }: Pick<FileDiff, 'added' | 'removed'>): VNode {
  return (
    <span class="diffstat">
      {added > 0 && <span class="added">+{added}</span>}
      {removed > 0 && <span class="removed">−{removed}</span>}
    </span>
  );
}

/** The change of one file. Long lines wrap: nothing is out of sight. `linesMax`: what is beyond it is folded. */
export function Diff({ file, linesMax }: { readonly file: FileDiff; readonly linesMax?: number }): VNode {
  const [isWhole, setWhole] = useState(false);
  const cut = linesMax !== undefined && !isWhole && file.lines.length > linesMax + 2 ? linesMax : file.lines.length;
  const hasNumbers = file.lines.some(({ before, after }) => before !== null || after !== null);
  return (
    <figure class={`diff ${hasNumbers ? 'numbered' : ''}`}>
      <figcaption>
        <span class="path">
          <Safe text={file.path} />
        </span>
        <DiffStat {...file} />
      </figcaption>
      <div class="lines">
        {file.lines.slice(0, cut).map((line) => (
          <Line line={line} hasNumbers={hasNumbers} />
        ))}
      </div>
      {cut < file.lines.length && (
        <button type="button" class="quiet more-lines" onClick={() => setWhole(true)}>
          {STRINGS.talk.more(file.lines.length - cut)}
        </button>
      )}
    </figure>
  );
}

function Line({ line, hasNumbers }: { readonly line: DiffLine; readonly hasNumbers: boolean }): VNode {
  return (
    <div class={`line ${line.is}`}>
      {hasNumbers && <span class="number">{line.after ?? line.before ?? ''}</span>}
      <span class="sign">{SIGN[line.is]}</span>
      <code>
        <Safe text={line.is === 'gap' ? '⋯' : line.text} />
      </code>
    </div>
  );
}
