import type { VNode } from 'preact';
import type { CallOutput } from '../../api/contract.ts';
import { Age, At } from '../ui/age.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { usage: words } = PLACE_STRINGS;
type Limit = CallOutput<'limit.list'>['limits'][number];
/** From here on a person may want to slow down. */
const NEAR_PERCENT = 80;

/** The usage limits of the accounts, as agents last reported them. */
export function Limits({ limits }: { readonly limits: readonly Limit[] }): VNode {
  return (
    <section class="place-section" aria-label={words.limits}>
      <h2>{words.limits}</h2>
      {limits.length === 0 && <p class="muted">{words.noLimits}</p>}
      <ul class="limits">
        {limits.map((limit) => (
          <li key={`${limit.agent} ${limit.account} ${limit.window}`}>
            <OneLimit limit={limit} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneLimit({ limit }: { readonly limit: Limit }): VNode {
  const { agent, account, home, window, usedPercent, resetsAtMs, seenAtMs } = limit;
  const used = usedPercent ?? (window === 'met' ? 100 : null);
  const isNear = used !== null && used >= NEAR_PERCENT;
  return (
    <>
      <span class="limit-name">
        <strong>
          <SafeLine text={agent} />
        </strong>{' '}
        <SafeLine text={words.windows[window as 'met'] ?? window} />{' '}
        <span class="muted" title={home ?? undefined}>
          <SafeLine text={home ?? account} />
        </span>
      </span>
      <span class={`limit-track ${isNear ? 'near' : ''}`} aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(used ?? 0, 100)}%` }} />
      </span>
      <span class="limit-told">
        {used === null ? words.usedUnknown : words.used(Math.round(used))}
        {resetsAtMs !== null && (
          <>
            {' '}
            {words.resets} <At atMs={resetsAtMs} />
          </>
        )}
        <span class="muted">
          {' '}
          {words.seen} <Age atMs={seenAtMs} />
        </span>
      </span>
    </>
  );
}
