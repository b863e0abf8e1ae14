import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { StyledScreen } from '../live/types.ts';
import { useApp } from '../model/app.ts';
import { STRINGS } from '../words/strings.ts';
import { KeyBar } from './key-bar.tsx';
import type { Typing } from './typing.ts';
import { openXterm, type XtermView } from './xterm.ts';

const { screen: words } = STRINGS;

interface Props {
  readonly typing: Typing;
  readonly screen: ReadonlySignal<StyledScreen | null>;
}

/** The terminal to type at, while this tab has control of it. */
export function TerminalPane({ typing, screen }: Props): VNode {
  const box = useRef<HTMLDivElement>(null);
  const view = useXterm(box, typing, screen);
  const hide = (): void => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  const fit = (): void => {
    const size = view.current?.fitting();
    if (size !== null && size !== undefined) void typing.fit(size).then(() => view.current?.focus());
  };
  return (
    <div class="typing">
      <div class="terminal-bar typing-bar">
        <span class="typing-told" role="status">
          {words.typing}
        </span>
        <Pending typing={typing} />
        <span class="space" />
        <button type="button" class="plain small" onClick={fit}>
          {words.fit}
        </button>
        <button type="button" class="plain small" onClick={() => typing.leave()}>
          {words.giveBack}
        </button>
      </div>
      <div class="xterm-box" ref={box} />
      <KeyBar typing={typing} screen={screen} hide={hide} />
    </div>
  );
}

/** What was typed and is not known to have arrived. */
function Pending({ typing }: { readonly typing: Typing }): VNode | null {
  const count = useSignal(0);
  const control = typing.control.value;
  useEffect(() => {
    if (control === null) return;
    const count_ = (): void => {
      count.value = control.sent.value - control.taken.value;
    };
    const over = [control.sent.subscribe(count_), control.taken.subscribe(count_)];
    return () => {
      for (const end of over) end();
    };
  }, [control]);
  return (
    <span class="typing-pending" data-pending={count.value}>
      {count.value > PENDING_SHOWN && words.pending(count.value)}
    </span>
  );
}

/** Fewer are always on their way. */
const PENDING_SHOWN = 10;

function useXterm(box: { readonly current: HTMLDivElement | null }, typing: Typing, screen: Props['screen']) {
  const app = useApp();
  const view = useRef<XtermView | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const opened = openXterm(
      element,
      { key: (bytes) => typing.key(bytes), paste: (text) => typing.paste(text) },
      words.typeLabel,
    );
    view.current = opened;
    opened.focus();
    const drawing = screen.subscribe((next) => next !== null && opened.draw(next));
    const connection = app.state.subscribe(({ is }) => opened.enable(is === 'live' || is === 'catching up'));
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || !event.shiftKey) return;
      const act = event.code === 'KeyL' ? () => typing.leave() : event.code === 'KeyK' ? () => openPalette() : null;
      if (act === null) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    const openPalette = (): void => {
      app.overlay.value = 'palette';
    };
    element.addEventListener('keydown', press, true);
    return () => {
      element.removeEventListener('keydown', press, true);
      drawing();
      connection();
      opened.close();
    };
  }, []);
  return view;
}
