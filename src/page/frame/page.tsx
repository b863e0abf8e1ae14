import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { FleetList } from '../fleet/fleet.tsx';
import { InboxList } from '../inbox/list.tsx';
import { QuestionPage } from '../inbox/question.tsx';
import { type App, useApp } from '../model/app.ts';
import { useKeys } from '../model/keys.ts';
import { Lazy } from '../session/lazy.tsx';
import { SessionPage } from '../session/session.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { goToNeed, show } from './actions.ts';
import { ConnectionLine } from './connection-line.tsx';
import { drawFavicon } from './favicon.ts';
import { KeySheet } from './key-sheet.tsx';
import { Navigation } from './navigation.tsx';
import { Overview } from './overview.tsx';
import { Palette } from './palette.tsx';

/** The whole page. */
export function Page(): VNode {
  const app = useApp();
  useTab(app);
  if (app.state.value.is === 'signed out') return <SignIn />;
  return <SignedIn />;
}

function SignedIn(): VNode {
  const app = useApp();
  useFrameKeys(app);
  useKeyboardBelow();
  const route = app.route.value;
  const isList = route.is === 'fleet' || (route.is === 'inbox' && route.question === null);
  const overlay = app.overlay.value;
  return (
    <div class={`frame ${route.is === 'settings' ? 'at-wide' : isList ? 'at-list' : 'at-detail'}`}>
      <button type="button" class="skip" onClick={toMain}>
        {STRINGS.skip}
      </button>
      <ConnectionLine />
      <Navigation />
      <div class="list">{route.is === 'inbox' ? <InboxList /> : <FleetList />}</div>
      <main id="main" class="detail" tabIndex={-1}>
        {detail(app)}
      </main>
      <p class="out-of-sight" aria-live="polite">
        {app.needs.value.length === 0 ? '' : STRINGS.needYou(app.needs.value.length)}
      </p>
      <ToastLine />
      {overlay === 'palette' && <Palette />}
      {overlay === 'keys' && <KeySheet />}
    </div>
  );
}

function detail(app: App): ComponentChildren {
  const route = app.route.value;
  switch (route.is) {
    case 'session':
      return <SessionPage key={route.session} session={route.session} tab={route.tab} />;
    case 'inbox':
      return <QuestionPage id={route.question} />;
    case 'settings':
      return <Lazy load={() => import('../settings/settings.tsx')} draw={({ SettingsPage }) => <SettingsPage />} />;
    case 'fleet':
      return <Overview />;
  }
}

/** The fragment is the place on the page, so a link cannot do it. */
function toMain(): void {
  document.getElementById('main')?.focus();
}

function ToastLine(): VNode {
  const toast = useApp().toast.value;
  return (
    <div class={`toast ${toast === null ? '' : 'shown'} ${toast?.isError ? 'bad' : ''}`} role="status">
      {toast !== null && <SafeLine text={toast.text} />}
    </div>
  );
}

/** The title and the icon of the tab say how much needs a person; the theme is that of the settings. */
function useTab(app: App): void {
  useSignalEffect(() => {
    const count = app.needs.value.length;
    document.title = count === 0 ? STRINGS.product : `(${count}) ${STRINGS.product}`;
    drawFavicon(count > 0);
  });
  useSignalEffect(() => {
    const { dataset } = document.documentElement;
    dataset.theme = app.settings.theme.value;
    dataset.density = app.settings.density.value;
    dataset.textSize = app.settings.textSize.value;
    dataset.connection = app.state.value.is;
  });
}

/** Where the keyboard of a phone covers the page instead of making it smaller, the page ends above it. */
function useKeyboardBelow(): void {
  useEffect(() => {
    const view = visualViewport;
    const measure = (): void => {
      const below = view === null ? 0 : Math.max(innerHeight - view.height - view.offsetTop, 0);
      document.documentElement.style.setProperty('--keyboard', `${Math.round(below)}px`);
    };
    view?.addEventListener('resize', measure);
    return () => view?.removeEventListener('resize', measure);
  }, []);
}

function useFrameKeys(app: App): void {
  // After `g` the next key is a place.
  let isGoing = false;
  const went = (act: () => void) => (): void => {
    if (!isGoing) return;
    isGoing = false;
    act();
  };
  useKeys({
    a: () => goToNeed(app),
    '?': () => show(app, 'keys'),
    g: () => {
      isGoing = true;
    },
    f: went(() => app.go({ is: 'fleet' })),
    i: went(() => app.go({ is: 'inbox', question: null })),
    s: went(() => app.go({ is: 'settings' })),
    Escape: () => app.go(app.route.value.is === 'inbox' ? { is: 'inbox', question: null } : { is: 'fleet' }),
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      app.overlay.value = app.overlay.value === 'palette' ? null : 'palette';
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
