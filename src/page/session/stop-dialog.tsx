import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { nameOf } from '../../present/state.ts';
import { useApp } from '../model/app.ts';
import { endsWith } from '../model/ends.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { visibleLine } from '../words/visible.ts';

const { session: words } = STRINGS;

/** Stopping ends work: it is asked for once more, and says what else ends. */
export function StopDialog({ row, close }: { readonly row: SessionRow; readonly close: () => void }): VNode {
  const app = useApp();
  const { stopped, kept } = endsWith(row.id, app.fleet.known.value.rows.values());
  const stop = (): void => {
    close();
    void app.perform(words.stop, () => app.outlast.stop({ session: row.id, wait: false }));
  };
  return (
    <Dialog label={words.stopAsk(visibleLine(nameOf(row)))} kind="ask" close={close}>
      <h2>
        <SafeLine text={words.stopAsk(nameOf(row))} />
      </h2>
      <p>{row.drive === 'command' ? words.stopToldCommand : words.stopTold}</p>
      <Others title={words.endsToo(stopped.length)} rows={stopped} />
      <Others title={words.goesOn(kept.length)} rows={kept} />
      <div class="buttons">
        <button type="button" class="plain" onClick={close}>
          {STRINGS.cancel}
        </button>
        <button type="button" class="danger" onClick={stop}>
          {words.stop}
        </button>
      </div>
    </Dialog>
  );
}

function Others({ title, rows }: { readonly title: string; readonly rows: readonly SessionRow[] }): VNode | null {
  if (rows.length === 0) return null;
  return (
    <section class="ends-with">
      <h3>{title}</h3>
      <ul>
        {rows.map((each) => (
          <li key={each.id}>
            <SafeLine text={nameOf(each)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
