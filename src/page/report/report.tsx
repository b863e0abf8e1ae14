import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { useApp } from '../model/app.ts';
import { useAsked } from '../ui/asked.ts';
import { Icon } from '../ui/icon.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Loading, Unread } from '../ui/states.tsx';
import { timeText } from '../words/format.ts';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { report: words } = RECORD_STRINGS;

/** The report of a session as a page that can be printed. */
export function Report({ row }: { readonly row: SessionRow }): VNode {
  const app = useApp();
  const { asked, again } = useAsked(
    async (signal) => ({ markdown: (await app.outlast.report(row.id, signal)).markdown, atMs: app.clock.wallMs() }),
    [row.id],
  );
  const { value, error, isBusy } = asked.value;
  if (value === null) return error === null ? <Loading word={words.loading} /> : <Unread why={error} again={again} />;
  const copy = (): Promise<boolean> =>
    app.perform(words.copy, () => navigator.clipboard.writeText(value.markdown), words.copied);
  return (
    <div class="report" tabIndex={0} role="group" aria-label={words.label}>
      <div class="view-bar">
        <span class="view-note">{error ?? words.asOf(timeText(value.atMs, app.nowMs.peek()))}</span>
        <span class="space" />
        <button type="button" class="plain small" aria-disabled={isBusy} onClick={() => !isBusy && again()}>
          <Icon name="again" size={14} /> <span class="bar-word">{RECORD_STRINGS.again}</span>
        </button>
        <button type="button" class="plain small" onClick={copy}>
          <Icon name="copy" size={14} /> <span class="bar-word">{words.copy}</span>
        </button>
        <button type="button" class="plain small" onClick={() => print()}>
          <Icon name="print" size={14} /> <span class="bar-word">{words.print}</span>
        </button>
      </div>
      <article class="sheet">
        <Markdown text={value.markdown} />
      </article>
    </div>
  );
}
