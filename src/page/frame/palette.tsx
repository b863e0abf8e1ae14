import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { attentionOf } from '../../present/attention.ts';
import { searchedText } from '../../present/row.ts';
import { nameOf } from '../../present/state.ts';
import { State } from '../fleet/row.tsx';
import { type App, useApp } from '../model/app.ts';
import { fuzzyScore } from '../model/fuzzy.ts';
import { fleetItems } from '../model/grouping.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Glyph, lookOf } from '../ui/glyph.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { actionsOf } from './actions.ts';

/** One line of the palette. */
interface Choice {
  readonly key: string;
  readonly text: string;
  readonly view: VNode;
  readonly act: () => void;
}

const SHOWN_MAX = 12;
/** What needs a person comes first. */
const ALL = { filter: '', by: 'state', folded: new Set<string>() } as const;

/** Goes to a session or does something, by a few letters of it. */
export function Palette(): VNode {
  const app = useApp();
  const query = useSignal('');
  const at = useSignal(0);
  const close = (): void => {
    app.overlay.value = null;
  };
  const found = choicesFor(app, query.value);
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    close();
    choice.act();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') at.value = Math.min(at.value + 1, found.length - 1);
    else if (event.key === 'ArrowUp') at.value = Math.max(at.value - 1, 0);
    else if (event.key === 'Enter') take(found[at.value]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label={STRINGS.palette.label} kind="palette" close={close}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length === 0 ? undefined : `choice-${at.value}`}
        aria-label={STRINGS.palette.label}
        placeholder={STRINGS.palette.placeholder}
        autofocus
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={press}
      />
      <Choices found={found} at={at.value} take={take} />
    </Dialog>
  );
}

interface ChoicesProps {
  readonly found: readonly Choice[];
  readonly at: number;
  readonly take: (choice: Choice) => void;
}

function Choices({ found, at, take }: ChoicesProps): VNode {
  return (
    <div id="palette-list" class="palette-list" role="listbox" aria-label={STRINGS.palette.label}>
      {found.map((choice, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input
        <div
          key={choice.key}
          id={`choice-${i}`}
          class="choice"
          role="option"
          tabIndex={-1}
          aria-selected={i === at}
          onClick={() => take(choice)}
        >
          {choice.view}
        </div>
      ))}
    </div>
  );
}

/** What fits, and at last a search of what was said. */
function choicesFor(app: App, query: string): Choice[] {
  const fitting = fittingChoices(app, query);
  return query.trim() === '' ? fitting : [...fitting, searchChoice(app, query.trim())];
}

function searchChoice(app: App, words: string): Choice {
  return {
    key: 'search for',
    text: words,
    view: (
      <>
        <Icon name="search" size={14} />
        <span class="choice-name">{STRINGS.actions.searchFor(words)}</span>
      </>
    ),
    act: () => app.go({ is: 'search', words }),
  };
}

function fittingChoices(app: App, query: string): Choice[] {
  const [sessions, actions] = [sessionChoices(app), actionChoices(app)];
  if (query.trim() === '') return [...sessions.slice(0, SHOWN_MAX - actions.length), ...actions];
  const scored = [...sessions, ...actions].flatMap((choice) => {
    const score = fuzzyScore(query, choice.text);
    return score === null ? [] : [{ choice, score }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ choice }) => choice);
}

function sessionChoices(app: App): Choice[] {
  const items = fleetItems(app.fleet.known.value.rows.values(), ALL);
  const rows = items.flatMap((item) => (item.is === 'session' ? [item.row] : []));
  return rows.map((row) => ({
    key: row.id,
    text: `${nameOf(row)}\n${searchedText(row)}`,
    view: (
      <>
        <Glyph look={lookOf(row, attentionOf(row))} />
        <span class="choice-name">
          <SafeLine text={nameOf(row)} />
        </span>
        <span class="choice-hint">
          <State row={row} />
        </span>
      </>
    ),
    act: () => app.go({ is: 'session', session: row.id, tab: 'conversation' }),
  }));
}

function actionChoices(app: App): Choice[] {
  return actionsOf(app).map(({ key, word, keys, act }) => ({
    key,
    text: word,
    view: (
      <>
        <span class="choice-name">{word}</span>
        <span class="choice-hint">
          <kbd>{keys}</kbd>
        </span>
      </>
    ),
    act,
  }));
}
