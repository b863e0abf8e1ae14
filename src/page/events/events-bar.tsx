import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { EVENT_KINDS, type EventKind } from '../model/happening.ts';
import type { EventFilter, Timeline } from '../model/timeline.ts';
import { Icon } from '../ui/icon.tsx';
import { numberText } from '../words/format.ts';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { events: words, evidence } = RECORD_STRINGS;

interface Props {
  readonly timeline: Timeline;
  readonly filter: Signal<EventFilter>;
  readonly count: number;
  readonly nextTrouble: () => void;
}

/** Which events are shown, how many there are, and the way to what went wrong. */
export function EventsBar({ timeline: { placed, troubles }, filter, count, nextTrouble }: Props): VNode {
  const { kind, isTroubleOnly } = filter.value;
  const kinds = EVENT_KINDS.filter((each) => placed.some(({ happening }) => happening.kind === each));
  const choose = (next: EventKind | null): void => {
    filter.value = { ...filter.value, kind: next };
  };
  return (
    <div class="view-bar">
      <fieldset class="chips" aria-label={words.filter}>
        <button type="button" class="chip" aria-pressed={kind === null} onClick={() => choose(null)}>
          {words.all} <span class="count">{numberText(count)}</span>
        </button>
        {kinds.map((each) => (
          <button
            type="button"
            class="chip"
            aria-pressed={kind === each}
            onClick={() => choose(kind === each ? null : each)}
          >
            {words.kinds[each]}
          </button>
        ))}
        {(troubles.length > 0 || isTroubleOnly) && (
          <button
            type="button"
            class="chip bad"
            aria-pressed={isTroubleOnly}
            onClick={() => (filter.value = { kind, isTroubleOnly: !isTroubleOnly })}
          >
            {words.trouble} <span class="count">{numberText(troubles.length)}</span>
          </button>
        )}
      </fieldset>
      <span class="space" />
      {troubles.length > 0 && (
        <button type="button" class="quiet only-wide" title={words.hint} onClick={nextTrouble}>
          {evidence.next} <kbd>e</kbd> <Icon name="chevron" size={12} />
        </button>
      )}
    </div>
  );
}
