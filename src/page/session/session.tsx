import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import { useApp } from '../model/app.ts';
import { useKeys } from '../model/keys.ts';
import { TABS, type Tab } from '../model/route.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Lazy } from '../ui/lazy.tsx';
import { Styled } from '../ui/styled.tsx';
import { STRINGS } from '../words/strings.ts';
import { Composer } from './composer.tsx';
import { ControlLine } from './control-line.tsx';
import { SessionHead } from './head.tsx';

const { session: words } = STRINGS;

interface Props {
  readonly session: string;
  readonly tab: Tab;
  /** Where in the conversation; missing: at its end. */
  readonly turn?: number;
}

/** One session: its head, its views, and what a person can say to it. */
export function SessionPage({ session, tab: wanted, turn }: Props): VNode {
  const app = useApp();
  const known = app.fleet.known.value;
  const row = known.rows.get(session) ?? rowNamed(known.rows.values(), session);
  const missing = useMissing(session, row === undefined && known.isComplete);
  const open = (next: Tab): void => app.go({ is: 'session', session, tab: next }, 'replace');
  useKeys(Object.fromEntries(TABS.map((each, i) => [String(i + 1), () => open(each)])));
  if (row === undefined && missing.value === null) return <div class="session" />;
  const shown = row ?? missing.value;
  if (shown === undefined || shown === null) return <Gone />;
  const tabs = tabsOf(shown);
  const tab = tabs.find((each) => each === wanted) ?? tabs[0] ?? 'conversation';
  return (
    <div class="session">
      <SessionHead row={shown} />
      {tabs.length > 1 ? <Tabs tabs={tabs} tab={tab} open={open} /> : <div class="tabs" />}
      <ControlLine row={shown} />
      <div class="view" id="view" {...(tabs.length > 1 ? { role: 'tabpanel', 'aria-labelledby': `tab-${tab}` } : {})}>
        <View tab={tab} row={shown} turn={turn} />
      </div>
      {shown.drive !== 'command' && TALKING.has(tab) && <Composer row={shown} />}
    </div>
  );
}

/** The views in which a person talks to the agent. */
const TALKING: ReadonlySet<Tab> = new Set<Tab>(['conversation', 'screen']);

interface ViewProps {
  readonly tab: Tab;
  readonly row: SessionRow;
  readonly turn: number | undefined;
}

function View({ tab, row, turn }: ViewProps): VNode {
  switch (tab) {
    case 'screen':
      return (
        <Styled
          key={tab}
          load={() => import('../terminal/screen-view.tsx')}
          draw={({ ScreenView }) => <ScreenView key={row.id} row={row} />}
        />
      );
    case 'conversation':
      return (
        <Lazy
          key={tab}
          load={() => import('./conversation.tsx')}
          draw={({ Conversation }) => <Conversation key={turn} row={row} {...(turn && { turn })} />}
        />
      );
    case 'events':
      return (
        <Styled key={tab} load={() => import('../events/events.tsx')} draw={({ Events }) => <Events row={row} />} />
      );
    case 'changes':
      return (
        <Styled key={tab} load={() => import('../changes/changes.tsx')} draw={({ Changes }) => <Changes row={row} />} />
      );
    case 'report':
      return (
        <Styled key={tab} load={() => import('../report/report.tsx')} draw={({ Report }) => <Report row={row} />} />
      );
  }
}

const ICONS: Readonly<Record<Tab, IconName>> = {
  conversation: 'talk',
  screen: 'screen',
  events: 'events',
  changes: 'changes',
  report: 'read',
};

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly tab: Tab;
  readonly open: (tab: Tab) => void;
}

function Tabs({ tabs, tab, open }: TabsProps): VNode {
  return (
    <div class="tabs" role="tablist" aria-label={words.views}>
      {tabs.map((each) => (
        <button
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-selected={each === tab}
          aria-controls="view"
          onClick={() => open(each)}
        >
          <Icon name={ICONS[each]} size={14} /> {words[each]}
        </button>
      ))}
    </div>
  );
}

/** A command has no conversation and its files are not kept; an agent that is driven by turns has no screen. */
function tabsOf({ drive, terminal }: SessionRow): readonly Tab[] {
  const lacks: readonly Tab[] =
    drive === 'command' ? ['conversation', 'changes'] : terminal === 'pipe' ? ['screen'] : [];
  return TABS.filter((tab) => !lacks.includes(tab));
}

/** A session that is not in the list, such as one that ended long ago, is asked for; undefined: there is none. */
function useMissing(session: string, isMissing: boolean) {
  const app = useApp();
  const found = useSignal<SessionRow | null | undefined>(null);
  useEffect(() => {
    if (!isMissing) return;
    const leaving = new AbortController();
    app.outlast.show(session, leaving.signal).then(
      (shown) => {
        found.value = { ...shown.session, line: '' };
      },
      () => {
        if (!leaving.signal.aborted) found.value = undefined;
      },
    );
    return () => leaving.abort();
  }, [session, isMissing]);
  return found;
}

/** Links in other programs name a session as a person does. */
function rowNamed(rows: Iterable<SessionRow>, name: string): SessionRow | undefined {
  for (const row of rows) if (row.name === name && row.phase !== 'ended') return row;
  return undefined;
}

function Gone(): VNode {
  return (
    <div class="overview">
      <h2 tabIndex={-1} data-head>
        {words.gone}
      </h2>
      <p>{words.goneHint}</p>
    </div>
  );
}
