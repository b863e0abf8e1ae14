import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { type FleetItem, fleetItems, type Grouping } from '../model/grouping.ts';
import { useKeys } from '../model/keys.ts';
import type { Route } from '../model/route.ts';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { VirtualList } from '../ui/virtual.tsx';
import { numberText, pathText, timeText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';
import { BootBanner } from './boot-banner.tsx';
import { FleetRow } from './row.tsx';
import { FleetEmpty, FleetLoading, FleetUnknown } from './states.tsx';

const HEAD_PX = 36;
const GROUPINGS: readonly (readonly [Grouping, string])[] = [
  ['state', STRINGS.fleet.byState],
  ['folder', STRINGS.fleet.byFolder],
  ['tree', STRINGS.fleet.byTree],
];

/** The list of all sessions. */
export function FleetList(): VNode {
  const app = useApp();
  const { by, folded, rowPx } = app.settings;
  const filter = useSignal('');
  const cursor = useSignal<string | null>(null);
  const items = useComputed(() =>
    fleetItems(app.fleet.known.value.rows.values(), { filter: filter.value, by: by.value, folded: folded.value }),
  );
  const box = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useListKeys(items, cursor, () => input.current?.focus());
  useSignalEffect(() => {
    const at = cursor.value;
    // The row is drawn first.
    if (at !== null) requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('.row.at')?.focus());
  });
  const { rows, isComplete } = app.fleet.known.value;
  const open = sessionIn(app.route.value);
  const isStale = 'sinceMs' in app.state.value;
  return (
    <section class={`fleet ${isStale ? 'stale' : ''}`} aria-label={STRINGS.fleet.title} ref={box}>
      <FleetHead filter={filter.value} input={input} change={(text) => (filter.value = text)} />
      <BootBanner />
      {rows.size === 0 && <FleetNone isComplete={isComplete} isStale={isStale} />}
      {rows.size > 0 && items.value.length === 0 && (
        <p class="none" role="status">
          {STRINGS.fleet.noneFound(filter.value)}
        </p>
      )}
      {items.value.length > 0 && (
        <VirtualList
          key={rowPx}
          items={items.value}
          keyOf={({ key }) => key}
          heightOf={({ is }) => (is === 'head' ? HEAD_PX : rowPx)}
          label={STRINGS.fleet.title}
          wanted={cursor.value}
          draw={(item) =>
            item.is === 'head' ? (
              <GroupHead item={item} />
            ) : (
              <FleetRow item={item} isOpen={item.key === open} isAt={item.key === cursor.value} />
            )
          }
        />
      )}
    </section>
  );
}

function FleetNone({ isComplete, isStale }: { readonly isComplete: boolean; readonly isStale: boolean }): VNode {
  if (isComplete) return <FleetEmpty />;
  return isStale ? <FleetUnknown /> : <FleetLoading />;
}

function sessionIn(route: Route): string | null {
  return route.is === 'session' ? route.session : null;
}

interface HeadProps {
  readonly filter: string;
  readonly input: { current: HTMLInputElement | null };
  readonly change: (text: string) => void;
}

function FleetTitle(): VNode {
  const app = useApp();
  const state = app.state.value;
  const { rows, isComplete } = app.fleet.known.value;
  const isKnown = isComplete || rows.size > 0;
  return (
    <h1>
      {STRINGS.fleet.title} {isKnown && <span class="count">{numberText(rows.size)}</span>}
      {isKnown && 'sinceMs' in state && (
        <span class="as-of">{STRINGS.fleet.asOf(timeText(state.sinceMs, app.nowMs.peek()))}</span>
      )}
    </h1>
  );
}

function FleetHead({ filter, input, change }: HeadProps): VNode {
  const app = useApp();
  const { by } = app.settings;
  const group = (next: Grouping): void => {
    by.value = next;
    app.settings.save();
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    change('');
    input.current?.blur();
  };
  return (
    <header class="fleet-head">
      <FleetTitle />
      <fieldset class="segments" aria-label={STRINGS.fleet.group}>
        {GROUPINGS.map(([each, word]) => (
          <button type="button" aria-pressed={by.value === each} onClick={() => group(each)}>
            {word}
          </button>
        ))}
      </fieldset>
      <div class="search">
        <Icon name="search" size={14} />
        <input
          ref={input}
          type="search"
          value={filter}
          placeholder={STRINGS.fleet.filter}
          aria-label={STRINGS.fleet.filterHint}
          onInput={(event) => change(event.currentTarget.value)}
          onKeyDown={leave}
        />
        <kbd>/</kbd>
      </div>
    </header>
  );
}

function GroupHead({ item }: { readonly item: Extract<FleetItem, { is: 'head' }> }): VNode {
  const app = useApp();
  const title = item.attention === null ? pathText(item.key) : STRINGS.sections[item.attention];
  return (
    <h2 class={`group ${item.attention === 'needs you' ? 'need' : ''}`}>
      <button type="button" aria-expanded={!item.isFolded} onClick={() => app.settings.fold(item.key)}>
        <span class="group-name">
          <SafeLine text={title} />
        </span>
        <span class="count">{numberText(item.count)}</span>
        <Icon name="chevron" size={12} />
      </button>
    </h2>
  );
}

interface Listed {
  readonly value: readonly FleetItem[];
}

/** j and k move through the list, `/` filters it. */
function useListKeys(items: Listed, cursor: { value: string | null }, filter: () => void): void {
  const app = useApp();
  const move = (by: number): void => {
    const sessions = items.value.filter(({ is }) => is === 'session');
    const from = cursor.value ?? sessionIn(app.route.peek());
    const at = sessions.findIndex(({ key }) => key === from);
    const next = at < 0 ? (by > 0 ? 0 : sessions.length - 1) : Math.min(Math.max(at + by, 0), sessions.length - 1);
    cursor.value = sessions[next]?.key ?? null;
  };
  useKeys({ j: () => move(1), k: () => move(-1), '/': filter });
}
