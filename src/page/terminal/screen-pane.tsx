import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import type { StyledScreen } from '../live/types.ts';
import { useApp } from '../model/app.ts';
import { Icon } from '../ui/icon.tsx';
import { Lazy } from '../ui/lazy.tsx';
import { bytesText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';
import { History } from './history.ts';
import { useLastLines } from './last-lines.tsx';
import { RowView, ScreenRows } from './rows.tsx';
import type { Place } from './screen-view.tsx';
import { useStuckScroll } from './stuck-scroll.ts';
import { Typing } from './typing.ts';

const { screen: words } = STRINGS;

interface Props {
  readonly row: SessionRow;
  readonly read: (place: Place) => void;
}

/** Output that went by faster than it could be shown. */
interface Skipped {
  readonly from: number;
  readonly to: number;
}

/** What the terminal shows now, as text, with what has scrolled off it above. */
export function ScreenPane({ row, read }: Props): VNode {
  const { screen, skipped, isOver, history } = useScreen(row.id);
  const app = useApp();
  // The place on the screen is kept when rows come above it.
  void history.rows.value;
  const typing = useMemo(() => new Typing(app, row.id), [row.id]);
  useEffect(() => () => typing.leave(), [typing]);
  const lines = useLastLines(() => screen.value?.rows ?? []);
  const older = (): void => void history.older(AbortSignal.timeout(30_000)).catch(() => {});
  const scroll = useStuckScroll({ older, left: () => history.forget() });
  if (screen.value === null) return <p class="none">{isOver.value ? words.empty : words.loading}</p>;
  const { columns, rows } = screen.value;
  if (typing.control.value !== null)
    return (
      <Lazy
        load={() => import('./terminal-pane.tsx')}
        draw={({ TerminalPane }) => <TerminalPane typing={typing} screen={screen} />}
      />
    );
  return (
    <div class="terminal">
      <div class="terminal-bar">
        <span class="screen-size">{words.size(columns, rows.length)}</span>
        <span class="space" />
        <button type="button" class="quiet" onClick={() => read('end')}>
          {words.readAll}
        </button>
        {app.may(row.drive === 'command' ? 'exec' : 'admin') && app.state.value.is === 'live' && (
          <button type="button" class="plain small" disabled={typing.isAsking.value} onClick={() => void typing.take()}>
            <Icon name="keys" size={14} /> {words.type}
          </button>
        )}
      </div>
      <div class="screen-scroll" tabIndex={0} role="group" aria-label={words.label} {...scroll}>
        <Above history={history} older={older} read={read} />
        {skipped.value !== null && <SkipLine skipped={skipped.value} read={read} />}
        <pre class="screen" style={{ '--columns': columns }}>
          <ScreenRows screen={screen.value} />
        </pre>
      </div>
      {lines}
    </div>
  );
}

interface AboveProps {
  readonly history: History;
  readonly older: () => void;
  readonly read: (place: Place) => void;
}

function Above({ history, older, read }: AboveProps): VNode | null {
  const rows = history.rows.value;
  const isWhole = history.isWhole.value;
  if (rows.length === 0 && isWhole) return null;
  return (
    <>
      {isWhole ? (
        <p class="screen-line">
          {words.historyBegins} <ReadButton word={words.readAll} read={() => read('end')} />
        </p>
      ) : (
        <p class="screen-line">
          <ReadButton word={words.older} read={older} />
        </p>
      )}
      <pre class="screen above">
        {rows.map((row, i) => (
          <RowView key={i - rows.length} row={row} cursor={null} />
        ))}
      </pre>
    </>
  );
}

function SkipLine({ skipped, read }: { readonly skipped: Skipped; readonly read: (place: Place) => void }): VNode {
  return (
    <p class="screen-line missed" role="status">
      {words.skipped(bytesText(skipped.to - skipped.from))}{' '}
      <ReadButton word={words.readSkipped} read={() => read({ from: skipped.from })} />
    </p>
  );
}

function ReadButton({ word, read }: { readonly word: string; readonly read: () => void }): VNode {
  return (
    <button type="button" class="quiet" onClick={read}>
      {word}
    </button>
  );
}

interface Followed {
  readonly screen: Signal<StyledScreen | null>;
  readonly skipped: Signal<Skipped | null>;
  readonly isOver: Signal<boolean>;
  readonly history: History;
}

/** The screen of a session, as it changes. */
function useScreen(session: string): Followed {
  const app = useApp();
  const screen = useSignal<StyledScreen | null>(null);
  const skipped = useSignal<Skipped | null>(null);
  const isOver = useSignal(false);
  const history = useMemo(() => new History(app.outlast, session), [session]);
  useEffect(() => {
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      for await (const next of app.live.screens(session, leaving.signal)) {
        screen.value = next;
        if (next.skipped !== null) skipped.value = next.skipped;
        await history.screen(next, leaving.signal);
      }
      isOver.value = true;
    };
    read().catch(() => {
      isOver.value = true;
    });
    return () => leaving.abort();
  }, [session]);
  return { screen, skipped, isOver, history };
}
