import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import type { Run, StyledScreen } from '../live/types.ts';
import { useApp } from '../model/app.ts';
import { cellsOf } from '../model/cells.ts';
import { paletteColour } from '../model/palette.ts';
import { Safe } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { withoutSequences } from '../words/visible.ts';

const { screen: words } = STRINGS;
const TAIL_LINES = 200;
const PAUSE_MS = 1_000;

/** What the terminal of a session shows now, as text. */
export function ScreenView({ row }: { readonly row: SessionRow }): VNode {
  if (row.terminal === 'pipe' || row.phase === 'ended') return <Tail row={row} />;
  return <Screen session={row.id} />;
}

function Screen({ session }: { readonly session: string }): VNode {
  const app = useApp();
  const screen = useSignal<StyledScreen | null>(null);
  const isOver = useSignal(false);
  useEffect(() => {
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      for await (const next of app.live.screens(session, leaving.signal)) screen.value = next;
      isOver.value = true;
    };
    read().catch(() => {
      isOver.value = true;
    });
    return () => leaving.abort();
  }, [session]);
  if (screen.value === null) return <p class="none">{isOver.value ? words.empty : words.loading}</p>;
  const { columns, rows, cursor } = screen.value;
  return (
    <div class="screen-scroll" tabIndex={0} role="group" aria-label={words.label}>
      <pre class="screen" style={{ '--columns': columns }}>
        {rows.map((runs, number) => (
          <div class="screen-row">
            {runs.map((run) => (
              <RunView run={run} />
            ))}
            {cursor?.row === number && <span class="cursor" style={{ '--column': cursor.column }} />}
            {'\n'}
          </div>
        ))}
      </pre>
      <p class="screen-size">{words.size(columns, rows.length)}</p>
    </div>
  );
}

function RunView({ run }: { readonly run: Run }): VNode {
  const { text, fg, bg, bold, dim, italic, underline, inverse, strike } = run;
  const marks = { bold, dim, italic, underline, inverse, strike };
  const names = Object.entries(marks).flatMap(([name, isSet]) => (isSet ? [name] : []));
  if (names.length === 0 && fg === undefined && bg === undefined) return <Cells text={text} />;
  const style = {
    ...(fg === undefined ? {} : { '--fg': paletteColour(fg) }),
    ...(bg === undefined ? {} : { '--bg': paletteColour(bg) }),
  };
  return (
    <span class={`run ${names.join(' ')}`} style={style}>
      <Cells text={text} />
    </span>
  );
}

/** Text in columns, also where its letters come from several fonts. */
function Cells({ text }: { readonly text: string }): VNode {
  return (
    <>
      {cellsOf(text).map(({ text: part, columns }) =>
        columns === null ? (
          <Safe text={part} />
        ) : (
          <span class="cell" style={{ '--columns': columns }}>
            <Safe text={part} />
          </span>
        ),
      )}
    </>
  );
}

/** The last output of a session without a terminal, or of one that has ended. */
function Tail({ row }: { readonly row: SessionRow }): VNode {
  const app = useApp();
  const text = useSignal<string | null>(null);
  const { id, phase } = row;
  useEffect(() => {
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      while (!leaving.signal.aborted) {
        const page = await app.outlast.output({ session: id, tail: TAIL_LINES }, leaving.signal);
        text.value = page.text ?? '';
        if (phase === 'ended') return;
        await app.clock.sleep(PAUSE_MS, leaving.signal);
      }
    };
    read().catch(() => {
      text.value ??= '';
    });
    return () => leaving.abort();
  }, [id, phase]);
  if (text.value === null) return <p class="none">{words.loading}</p>;
  if (text.value.trim() === '') return <p class="none">{words.empty}</p>;
  return (
    <div class="screen-scroll" tabIndex={0} role="group" aria-label={words.label}>
      <p class="screen-note">{words.pipe}</p>
      <pre class="screen tail">
        <Safe text={withoutSequences(text.value)} />
      </pre>
    </div>
  );
}
