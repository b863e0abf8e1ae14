import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { harmless } from '../../present/harmless.ts';
import { costText, lastWords, shortState, signMs } from '../../present/row.ts';
import { nameOf } from '../../present/state.ts';
import { useApp } from '../model/app.ts';
import type { FleetItem } from '../model/grouping.ts';
import { addressOf } from '../model/route.ts';
import { Age } from '../ui/age.tsx';
import { Glyph, lookOf } from '../ui/glyph.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';

interface Props {
  readonly item: Extract<FleetItem, { is: 'session' }>;
  readonly isOpen: boolean;
  /** The cursor of the keyboard is here. */
  readonly isAt: boolean;
}

/** How far a child stands in, and how deep that is shown at most. */
const INDENT_PX = 16;
const INDENTS_MAX = 4;

/** A session in the list. */
export function FleetRow({ item, isOpen, isAt }: Props): VNode {
  const app = useApp();
  const { row, attention, under } = item;
  const look = lookOf(row, attention);
  const words = lastWords(row);
  return (
    <a
      class={`row ${isAt ? 'at' : ''}`}
      href={addressOf({ is: 'session', session: row.id, tab: 'conversation' })}
      aria-current={isOpen ? 'page' : undefined}
      data-session={row.id}
      style={under > 0 ? { paddingInlineStart: `${12 + Math.min(under, INDENTS_MAX) * INDENT_PX}px` } : undefined}
      onClick={(event) => follow(event, () => app.go({ is: 'session', session: row.id, tab: 'conversation' }))}
    >
      <Glyph look={look} />
      <span class="row-title">
        {under > 0 && (
          <span class="owned" title={STRINGS.fleet.startedBy}>
            <Icon name="owner" size={12} />
          </span>
        )}
        <span class="row-name">
          <SafeLine text={nameOf(row)} />
        </span>
        <span class="row-agent">
          <SafeLine text={agentText(row)} />
        </span>
      </span>
      <Age atMs={signMs(row)} />
      <span class="row-words">
        {attention !== 'idle' && (
          <span class={`state ${look}`}>
            <State row={row} />
          </span>
        )}
        {words !== '' && (
          <span class="said">
            <SafeLine text={words} />
          </span>
        )}
      </span>
      <span class="row-cost">{costOf(row)}</span>
    </a>
  );
}

/** A click opens it here; with a key it opens in a new tab, as any link. */
export function follow(event: MouseEvent, go: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go();
}

/** The state of a session in a word or two. */
export function State({ row }: { readonly row: SessionRow }): VNode {
  const { nowMs } = useApp();
  const text = row.limitedUntilMs === null ? shortState(row, 0) : shortState(row, nowMs.value);
  return <SafeLine text={text} />;
}

/** What it has cost; nothing while that is nothing. */
export function costOf(row: SessionRow): string {
  return row.usage.usd === 0 ? '' : costText(row);
}

/** The agent, how it is driven and its model. */
export function agentText({ agent, drive, model }: SessionRow): string {
  if (drive === 'command') return '';
  return [agent, ...(drive === 'live' ? ['live'] : []), ...(model === null ? [] : [model])].map(harmless).join(' · ');
}
