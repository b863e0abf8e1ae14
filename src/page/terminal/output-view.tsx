import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import { useApp } from '../model/app.ts';
import { Safe } from '../ui/safe.tsx';
import { bytesText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';
import { FindBar } from './find-bar.tsx';
import { OutputText } from './output-text.ts';
import type { Place } from './screen-view.tsx';
import { useStuckScroll } from './stuck-scroll.ts';

const { screen: words } = STRINGS;
const PAUSE_MS = 1_000;
const READ_MS_MAX = 30_000;

interface Props {
  readonly row: SessionRow;
  readonly place: Place;
  /** Back to the screen; null: there is none. */
  readonly close: (() => void) | null;
}

/** All that a session has printed, as text: older lines load when somebody scrolls up. */
export function OutputView({ row, place, close }: Props): VNode {
  const { text, isFailed } = useOutput(row, place);
  const older = (): void => void text.older(AbortSignal.timeout(READ_MS_MAX)).catch(() => {});
  const newer = (): void => void text.newer(AbortSignal.timeout(READ_MS_MAX)).catch(() => {});
  const scroll = useStuckScroll({ older, left: () => {} });
  if (text.lines.value === null) return <p class="none">{isFailed.value ? words.failed : words.loading}</p>;
  return (
    <div class="terminal">
      <div class="terminal-bar">
        <FindBar text={text} />
        <span class="space" />
        {close !== null && (
          <button type="button" class="quiet" onClick={close}>
            {words.toScreen}
          </button>
        )}
      </div>
      <div class="screen-scroll" tabIndex={0} role="group" aria-label={words.output} {...scroll}>
        <Notes text={text} isPipe={row.terminal === 'pipe'} />
        {text.first.value > 0 && <More word={words.olderLines(text.first.value)} load={older} />}
        <Lines text={text} />
        {place !== 'end' && text.hasNewer.value && <More word={words.newerLines} load={newer} />}
      </div>
    </div>
  );
}

/** The output of a session, from a place on; at its end it is followed. */
function useOutput(row: SessionRow, place: Place) {
  const app = useApp();
  const text = useMemo(() => new OutputText(app.outlast, row.id), [row.id]);
  const isFailed = useSignal(false);
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      await text.open(place, leaving.signal);
      while (place === 'end' && !leaving.signal.aborted) {
        await text.newer(leaving.signal);
        if (row.phase === 'ended' && !text.hasNewer.value) return;
        await app.clock.sleep(PAUSE_MS, leaving.signal);
      }
    };
    follow().catch(() => {
      isFailed.value = !leaving.signal.aborted;
    });
    return () => leaving.abort();
  }, [text, row.phase]);
  return { text, isFailed };
}

function Lines({ text }: { readonly text: OutputText }): VNode {
  return (
    <pre class="screen tail">
      {text.lines.value?.map((line, i) => {
        const number = text.first.value + i;
        return (
          <div key={number} class={text.found.value === number ? 'output-line found' : 'output-line'}>
            <Safe text={line} />
            {'\n'}
          </div>
        );
      })}
    </pre>
  );
}

function More({ word, load }: { readonly word: string; readonly load: () => void }): VNode {
  return (
    <p class="screen-line">
      <button type="button" class="quiet" onClick={load}>
        {word}
      </button>
    </p>
  );
}

/** A drop and a gap are lines in the text. */
function Notes({ text, isPipe }: { readonly text: OutputText; readonly isPipe: boolean }): VNode {
  const { first, droppedBytes, isIncomplete, lines } = text;
  return (
    <>
      {isPipe && <p class="screen-note">{words.pipe}</p>}
      {first.value === 0 && droppedBytes.value > 0 && (
        <p class="screen-line missed">{words.dropped(bytesText(droppedBytes.value))}</p>
      )}
      {isIncomplete.value && <p class="screen-line missed">{words.incomplete}</p>}
      {lines.value?.length === 0 && <p class="screen-line">{words.empty}</p>}
    </>
  );
}
