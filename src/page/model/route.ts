/** Where a person is on the page. Each place has an address. */
export type Route =
  | { readonly is: 'fleet' }
  | { readonly is: 'settings' }
  | { readonly is: 'inbox'; readonly question: string | null }
  | { readonly is: 'session'; readonly session: string; readonly tab: Tab };

/** The views of a session. */
export const TABS = ['conversation', 'screen'] as const;

export type Tab = (typeof TABS)[number];

/** The fragment of a place. */
export function addressOf(route: Route): string {
  switch (route.is) {
    case 'fleet':
      return '#/';
    case 'settings':
      return '#/settings';
    case 'inbox':
      return route.question === null ? '#/inbox' : `#/inbox/${encodeURIComponent(route.question)}`;
    case 'session': {
      const tab = route.tab === 'conversation' ? '' : `/${route.tab}`;
      return `#/session/${encodeURIComponent(route.session)}${tab}`;
    }
  }
}

/** The place of a fragment; what is not known is the list. */
export function routeOf(fragment: string): Route {
  const [place = '', id = '', tab = ''] = fragment
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decoded);
  if (place === 'settings') return { is: 'settings' };
  if (place === 'inbox') return { is: 'inbox', question: id === '' ? null : id };
  if (place !== 'session' || id === '') return { is: 'fleet' };
  return { is: 'session', session: id, tab: TABS.find((each) => each === tab) ?? 'conversation' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
