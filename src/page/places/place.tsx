import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { Glyph } from '../ui/glyph.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import type { Answered } from './asked.ts';

const SKELETON_MS = 150;

interface HeadProps {
  readonly title: string;
  /** What is beside the title, muted. */
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The head of a place: its title, and what can be chosen. */
export function PlaceHead({ title, about, children }: HeadProps): VNode {
  return (
    <header class="place-head">
      <h1 tabIndex={-1} data-head>
        {title}
      </h1>
      {about !== undefined && <p class="place-about">{about}</p>}
      <span class="space" />
      {children}
    </header>
  );
}

interface StatesProps<T> {
  readonly answer: Answered<T>;
  readonly again: () => void;
  readonly draw: (value: T) => ComponentChildren;
}

/** What was answered; while there is nothing yet, that it is loading, and what failed, with a way to try again. */
export function Answer<T>({ answer: { value, error }, again, draw }: StatesProps<T>): VNode {
  return (
    <>
      {error !== null && <Failure why={error} again={again} isStale={value !== null} />}
      {value === null ? error === null && <Loading /> : <div class={error === null ? '' : 'stale'}>{draw(value)}</div>}
    </>
  );
}

/** Bars without words, if the answer takes a moment. */
export function Loading(): VNode | null {
  const { clock } = useApp();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    void clock.sleep(SKELETON_MS, leaving.signal).then(() => !leaving.signal.aborted && setLate(true));
    return () => leaving.abort();
  }, []);
  if (!isLate) return null;
  return (
    <div class="place-skeletons" role="status" aria-label={PLACE_STRINGS.loading}>
      {[72, 96, 88, 64, 91, 55].map((wide) => (
        <div style={{ inlineSize: `${wide}%` }} />
      ))}
    </div>
  );
}

interface FailureProps {
  readonly why: string;
  readonly again: () => void;
  /** What is below was answered before. */
  readonly isStale: boolean;
}

function Failure({ why, again, isStale }: FailureProps): VNode {
  return (
    <div class="failure" role="alert">
      <Glyph look="bad" />
      <p>
        <strong>{isStale ? PLACE_STRINGS.stale : PLACE_STRINGS.failed}</strong> <SafeLine text={why} />
      </p>
      <button type="button" class="plain small" onClick={again}>
        {PLACE_STRINGS.again}
      </button>
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly told: string;
  readonly children?: ComponentChildren;
}

/** A place with nothing to show: why, and what to do. */
export function Empty({ title, told, children }: EmptyProps): VNode {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{told}</p>
      {children}
    </div>
  );
}

interface ChoiceProps<T> {
  readonly label: string;
  readonly choices: readonly (readonly [T, string])[];
  readonly chosen: T;
  readonly choose: (choice: T) => void;
}

/** A few choices of which one is taken. */
export function Segments<T extends string | number>({ label, choices, chosen, choose }: ChoiceProps<T>): VNode {
  return (
    <fieldset class="segments" aria-label={label}>
      {choices.map(([each, word]) => (
        <button type="button" key={each} aria-pressed={each === chosen} onClick={() => choose(each)}>
          {word}
        </button>
      ))}
    </fieldset>
  );
}
