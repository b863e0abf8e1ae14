import type { App, Overlay } from '../model/app.ts';
import { USAGE_DAYS } from '../model/route.ts';
import { STRINGS } from '../words/strings.ts';

/** Something that a key or a line of the palette does, wherever a person is. */
export interface PageAction {
  readonly key: string;
  readonly word: string;
  readonly keys: string;
  readonly act: () => void;
}

/** What can be done from anywhere. */
export function actionsOf(app: App): readonly PageAction[] {
  const { actions } = STRINGS;
  return [
    { key: 'next', word: actions.next, keys: 'a', act: () => goToNeed(app) },
    { key: 'fleet', word: actions.fleet, keys: 'g f', act: () => app.go({ is: 'fleet' }) },
    { key: 'inbox', word: actions.inbox, keys: 'g i', act: () => app.go({ is: 'inbox', question: null }) },
    { key: 'new', word: actions.new, keys: 'g n', act: () => app.go({ is: 'new' }) },
    { key: 'search', word: actions.search, keys: 'g s', act: () => app.go({ is: 'search', words: '' }) },
    { key: 'tree', word: actions.tree, keys: 'g t', act: () => app.go({ is: 'tree' }) },
    { key: 'boot', word: actions.boot, keys: 'g b', act: () => app.go({ is: 'boot' }) },
    { key: 'usage', word: actions.usage, keys: 'g u', act: () => app.go({ is: 'usage', days: USAGE_DAYS[0] }) },
    { key: 'settings', word: actions.settings, keys: 'g ,', act: () => app.go({ is: 'settings' }) },
    { key: 'keys', word: actions.keys, keys: '?', act: () => show(app, 'keys') },
  ];
}

/** Opens a dialog. */
export function show(app: App, overlay: Exclude<Overlay, null>): void {
  app.overlay.value = overlay;
}

/** Goes to what has waited longest for a person: a question, else the session. From there to the next one. */
export function goToNeed(app: App): void {
  const needs = app.needs.value;
  const route = app.route.value;
  const open = app.inbox.questions.value.filter(({ decided }) => decided === undefined);
  const here =
    route.is === 'session'
      ? route.session
      : route.is === 'inbox' && route.question !== null
        ? app.inbox.find(route.question)?.asked.session
        : undefined;
  const at = needs.findIndex(({ id }) => id === here);
  const next = needs[(at + 1) % Math.max(needs.length, 1)];
  if (next === undefined) return app.tell(STRINGS.nothingNeeds);
  const asked = open.find(({ asked: { session } }) => session === next.id)?.asked;
  if (asked !== undefined) app.go({ is: 'inbox', question: asked.id });
  else app.go({ is: 'session', session: next.id, tab: 'conversation' });
  focusHead(FRAMES_MAX);
}

/** How long a place may take to be loaded and drawn. */
const FRAMES_MAX = 300;

/** Focuses the head of what is shown now, as soon as it is drawn. */
function focusHead(frames: number): void {
  requestAnimationFrame(() => {
    const head = document.querySelector<HTMLElement>('main [data-head]');
    if (head !== null) head.focus();
    else if (frames > 0) focusHead(frames - 1);
  });
}
