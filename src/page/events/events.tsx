import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import {
  type EventFilter,
  type EventRow,
  type Folds,
  firstFolds,
  type Timeline,
  timelineOf,
} from '../model/timeline.ts';
import { Icon } from '../ui/icon.tsx';
import { Loading, Unread } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual.tsx';
import { RECORD_STRINGS } from '../words/record-strings.ts';
import { AxisHead, bandsOf } from './axis-head.tsx';
import { EventsBar } from './events-bar.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { type EventsRead, useEvents } from './follow-events.ts';
import { Row } from './row.tsx';
import { useEventKeys } from './use-event-keys.ts';
import { useIsNarrow } from './use-narrow.ts';
import { useNewest } from './use-newest.ts';

const { events: words } = RECORD_STRINGS;
const ROW_PX = 28;
/** Rows that are touched, with their bar below the text. */
const ROW_NARROW_PX = 48;
const ALL: EventFilter = { kind: null, isTroubleOnly: false };

/** What happened to a session: its events on a time axis, and the evidence of each. */
export function Events({ row }: { readonly row: SessionRow }): VNode {
  const { reading, more, again } = useEvents(row.id);
  const { events, isLoaded, hasMore, error } = reading.value;
  const cursor = useSignal<string | null>(null);
  const open = useSignal<number | null>(null);
  const part = useRef<HTMLElement>(null);
  const { timeline, filter, fold } = useTimeline(reading, row.drive === 'command');
  const { nextTrouble } = useEventKeys({ timeline, cursor, open, filter, fold, part });
  const choose = (chosen: EventRow): void => {
    cursor.value = chosen.key;
    if (chosen.is === 'group') fold(chosen.key, !chosen.isFolded);
    else if (chosen.is === 'event') {
      const { seq } = chosen.happening.event;
      open.value = open.value === seq ? null : seq;
    }
  };
  if (error !== null && events.length === 0) return <Unread why={error} again={again} />;
  if (!isLoaded) return <Loading word={words.loading} />;
  const { placed, axis } = timeline.value;
  const opened = placed.find(({ happening }) => happening.event.seq === open.value)?.happening;
  return (
    <section class={`events ${opened === undefined ? '' : 'with-evidence'}`} aria-label={words.label} ref={part}>
      <EventsBar timeline={timeline.value} filter={filter} count={events.length} nextTrouble={nextTrouble} />
      <div class="events-list" style={{ '--bands': bandsOf(axis) }}>
        <AxisHead axis={axis} />
        {hasMore && <Earlier more={more} />}
        <Rows {...{ row, timeline, filter, cursor, open, choose }} newest={events.at(-1)?.seq ?? 0} />
      </div>
      {opened !== undefined && (
        <EvidencePanel
          happening={opened}
          placed={placed}
          row={row}
          close={() => (open.value = null)}
          show={({ event }) => {
            open.value = event.seq;
            cursor.value = `event ${event.seq}`;
          }}
        />
      )}
    </section>
  );
}

/** The rows, as they are filtered and folded. */
function useTimeline(reading: Signal<EventsRead>, isCommand: boolean) {
  const filter = useSignal(ALL);
  const folds = useSignal<Folds | null>(null);
  const { events, isLoaded } = reading.value;
  // What is folded at first is decided once: nothing folds while it is read.
  if (folds.value === null && isLoaded && events.length > 0) folds.value = firstFolds(events);
  const timeline = useComputed(() =>
    timelineOf(reading.value.events, { filter: filter.value, folds: folds.value ?? firstFolds([]), isCommand }),
  );
  const fold = (key: string, isFolded: boolean): void => {
    folds.value = (folds.value ?? firstFolds([])).with(key, isFolded);
  };
  return { timeline, filter, fold };
}

interface RowsProps {
  readonly row: SessionRow;
  readonly timeline: ReadonlySignal<Timeline>;
  readonly filter: Signal<EventFilter>;
  readonly cursor: ReadonlySignal<string | null>;
  readonly open: ReadonlySignal<number | null>;
  readonly choose: (row: EventRow) => void;
  readonly newest: number;
}

function Rows({ row, timeline, filter, cursor, open, choose, newest }: RowsProps): VNode {
  const { rows, axis } = timeline.value;
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const { fresh, toEnd } = useNewest(box, rows, { view: filter.value, isHeld: open.value !== null, newest });
  if (rows.length === 0) return <NoneFound all={() => (filter.value = ALL)} />;
  return (
    <>
      <VirtualList
        box={box}
        items={rows}
        keyOf={({ key }) => key}
        heightOf={() => (isNarrow ? ROW_NARROW_PX : ROW_PX)}
        label={words.label}
        wanted={cursor.value}
        draw={(item) => (
          <Row
            item={item}
            axis={axis}
            session={row}
            isAt={item.key === cursor.value}
            isOpen={item.is === 'event' && item.happening.event.seq === open.value}
            choose={() => choose(item)}
          />
        )}
      />
      {fresh > 0 && (
        <button type="button" class="fresh" onClick={toEnd}>
          {words.fresh(fresh)} <Icon name="down" size={12} />
          <span class="out-of-sight">{words.latest}</span>
        </button>
      )}
    </>
  );
}

function NoneFound({ all }: { readonly all: () => void }): VNode {
  return (
    <div class="view-empty">
      <p>{words.noneFound}</p>
      <button type="button" class="plain small" onClick={all}>
        {words.showAll}
      </button>
    </div>
  );
}

function Earlier({ more }: { readonly more: () => Promise<void> }): VNode {
  const isBusy = useSignal(false);
  const load = async (): Promise<void> => {
    isBusy.value = true;
    await more().catch(() => {});
    isBusy.value = false;
  };
  return (
    <button
      type="button"
      class="quiet events-earlier"
      aria-disabled={isBusy.value}
      onClick={() => !isBusy.value && void load()}
    >
      {words.earlier}
    </button>
  );
}
