import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { useApp } from '../model/app.ts';
import { promptOf, type Review } from '../model/review.ts';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { changes: words } = RECORD_STRINGS;

/** The comments that were gathered: all of them are sent as one prompt, once. */
export function CommentsBar({ row, review }: { readonly row: SessionRow; readonly review: Review }): VNode | null {
  const app = useApp();
  const sending = useSignal(false);
  const comments = review.comments.value;
  if (comments.length === 0 || !app.may('prompt')) return null;
  const hasEnded = row.phase === 'ended';
  const send = async (): Promise<void> => {
    if (sending.value || hasEnded) return;
    sending.value = true;
    const sent = review.comments.value;
    const prompt = promptOf(sent);
    const isSent = await app.perform(
      words.send(sent.length),
      () => app.outlast.prompt({ session: row.id, prompt }),
      words.sent,
    );
    // What was written meanwhile is for the next prompt.
    if (isSent) review.drop(sent.map(({ id }) => id));
    sending.value = false;
  };
  return (
    <div class="comments-bar" role="group" aria-label={words.gathered(comments.length)}>
      <span class="view-note">{hasEnded ? words.ended : words.gathered(comments.length)}</span>
      <span class="space" />
      <button type="button" class="primary" aria-disabled={sending.value || hasEnded} onClick={() => void send()}>
        {words.send(comments.length)}
      </button>
    </div>
  );
}
