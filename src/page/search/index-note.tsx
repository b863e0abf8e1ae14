import type { VNode } from 'preact';
import type { SearchIndexView } from '../../api/contract-search.ts';
import { SafeLine } from '../ui/safe.tsx';
import { dayText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { search: words } = PLACE_STRINGS;

/** Why something that was said may not be found now; nothing while the index is complete. */
export function IndexNote({ index }: { readonly index: SearchIndexView }): VNode | null {
  const { state, progress, why, horizonMs } = index;
  if (state === 'building' || progress !== null) {
    const { done = 0, total = 0 } = progress ?? {};
    return (
      <div class="index-note" role="status">
        <strong>{state === 'building' ? words.building : words.reading}</strong>
        {total > 0 && <span>{words.buildingOf(done, total)}</span>}
        <progress aria-label={words.building} {...(total > 0 ? { value: done, max: total } : {})} />
      </div>
    );
  }
  if (why !== null)
    return (
      <p class="index-note" role="status">
        <SafeLine text={words.partial(why)} />
      </p>
    );
  if (horizonMs !== null) return <p class="index-note">{words.horizon(dayText(horizonMs))}</p>;
  return null;
}
