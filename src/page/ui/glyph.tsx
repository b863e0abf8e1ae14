import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import type { Attention } from '../../present/attention.ts';
import { endedBadly } from '../../present/state.ts';

/** The look of a state: its shape and its colour. */
export type Look = 'need' | 'work' | 'again' | 'park' | 'visit' | 'quiet' | 'stopped' | 'ok' | 'bad';

/** How the state of a session looks. */
export function lookOf(row: SessionRow, attention: Attention): Look {
  switch (attention) {
    case 'needs you':
      return 'need';
    case 'working':
      return row.phase === 'recovering' ? 'again' : 'work';
    case 'parked':
      return row.phase === 'visited' ? 'visit' : 'park';
    case 'idle':
      return 'quiet';
    case 'ended':
      if (row.outcome?.kind === 'stopped') return 'stopped';
      return endedBadly(row) ? 'bad' : 'ok';
  }
}

/** The shape of a state. The word is beside it. */
export function Glyph({ look }: { readonly look: Look }): VNode {
  return (
    <svg class={`glyph ${look}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      {SHAPES[look]}
    </svg>
  );
}

const SHAPES: Readonly<Record<Look, VNode>> = {
  need: <path class="solid" d="M8 2.2 14.6 13.4H1.4z" />,
  work: <circle class="solid" cx="8" cy="8" r="4.2" />,
  again: <path d="M12.6 6.2A5 5 0 1 0 13 8.6M13 3v3.4H9.6" />,
  park: (
    <>
      <circle cx="8" cy="8" r="5.4" />
      <path d="M8 4.6V8l2.6 1.6" />
    </>
  ),
  visit: (
    <>
      <circle cx="8" cy="5.4" r="2.6" />
      <path d="M3.2 13.6c.6-2.7 2.4-4 4.8-4s4.2 1.3 4.8 4" />
    </>
  ),
  quiet: <circle cx="8" cy="8" r="4.6" />,
  stopped: <rect x="4" y="4" width="8" height="8" rx="1" />,
  ok: <path d="m3.2 8.4 3.2 3L12.8 4.8" />,
  bad: <path d="m4 4 8 8M12 4l-8 8" />,
};
