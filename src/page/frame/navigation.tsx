import type { VNode } from 'preact';
import { follow } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import { addressOf, type Route } from '../model/route.ts';
import { THEMES } from '../model/settings.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Mark } from '../ui/mark.tsx';
import { STRINGS } from '../words/strings.ts';

const THEME_ICONS = { system: 'system', dark: 'moon', light: 'sun' } as const;

/** The places of the page: at the side of a desk, at the bottom of a phone. */
export function Navigation(): VNode {
  const app = useApp();
  const { theme } = app.settings;
  const turn = (): void => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
    app.settings.save();
  };
  const themeWord = `${STRINGS.nav.theme}: ${STRINGS.theme[theme.value]}`;
  return (
    <nav class="rail" aria-label={STRINGS.nav.main}>
      <span class="mark">
        <Mark />
      </span>
      <Place route={{ is: 'fleet' }} icon="fleet" word={STRINGS.nav.fleet} count={0} />
      <Place
        route={{ is: 'inbox', question: null }}
        icon="inbox"
        word={STRINGS.nav.inbox}
        count={app.inbox.questions.value.filter(({ decided }) => decided === undefined).length}
      />
      <Act icon="search" word={STRINGS.nav.palette} act={() => (app.overlay.value = 'palette')} />
      <span class="rail-space" />
      <Act icon={THEME_ICONS[theme.value]} word={themeWord} short={STRINGS.nav.theme} kind="only-desk" act={turn} />
      <Place route={{ is: 'settings' }} icon="settings" word={STRINGS.nav.settings} count={0} />
      <Act icon="keys" word={STRINGS.nav.keys} kind="only-desk" act={() => (app.overlay.value = 'keys')} />
    </nav>
  );
}

interface PlaceProps {
  readonly route: Route;
  readonly icon: IconName;
  readonly word: string;
  readonly count: number;
}

function Place({ route, icon, word, count }: PlaceProps): VNode {
  const app = useApp();
  const here = app.route.value.is === 'session' ? 'fleet' : app.route.value.is;
  return (
    <a
      class="place"
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
