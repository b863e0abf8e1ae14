import { Component, type VNode } from 'preact';
import type { Run, StyledScreen } from '../live/types.ts';
import { cellsOf } from '../model/cells.ts';
import { drawnWith } from '../model/palette.ts';
import { Safe } from '../ui/safe.tsx';

type Row = readonly Run[];

interface RowProps {
  readonly row: Row;
  /** The column of the cursor, if it is in this row. */
  readonly cursor: number | null;
}

/** One row of a terminal. It is drawn again only when it has changed. */
export class RowView extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.cursor !== this.props.cursor || !isSameRow(next.row, this.props.row);
  }

  override render({ row, cursor }: RowProps): VNode {
    return (
      <div class="screen-row">
        {row.map((run) => (
          <RunView run={run} />
        ))}
        {cursor !== null && <span class="cursor" style={{ '--column': cursor }} />}
        {'\n'}
      </div>
    );
  }
}

/** The rows of a screen, with its cursor. */
export function ScreenRows({ screen }: { readonly screen: StyledScreen }): VNode {
  const { rows, cursor } = screen;
  return (
    <>
      {rows.map((row, number) => (
        <RowView key={number} row={row} cursor={cursor?.row === number ? cursor.column : null} />
      ))}
    </>
  );
}

const MARKS = ['bold', 'italic', 'underline', 'strike'] as const;

function RunView({ run }: { readonly run: Run }): VNode {
  const marks = MARKS.filter((name) => run[name] === true);
  const drawn = drawnWith(run);
  if (marks.length === 0 && drawn.color === undefined) return <Cells text={run.text} />;
  return (
    <span class={`run ${marks.join(' ')}`} style={{ ...drawn }}>
      <Cells text={run.text} />
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

/** The text of a row. */
export function textOf(row: Row): string {
  return row.map(({ text }) => text).join('');
}

function isSameRow(one: Row, other: Row): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
