// The page: signs in if a link was opened, connects, and draws.
import { render } from 'preact';
import { browserClock } from '../base/clock.ts';
import { Page } from './frame/page.tsx';
import { openLive } from './live/live.ts';
import { App, AppContext } from './model/app.ts';

const app = new App(await openLive(), browserClock());
app.run();
render(
  <AppContext.Provider value={app}>
    <Page />
  </AppContext.Provider>,
  document.body,
);
// After everything that is needed to see something.
const keepShell = (): Promise<void> => import('./shell/keep-shell.ts').then((module) => module.keepShell(app));
if (document.readyState === 'complete') void keepShell();
else addEventListener('load', () => void keepShell(), { once: true });
