import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import { useApp } from '../model/app.ts';
import { Icon } from '../ui/icon.tsx';
import { STRINGS } from '../words/strings.ts';
import { EntryView } from './entry.tsx';
import { useTalk } from './follow-talk.ts';

const { talk: words } = STRINGS;
/** So near to the end a reader wants to see what comes. */
const NEAR_PX = 60;

interface Props {
  readonly row: SessionRow;
  /** Where a link leads to; missing: the end. */
  readonly turn?: number;
}

/** What was said and done in a session, as it happens. */
export function Conversation({ row, turn }: Props): VNode {
  const app = useApp();
  const { reading, more } = useTalk(row, turn);
  const { entries, isLoaded, hasMore, hasLater } = reading.value;
  const box = useRef<HTMLDivElement>(null);
  const { fresh, toEnd } = useEnd(box, entries.length, entries, turn !== undefined);
  useTurn(box, turn, entries);
  const toLatest = (): void => app.go({ is: 'session', session: row.id, tab: 'conversation' }, 'replace');
  return (
    <div class="talk" ref={box} tabIndex={0} role="log" aria-label={STRINGS.session.conversation} aria-live="off">
      <div class="column">
        {hasMore && <Earlier box={box} more={more} />}
        {isLoaded && !hasMore && entries.length > 0 && <p class="begin">{words.begin}</p>}
        {!isLoaded && entries.length === 0 && (
          <p class="out-of-sight" role="status">
            {words.loading}
          </p>
        )}
        {isLoaded && entries.length === 0 && <p class="none">{words.empty}</p>}
        {entries.map((entry) => (
          <EntryView key={entry.key} entry={entry} workspace={row.workspace} />
        ))}
        {hasLater && (
          <button type="button" class="quiet earlier" onClick={toLatest}>
            {words.latest} <Icon name="down" size={12} />
          </button>
        )}
      </div>
      {fresh > 0 && (
        <button type="button" class="fresh" onClick={toEnd}>
          {words.fresh(fresh)} <Icon name="down" size={12} />
          <span class="out-of-sight">{words.latest}</span>
        </button>
      )}
    </div>
  );
}

interface EarlierProps {
  readonly box: { readonly current: HTMLElement | null };
  readonly more: () => Promise<void>;
}

/** Reads older turns; what is read stays where it is. */
function Earlier({ box, more }: EarlierProps): VNode {
  const app = useApp();
  const [isBusy, setBusy] = useState(false);
  const load = async (): Promise<void> => {
    setBusy(true);
    const fromEnd = (box.current?.scrollHeight ?? 0) - (box.current?.scrollTop ?? 0);
    await app.perform(words.earlier, more);
    setBusy(false);
    requestAnimationFrame(() => {
      if (box.current !== null) box.current.scrollTop = box.current.scrollHeight - fromEnd;
    });
  };
  return (
    <button type="button" class="quiet earlier" aria-disabled={isBusy} onClick={() => !isBusy && void load()}>
      {words.earlier}
    </button>
  );
}

type Box = { readonly current: HTMLElement | null };

/** Brings the turn that a link leads to into view, once, and marks it. */
function useTurn(box: Box, turn: number | undefined, change: unknown): void {
  const isShown = useRef(turn === undefined);
  useLayoutEffect(() => {
    if (isShown.current) return;
    const entry = box.current?.querySelector<HTMLElement>(`[data-turn="${turn}"]`);
    if (entry == null) return;
    isShown.current = true;
    entry.classList.add('is-meant');
    entry.scrollIntoView({ block: 'start' });
  }, [change]);
}

/** Stays at the end while a reader is there; else counts what came since, and moves nothing. */
function useEnd(box: Box, count: number, change: unknown, isAway: boolean) {
  const isAtEnd = useRef(!isAway);
  const [seen, setSeen] = useState(count);
  const toEnd = (): void => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
    isAtEnd.current = true;
    setSeen(count);
  };
  useEffect(() => {
    const list = box.current;
    const look = (): void => {
      if (list === null) return;
      isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
      if (isAtEnd.current) setSeen((known) => Math.max(known, list.querySelectorAll('.entry').length));
    };
    list?.addEventListener('scroll', look, { passive: true });
    const stay = (): void => {
      if (isAtEnd.current && list !== null) list.scrollTop = list.scrollHeight;
    };
    const grown = new ResizeObserver(stay);
    if (list !== null) {
      grown.observe(list);
      if (list.firstElementChild !== null) grown.observe(list.firstElementChild);
    }
    return () => {
      grown.disconnect();
      list?.removeEventListener('scroll', look);
    };
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [change]);
  return { fresh: isAtEnd.current ? 0 : Math.max(count - seen, 0), toEnd };
}
