import type { VNode } from 'preact';
import { follow } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import { addressOf, type Route, USAGE_DAYS } from '../model/route.ts';
import { THEMES } from '../model/settings.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Mark } from '../ui/mark.tsx';
import { STRINGS } from '../words/strings.ts';

const THEME_ICONS = { system: 'system', dark: 'moon', light: 'sun' } as const;
const { nav } = STRINGS;

/** The places of the page: at the side of a desk, at the bottom of a phone. */
export function Navigation(): VNode {
  const app = useApp();
  const { theme } = app.settings;
  const turn = (): void => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
    app.settings.save();
  };
  const themeWord = `${nav.theme}: ${STRINGS.theme[theme.value]}`;
  const questions = app.inbox.questions.value.filter(({ decided }) => decided === undefined).length;
  return (
    <nav class="rail" aria-label={nav.main}>
      <span class="mark">
        <Mark />
      </span>
      <Place route={{ is: 'fleet' }} icon="fleet" word={nav.fleet} />
      <Place route={{ is: 'inbox', question: null }} icon="inbox" word={nav.inbox} count={questions} />
      <Place route={{ is: 'new' }} icon="plus" word={nav.new} />
      <Place route={{ is: 'search', words: '' }} icon="search" word={nav.search} kind="only-desk" />
      <Place route={{ is: 'tree' }} icon="tree" word={nav.tree} kind="only-desk" />
      <Place route={{ is: 'boot' }} icon="boot" word={nav.boot} kind="only-desk" />
      <Place route={{ is: 'usage', days: USAGE_DAYS[0] }} icon="usage" word={nav.usage} kind="only-desk" />
      <Act icon="more" word={nav.more} kind="only-phone" act={() => (app.overlay.value = 'more')} />
      <span class="rail-space" />
      <Act icon={THEME_ICONS[theme.value]} word={themeWord} short={nav.theme} kind="only-desk" act={turn} />
      <Place route={{ is: 'settings' }} icon="settings" word={nav.settings} kind="only-desk" />
      <Act icon="keys" word={nav.keys} kind="only-desk" act={() => (app.overlay.value = 'keys')} />
    </nav>
  );
}

interface PlaceProps {
  readonly route: Route;
  readonly icon: IconName;
  readonly word: string;
  readonly count?: number;
  readonly kind?: string;
}

function Place({ route, icon, word, count = 0, kind = '' }: PlaceProps): VNode {
  const app = useApp();
  const at = app.route.value.is;
  const here = at === 'session' ? 'fleet' : at;
  return (
    <a
      class={`place ${kind}`}
      href={addressOf(route)}
      aria-current={here === route.is ? 'page' : undefined}
      onClick={(event) => follow(event, () => app.go(route))}
    >
      <span class="place-icon">
        <Icon name={icon} size={18} />
        {count > 0 && <span class="badge">{count}</span>}
      </span>
      <span class="place-word">{word}</span>
    </a>
  );
}

interface ActProps {
  readonly icon: IconName;
  readonly word: string;
  readonly short?: string;
  readonly kind?: string;
  readonly act: () => void;
}

function Act({ icon, word, short = word, kind = '', act }: ActProps): VNode {
  return (
    <button type="button" class={`place ${kind}`} onClick={act} aria-label={word} title={word}>
      <span class="place-icon">
        <Icon name={icon} size={18} />
      </span>
      <span class="place-word">{short}</span>
    </button>
  );
}
