import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { OutputView } from './output-view.tsx';
import { ScreenPane } from './screen-pane.tsx';

/** A place in the output: from a byte on, or its end. */
export type Place = { readonly from: number } | 'end';

/** What the terminal of a session shows, and all that it has printed. */
export function ScreenView({ row }: { readonly row: SessionRow }): VNode {
  const reading = useSignal<Place | null>(null);
  const isOver = row.terminal === 'pipe' || row.phase === 'ended';
  const read = reading.value ?? (isOver ? 'end' : null);
  if (read !== null) {
    const close = isOver ? null : () => (reading.value = null);
    return <OutputView key={JSON.stringify(read)} row={row} place={read} close={close} />;
  }
  return <ScreenPane row={row} read={(place) => (reading.value = place)} />;
}
