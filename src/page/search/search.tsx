import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { type FoundGroup, groupsOf } from '../model/found.ts';
import { useKeys } from '../model/keys.ts';
import { Empty, Loading, PlaceHead, Segments } from '../places/place.tsx';
import { Command } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { Groups } from './groups.tsx';
import { IndexNote } from './index-note.tsx';
import { KINDS, type Kind, type Search, useSearch } from './use-search.ts';

const { search: words } = PLACE_STRINGS;

/** Searches all conversations; a result opens its session at the turn. */
export function SearchPage({ words: asked }: { readonly words: string }): VNode {
  const app = useApp();
  const kind = useSignal<Kind>('all');
  const at = useSignal(-1);
  const input = useRef<HTMLInputElement>(null);
  const search = useSearch(asked, kind.value);
  const groups = groupsOf(search.found);
  const write = (text: string): void => {
    at.value = -1;
    app.go({ is: 'search', words: text }, 'replace');
  };
  const move = (by: number): void => {
    at.value = Math.min(Math.max(at.value + by, -1), search.found.length - 1);
  };
  const open = (): void => {
    document.querySelector<HTMLElement>(`[data-found="${Math.max(at.value, 0)}"]`)?.click();
  };
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(
    () => document.querySelector(`[data-found="${at.value}"]`)?.scrollIntoView({ block: 'nearest' }),
    [at.value],
  );
  useKeys({ '/': () => input.current?.focus(), j: () => move(1), k: () => move(-1), Enter: open });
  return (
    <section class="place-page search-page" aria-label={words.title}>
      <PlaceHead title={words.title}>
        <Segments
          label={words.kind}
          choices={KINDS.map((each) => [each, words[each]] as const)}
          chosen={kind.value}
          choose={(next) => (kind.value = next)}
        />
      </PlaceHead>
      <SearchBox asked={asked} at={at.value} input={input} write={write} moves={{ move, open }} />
      <div class="place-body" tabIndex={-1}>
        <p class="search-syntax" id="search-syntax">
          {words.syntax}
        </p>
        <Results search={search} groups={groups} asked={asked} at={at.value} />
      </div>
    </section>
  );
}

interface Moves {
  readonly move: (by: number) => void;
  readonly open: () => void;
}

interface BoxProps {
  readonly asked: string;
  readonly at: number;
  readonly input: { readonly current: HTMLInputElement | null };
  readonly write: (text: string) => void;
  readonly moves: Moves;
}

function SearchBox({ asked, at, input, write, moves }: BoxProps): VNode {
  return (
    <div class="search-box">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        value={asked}
        maxLength={1_000}
        placeholder={words.placeholder}
        aria-label={words.label}
        aria-describedby="search-syntax"
        aria-activedescendant={at < 0 ? undefined : `found-${at}`}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => press(event, moves)}
      />
    </div>
  );
}

function press(event: KeyboardEvent & { currentTarget: HTMLElement }, { move, open }: Moves): void {
  if (event.isComposing) return;
  if (event.key === 'ArrowDown') move(1);
  else if (event.key === 'ArrowUp') move(-1);
  else if (event.key === 'Enter') open();
  else if (event.key === 'Escape') event.currentTarget.blur();
  else return;
  event.preventDefault();
}

interface ResultsProps {
  readonly search: Search;
  readonly groups: readonly FoundGroup[];
  readonly asked: string;
  readonly at: number;
}

function Results({ search, groups, asked, at }: ResultsProps): VNode {
  const { index, error, isSearching, found, more } = search;
  if (index?.state === 'off')
    return (
      <Empty title={words.off} told={words.offHint}>
        <Command text="outlast config set search.enabled true && outlast daemon restart" />
      </Empty>
    );
  const isBlank = asked.trim() === '';
  return (
    <>
      {index !== null && <IndexNote index={index} />}
      {error !== null && (
        <div class="failure" role="alert">
          <p>
            <strong>{PLACE_STRINGS.failed}</strong> <SafeLine text={error} />
          </p>
          <button type="button" class="plain small" onClick={search.again}>
            {PLACE_STRINGS.again}
          </button>
        </div>
      )}
      {isBlank && index?.state !== 'building' && <Empty title={words.start} told={words.startHint} />}
      {!isBlank && error === null && isSearching && found.length === 0 && <Loading />}
      {!isBlank && error === null && !isSearching && found.length === 0 && (
        <Empty title={words.none(asked.trim())} told={words.noneHint} />
      )}
      <p class="out-of-sight" role="status">
        {!isBlank && !isSearching && error === null ? words.results(found.length) : ''}
      </p>
      {!isBlank && <Groups groups={groups} at={at} />}
      {more !== null && (
        <button type="button" class="plain more-found" aria-disabled={isSearching} onClick={search.readMore}>
          {words.more}
        </button>
      )}
    </>
  );
}
