import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { FleetList } from '../fleet/fleet.tsx';
import { InboxList } from '../inbox/list.tsx';
import { type App, useApp } from '../model/app.ts';
import { useKeys } from '../model/keys.ts';
import { SessionPage } from '../session/session.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { Lazy } from '../ui/lazy.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { Styled } from '../ui/styled.tsx';
import { STRINGS } from '../words/strings.ts';
import { actionsOf, goToNeed, show } from './actions.ts';
import { ConnectionLine } from './connection-line.tsx';
import { drawFavicon } from './favicon.ts';
import { goingKeys } from './going.ts';
import { KeySheet } from './key-sheet.tsx';
import { MoreSheet } from './more.tsx';
import { Navigation } from './navigation.tsx';
import { Overview } from './overview.tsx';
import { Palette } from './palette.tsx';
import { isWide, PlaceView } from './place-view.tsx';

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
  const isList = route.is === 'fleet' || route.is === 'new' || (route.is === 'inbox' && route.question === null);
  const overlay = app.overlay.value;
  return (
    <div class={`frame ${isWide(route) ? 'at-wide' : isList ? 'at-list' : 'at-detail'}`}>
      <button type="button" class="skip" onClick={toMain}>
        {STRINGS.skip}
      </button>
      <ConnectionLine />
      <Navigation />
      {!isWide(route) && <div class="list">{route.is === 'inbox' ? <InboxList /> : <FleetList />}</div>}
      <main id="main" class="detail" tabIndex={-1}>
        {detail(app)}
      </main>
      <p class="out-of-sight" aria-live="polite">
        {app.needs.value.length === 0 ? '' : STRINGS.needYou(app.needs.value.length)}
      </p>
      <ToastLine />
      {route.is === 'new' && <Styled load={() => import('../new/new.tsx')} draw={({ NewDialog }) => <NewDialog />} />}
      {overlay === 'palette' && <Palette />}
      {overlay === 'keys' && <KeySheet />}
      {overlay === 'more' && <MoreSheet />}
    </div>
  );
}

function detail(app: App): ComponentChildren {
  const route = app.route.value;
  if (isWide(route)) return <PlaceView route={route} />;
  switch (route.is) {
    case 'session':
      return <SessionPage key={`${route.session} ${app.journal.epoch.value}`} {...route} />;
    case 'inbox':
      return (
        <Lazy
          key="inbox"
          load={() => import('../inbox/question.tsx')}
          draw={({ QuestionPage }) => <QuestionPage id={route.question} />}
        />
      );
    case 'fleet':
    case 'new':
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
  useKeys({
    a: () => goToNeed(app),
    '?': () => show(app, 'keys'),
    Escape: () => app.go(app.route.value.is === 'inbox' ? { is: 'inbox', question: null } : { is: 'fleet' }),
  });
  useEffect(() => goingKeys(() => actionsOf(app)), []);
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
