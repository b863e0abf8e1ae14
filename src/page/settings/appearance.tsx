import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useApp } from '../model/app.ts';
import { DENSITIES, TEXT_SIZES, THEMES } from '../model/settings.ts';
import { SETTINGS } from '../words/settings.ts';
import { STRINGS } from '../words/strings.ts';

const { appearance: words } = SETTINGS;

/** The theme, the height of rows and the size of text, in this browser. */
export function Appearance(): VNode {
  const { theme, density, textSize } = useApp().settings;
  return (
    <>
      <Choice label={words.theme} all={THEMES} words={STRINGS.theme} chosen={theme} />
      <Choice label={words.density} all={DENSITIES} words={words.densities} chosen={density} />
      <Choice label={words.textSize} all={TEXT_SIZES} words={words.textSizes} chosen={textSize} />
    </>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly all: readonly T[];
  readonly words: Readonly<Record<T, string>>;
  readonly chosen: Signal<T>;
}

function Choice<T extends string>({ label, all, words: each, chosen }: ChoiceProps<T>): VNode {
  const { settings } = useApp();
  const choose = (value: T): void => {
    chosen.value = value;
    settings.save();
  };
  return (
    <div class="setting-row">
      <span>{label}</span>
      <fieldset class="segments" aria-label={label}>
        {all.map((value) => (
          <button type="button" aria-pressed={chosen.value === value} onClick={() => choose(value)}>
            {each[value]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
