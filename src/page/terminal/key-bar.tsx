import type { ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { StyledScreen } from '../live/types.ts';
import { useApp } from '../model/app.ts';
import { STRINGS } from '../words/strings.ts';
import type { Typing } from './typing.ts';

const { screen: words } = STRINGS;

interface Props {
  readonly typing: Typing;
  readonly screen: ReadonlySignal<StyledScreen | null>;
  readonly hide: () => void;
}

/** Keys that a keyboard on a screen does not have. */
export function KeyBar({ typing, screen, hide }: Props): VNode {
  const app = useApp();
  const arrow = (letter: string) => (): void => {
    const isApplication = screen.value?.isCursorApplication ?? false;
    typing.key(new TextEncoder().encode(`\x1b${isApplication ? 'O' : '['}${letter}`));
  };
  const code = (value: number) => (): void => typing.key(Uint8Array.of(value));
  const paste = (): void =>
    void app.perform(words.paste, async () => typing.paste(await navigator.clipboard.readText()));
  return (
    <div class="key-bar" role="toolbar" aria-label={words.keys}>
      <Key word="Esc" press={code(0x1b)} />
      <Key word="Tab" press={code(0x09)} />
      <Key
        word="Ctrl"
        isPressed={typing.isCtrl.value}
        press={() => {
          typing.isCtrl.value = !typing.isCtrl.value;
        }}
      />
      <Key word="↑" label={words.up} press={arrow('A')} />
      <Key word="↓" label={words.down} press={arrow('B')} />
      <Key word="←" label={words.left} press={arrow('D')} />
      <Key word="→" label={words.right} press={arrow('C')} />
      <Key word="^C" label="Ctrl C" press={code(0x03)} />
      <Key word={words.paste} press={paste} />
      <Key word={words.hide} label={words.hideKeyboard} press={hide} />
    </div>
  );
}

interface KeyProps {
  readonly word: string;
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly press: () => void;
}

/** The focus stays where it is, so that the keyboard of a phone stays open. */
function Key({ word, label = word, isPressed, press }: KeyProps): VNode {
  return (
    <button
      type="button"
      aria-label={label}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      onPointerDown={(event) => event.preventDefault()}
      onClick={press}
    >
      {word}
    </button>
  );
}
