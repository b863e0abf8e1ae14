import type { VNode } from 'preact';
import { useApp } from '../model/app.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { STRINGS } from '../words/strings.ts';

const { keys } = STRINGS;

/** All keys of the page. */
export function KeySheet(): VNode {
  const app = useApp();
  const close = (): void => {
    app.overlay.value = null;
  };
  return (
    <Dialog label={keys.title} kind="key-sheet" close={close}>
      <header>
        <h2>{keys.title}</h2>
        <button type="button" class="icon-button" aria-label={keys.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="key-groups">
        {keys.sheet.map(({ group, rows }) => (
          <section>
            <h3>{group}</h3>
            <dl>
              {rows.map(([key, does]) => (
                <div>
                  <dt>
                    {key.split(' ').map((each) => (
                      <kbd>{each}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
