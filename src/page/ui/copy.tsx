import type { VNode } from 'preact';
import { useApp } from '../model/app.ts';
import { STRINGS } from '../words/strings.ts';
import { Icon } from './icon.tsx';

/** A command that a person copies. */
export function Command({ text }: { readonly text: string }): VNode {
  const app = useApp();
  const copy = (): Promise<boolean> =>
    app.perform(STRINGS.signIn.copy, () => navigator.clipboard.writeText(text), STRINGS.session.copied);
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" class="icon-button" aria-label={STRINGS.signIn.copy} onClick={copy}>
        <Icon name="copy" />
      </button>
    </span>
  );
}
