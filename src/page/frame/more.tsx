import type { VNode } from 'preact';
import { useApp } from '../model/app.ts';
import { Dialog } from '../ui/dialog.tsx';
import { STRINGS } from '../words/strings.ts';
import { actionsOf } from './actions.ts';

/** What a phone has in its bar, and what it has no keys for. */
const IN_BAR = new Set(['next', 'fleet', 'inbox', 'new', 'keys']);

/** On a phone, the places for which the bar at the bottom has no room. */
export function MoreSheet(): VNode {
  const app = useApp();
  const close = (): void => {
    app.overlay.value = null;
  };
  const { theme } = app.settings;
  const turn = (): void => {
    theme.value = theme.value === 'dark' ? 'light' : 'dark';
    app.settings.save();
  };
  return (
    <Dialog label={STRINGS.nav.more} kind="more-sheet" close={close}>
      {actionsOf(app)
        .filter(({ key }) => !IN_BAR.has(key))
        .map(({ key, word, act }) => (
          <button
            type="button"
            key={key}
            onClick={() => {
              close();
              act();
            }}
          >
            {word}
          </button>
        ))}
      <button type="button" onClick={turn}>
        {STRINGS.nav.theme}: {STRINGS.theme[theme.value]}
      </button>
    </Dialog>
  );
}
