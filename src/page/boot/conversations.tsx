import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { BootView, ConversationView } from '../../api/contract-boot.ts';
import { oneLine } from '../../present/harmless.ts';
import { byVerdict, lookOfVerdict } from '../model/boots.ts';
import { Age } from '../ui/age.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { numberText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { boot: words } = PLACE_STRINGS;
const ROWS_FIRST = 25;

/** All conversations that were looked at, besides the interrupted ones: what is known of each, and why. */
export function Conversations({ boot }: { readonly boot: BootView }): VNode | null {
  const [isWhole, setWhole] = useState(false);
  const all = byVerdict(boot).filter(({ verdict }) => verdict !== 'interrupted');
  if (all.length === 0) return null;
  const shown = isWhole ? all : all.slice(0, ROWS_FIRST);
  return (
    <section class="place-section" aria-label={words.others}>
      <h2>
        {words.others} <span class="muted">{numberText(all.length)}</span>
      </h2>
      <table class="data judged">
        <thead>
          <tr>
            <th scope="col">{words.verdict}</th>
            <th scope="col">{words.why}</th>
            <th scope="col" class="only-wide">
              {words.agent}
            </th>
            <th scope="col" class="number">
              {words.age}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <Row key={`${one.agent} ${one.id} ${one.path}`} one={one} />
          ))}
        </tbody>
      </table>
      {shown.length < all.length && (
        <button type="button" class="quiet more-rows" onClick={() => setWhole(true)}>
          {words.more(all.length - shown.length)}
        </button>
      )}
    </section>
  );
}

function Row({ one }: { readonly one: ConversationView }): VNode {
  const skipped = one.skipped === 0 ? '' : ` ${words.skipped(one.skipped)}`;
  return (
    <tr>
      <td class="verdict" title={words.verdictHints[one.verdict]}>
        <i class={`swatch look-${lookOfVerdict(one.verdict)}`} /> {words.verdicts[one.verdict]}
      </td>
      <td class="judged-why">
        <SafeLine text={oneLine(`${one.detail ?? one.why}${skipped}`)} />
      </td>
      <td class="only-wide" title={one.path}>
        <SafeLine text={one.agent} /> <code class="muted">{one.id.slice(0, 8)}</code>
      </td>
      <td class="number">
        <Age atMs={one.atMs} />
      </td>
    </tr>
  );
}
