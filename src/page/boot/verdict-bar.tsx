import type { VNode } from 'preact';
import type { BootView } from '../../api/contract-boot.ts';
import { lookOfVerdict, verdictCounts } from '../model/boots.ts';
import { numberText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { boot: words } = PLACE_STRINGS;

/** How many conversations have each verdict, as one bar. */
export function VerdictBar({ boot }: { readonly boot: BootView }): VNode | null {
  const counts = verdictCounts(boot);
  if (counts.length === 0) return null;
  return (
    <figure class="verdicts">
      <div class="verdict-bar" aria-hidden="true">
        {counts.map(({ verdict, count }) => (
          <span class={`look-${lookOfVerdict(verdict)}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <figcaption>
        <ul>
          {counts.map(({ verdict, count }) => (
            <li title={words.verdictHints[verdict]}>
              <i class={`swatch look-${lookOfVerdict(verdict)}`} /> {words.verdicts[verdict]}{' '}
              <strong>{numberText(count)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
