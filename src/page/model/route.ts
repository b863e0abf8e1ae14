/** Where a person is on the page. Each place has an address. */
export type Route =
  | { readonly is: 'fleet' }
  | { readonly is: 'new' }
  | { readonly is: 'settings' }
  | { readonly is: 'inbox'; readonly question: string | null }
  | { readonly is: 'search'; readonly words: string }
  | { readonly is: 'usage'; readonly days: number }
  | { readonly is: 'boot' }
  | { readonly is: 'tree' }
  /** `turn`: the conversation from there, as a search result leads to it. */
  | { readonly is: 'session'; readonly session: string; readonly tab: Tab; readonly turn?: number };

/** The views of a session. */
export const TABS = ['conversation', 'screen', 'events', 'changes', 'report'] as const;

export type Tab = (typeof TABS)[number];

/** For how many days usage can be shown; the first is usual. */
export const USAGE_DAYS = [7, 1, 30] as const;

/** The fragment of a place. */
export function addressOf(route: Route): string {
  switch (route.is) {
    case 'fleet':
      return '#/';
    case 'new':
    case 'boot':
    case 'tree':
    case 'settings':
      return `#/${route.is}`;
    case 'inbox':
      return route.question === null ? '#/inbox' : `#/inbox/${encodeURIComponent(route.question)}`;
    case 'search':
      return route.words === '' ? '#/search' : `#/search/${encodeURIComponent(route.words)}`;
    case 'usage':
      return route.days === USAGE_DAYS[0] ? '#/usage' : `#/usage/${route.days}`;
    case 'session': {
      const turn = route.turn === undefined ? '' : `/conversation/${route.turn}`;
      const tab = route.tab === 'conversation' ? turn : `/${route.tab}`;
      return `#/session/${encodeURIComponent(route.session)}${tab}`;
    }
  }
}

/** The place of a fragment; what is not known is the list. */
export function routeOf(fragment: string): Route {
  const [place = '', id = '', tab = '', part = ''] = fragment
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decoded);
  switch (place) {
    case 'inbox':
      return { is: 'inbox', question: id === '' ? null : id };
    case 'search':
      return { is: 'search', words: id };
    case 'usage':
      return { is: 'usage', days: USAGE_DAYS.find((days) => String(days) === id) ?? USAGE_DAYS[0] };
    case 'new':
    case 'boot':
    case 'tree':
    case 'settings':
      return { is: place };
    case 'session':
      return id === '' ? { is: 'fleet' } : sessionRoute(id, tab, part);
    default:
      return { is: 'fleet' };
  }
}

function sessionRoute(session: string, tab: string, turn: string): Route {
  const known = TABS.find((each) => each === tab) ?? 'conversation';
  const at = known === 'conversation' && /^[1-9]\d{0,8}$/.test(turn) ? { turn: Number(turn) } : {};
  return { is: 'session', session, tab: known, ...at };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
