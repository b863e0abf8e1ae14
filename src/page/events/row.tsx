import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { durationText } from '../../present/duration.ts';
import type { Axis } from '../model/axis.ts';
import type { Group } from '../model/groups.ts';
import { type EventKind, errorOf, type Happening, lineOf, troubleOf } from '../model/happening.ts';
import type { EventRow } from '../model/timeline.ts';
import { Glyph } from '../ui/glyph.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { secondsText, wholeTimeText } from '../words/format.ts';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { events: words } = RECORD_STRINGS;
const TITLE_CHARS_MAX = 160;
/** What is shorter is a point on the axis. */
const TOLD_MS = 100;

const ICONS: Readonly<Record<EventKind, IconName>> = {
  session: 'screen',
  run: 'play',
  prompt: 'talk',
  tool: 'shell',
  approval: 'inbox',
  other: 'other',
};

interface Props {
  readonly item: EventRow;
  readonly axis: Axis;
  readonly session: SessionRow;
  readonly isAt: boolean;
  readonly isOpen: boolean;
  readonly choose: () => void;
}

/** One row of the events: when, what, how long, and where on the axis. */
export function Row({ item, ...rest }: Props): VNode {
  switch (item.is) {
    case 'gap': {
      const { gap, fromMs, toMs } = item.gap;
      return (
        <p class={`gap-row is-${gap}`}>
          <span>{words.gap(words.gaps[gap], durationText(toMs - fromMs))}</span>
        </p>
      );
    }
    case 'group':
      return <GroupRow item={item} {...rest} />;
    case 'event':
      return <HappeningRow happening={item.happening} depth={item.depth} {...rest} />;
  }
}

type GroupProps = Omit<Props, 'item'> & { readonly item: Extract<EventRow, { is: 'group' }> };

function GroupRow({ item: { group, sum, isFolded }, axis, isAt, choose }: GroupProps): VNode {
  const { is, fromMs, toMs } = group;
  return (
    <button
      type="button"
      class={`event-row group-row ${isAt ? 'at' : ''}`}
      data-depth={is === 'run' ? 0 : 1}
      aria-expanded={!isFolded}
      onClick={choose}
    >
      <At atMs={fromMs} />
      <span class="event-sign">
        <Icon name="chevron" size={12} />
      </span>
      <span class="event-text">
        <GroupTitle group={group} />
        {sum.calls > 0 && <span class="event-note">{words.calls(sum.calls)}</span>}
        {sum.troubles > 0 && <span class="event-note bad">{words.troubles(sum.troubles)}</span>}
      </span>
      <span class="event-took">{toMs === null ? words.running : durationText(toMs - fromMs)}</span>
      <Bar axis={axis} kind={is} fromMs={fromMs} toMs={toMs ?? Number.POSITIVE_INFINITY} />
    </button>
  );
}

function GroupTitle({ group: { is, number, title, isCut } }: { readonly group: Group }): VNode {
  if (is === 'run')
    return (
      <strong>
        {words.run(number)}
        {isCut && <span class="event-note">{words.begins}</span>}
      </strong>
    );
  return (
    <strong>
      <SafeLine text={title.slice(0, TITLE_CHARS_MAX)} />
      {number > 1 && <span class="event-note">{words.again(number)}</span>}
    </strong>
  );
}

type HappeningProps = Omit<Props, 'item'> & { readonly happening: Happening; readonly depth: number };

function HappeningRow({ happening, depth, axis, session, isAt, isOpen, choose }: HappeningProps): VNode {
  const { event, atMs, kind, endMs } = happening;
  const trouble = troubleOf(happening);
  const error = errorOf(happening);
  const isCall = event.event === 'tool.called';
  const isOpenCall = isCall && endMs === null;
  return (
    <button
      type="button"
      class={`event-row ${trouble ?? ''} ${isAt ? 'at' : ''} ${isOpen ? 'open' : ''}`}
      data-depth={depth}
      data-seq={event.seq}
      aria-expanded={isOpen}
      onClick={choose}
    >
      <At atMs={atMs} />
      <span class={`event-sign is-${kind}`}>
        {trouble === null ? <Icon name={ICONS[kind]} size={12} /> : <Glyph look={trouble} />}
      </span>
      <span class={`event-text ${isCall ? 'is-call' : ''}`}>
        <SafeLine text={lineOf(happening, session.workspace)} />
        {error !== null && (
          <span class="event-note bad">
            <SafeLine text={error} />
          </span>
        )}
      </span>
      <span class="event-took">{endMs !== null && endMs - atMs >= TOLD_MS && durationText(endMs - atMs)}</span>
      <Bar
        axis={axis}
        kind={trouble ?? kind}
        fromMs={atMs}
        toMs={isOpenCall && session.phase === 'working' ? Number.POSITIVE_INFINITY : (endMs ?? atMs)}
      />
    </button>
  );
}

function At({ atMs }: { readonly atMs: number }): VNode {
  return (
    <time class="event-at" dateTime={new Date(atMs).toISOString()} title={wholeTimeText(atMs)}>
      {secondsText(atMs)}
    </time>
  );
}

interface BarProps {
  readonly axis: Axis;
  readonly kind: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** When it was, on the axis of all rows. */
function Bar({ axis, kind, fromMs, toMs }: BarProps): VNode {
  const [from, to] = [axis.at(fromMs), axis.at(Math.min(toMs, Number.MAX_SAFE_INTEGER))];
  const style = { insetInlineStart: `${from * 100}%`, inlineSize: `${Math.max(to - from, 0) * 100}%` };
  return (
    <span class="event-lane" aria-hidden="true">
      <span class={`bar is-${kind} ${toMs === fromMs ? 'point' : ''}`} style={style} />
    </span>
  );
}
