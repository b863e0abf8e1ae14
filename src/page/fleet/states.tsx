import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { Command } from '../ui/copy.tsx';
import { STRINGS } from '../words/strings.ts';

const SKELETONS = 8;
/** A list that comes sooner flickers less without them. */
const SKELETON_MS = 150;

/** Rows without words, if the list takes a moment. */
export function FleetLoading(): VNode | null {
  const { clock } = useApp();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    void clock.sleep(SKELETON_MS, leaving.signal).then(() => setLate(true));
    return () => leaving.abort();
  }, []);
  if (!isLate) return null;
  return (
    <div class="skeletons" role="status" aria-label={STRINGS.fleet.loading}>
      {Array.from({ length: SKELETONS }, (_, i) => (
        <div class="skeleton" style={{ '--wide': `${35 + ((i * 29) % 40)}%` }} />
      ))}
    </div>
  );
}

/** The server did not answer since the page was opened: nobody can say what runs. */
export function FleetUnknown(): VNode {
  return (
    <div class="empty">
      <h2>{STRINGS.fleet.unknown}</h2>
      <p>{STRINGS.fleet.unknownHint}</p>
    </div>
  );
}

/** No session at all: what to do. */
export function FleetEmpty(): VNode {
  return (
    <div class="empty">
      <h2>{STRINGS.fleet.none}</h2>
      <p>{STRINGS.fleet.noneHint}</p>
      <Command text='outlast start "fix the failing test"' />
    </div>
  );
}
