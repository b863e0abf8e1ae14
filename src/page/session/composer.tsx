import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import { nameOf } from '../../present/state.ts';
import { useApp } from '../model/app.ts';
import { type Attachments, isReady, withAttachments } from '../model/attachments.ts';
import { enterMeans } from '../model/enter.ts';
import { useKeys } from '../model/keys.ts';
import { Icon } from '../ui/icon.tsx';
import { ATTACH_STRINGS } from '../words/attach-strings.ts';
import { STRINGS } from '../words/strings.ts';
import { visibleLine } from '../words/visible.ts';
import { AttachmentTray, PickFiles, useAttachments, useDrop } from './attachments.tsx';
import { Queue } from './queue.tsx';

const { composer: words } = STRINGS;

/** Where a person writes to the agent. What was written and not sent stays, also over a reload. */
export function Composer({ row }: { readonly row: SessionRow }): VNode | null {
  const app = useApp();
  const text = useSignal(app.drafts.read(row.id));
  const box = useRef<HTMLTextAreaElement>(null);
  const attached = useAttachments(row.id);
  const isOver = useDrop(attached, app.may('prompt') && row.phase !== 'ended');
  const { isSending, send, isOff } = useSend(row.id, { text, attached }, box);
  const enter = useEnter((how) => void send(how === 'now'));
  const write = (next: string): void => {
    text.value = next;
    app.drafts.write(row.id, next);
  };
  const refill = (whole: string): void => {
    write(text.value.trim() === '' ? whole : `${whole}\n\n${text.value}`);
    box.current?.focus();
  };
  useKeys({ c: () => box.current?.focus() });
  if (!app.may('prompt')) return <p class="composer over">{words.readOnly}</p>;
  if (row.phase === 'ended') return <p class="composer over">{words.ended}</p>;
  const isBusy = row.phase !== 'idle';
  return (
    <div class={`composer ${isOver ? 'drop-here' : ''}`}>
      <Queue row={row} refill={refill} />
      <AttachmentTray of={attached} />
      <form
        class="writing"
        onSubmit={(event) => {
          event.preventDefault();
          void send(false);
        }}
      >
        <PickFiles of={attached} />
        <textarea
          ref={box}
          rows={1}
          value={text.value}
          placeholder={placeholderOf(isOver, attached, isBusy)}
          aria-label={words.label(visibleLine(nameOf(row)))}
          onInput={(event) => write(event.currentTarget.value)}
          onPaste={(event) => paste(event, attached)}
          {...enter}
        />
        <SendButton word={isBusy ? words.queue : words.send} isOff={isSending || isOff} />
      </form>
      <p class="composer-hint">{isBusy ? words.hintNow : words.hint}</p>
    </div>
  );
}

function placeholderOf(isOver: boolean, { items }: Attachments, isBusy: boolean): string {
  if (isOver) return ATTACH_STRINGS.drop;
  if (items.value.length > 0) return ATTACH_STRINGS.sayWhat;
  return isBusy ? words.busy : words.idle;
}

function SendButton({ word, isOff }: { readonly word: string; readonly isOff: boolean }): VNode {
  return (
    <button type="submit" class="send" aria-label={word} title={word} aria-disabled={isOff}>
      <Icon name="send" />
    </button>
  );
}

type Draft = { value: string };

/** Pasted files are added; a text is pasted as always. */
function paste(event: ClipboardEvent, attached: Attachments): void {
  const files = event.clipboardData?.files ?? [];
  if (files.length === 0) return;
  event.preventDefault();
  attached.add(files);
}

/** Sends what is written and what goes with it, once, however often it is asked for. */
function useSend(
  session: string,
  { text, attached }: { readonly text: Draft; readonly attached: Attachments },
  box: { readonly current: HTMLTextAreaElement | null },
) {
  const app = useApp();
  const sending = useSignal(false);
  const items = attached.items.value;
  const isOff = withAttachments(text.value.trim(), items).prompt === '' || !isReady(items);
  const send = async (now: boolean): Promise<void> => {
    if (isOff || sending.value) return;
    const written = text.value.trim();
    sending.value = true;
    const given = { session, ...withAttachments(written, items), now };
    const isSent = await app.perform(STRINGS.composer.send, () => app.outlast.prompt(given));
    sending.value = false;
    if (!isSent) return;
    attached.remove(items.map(({ id }) => id));
    // What was typed while it was on its way is the next prompt.
    if (text.value.trim() !== written) return;
    text.value = '';
    app.drafts.write(session, '');
    box.current?.focus();
  };
  return { isSending: sending.value, send, isOff };
}

/** What the keyboard of the composer does. */
function useEnter(act: (how: 'send' | 'now') => void) {
  const { clock } = useApp();
  const composedMs = useRef(Number.NEGATIVE_INFINITY);
  const isTouch = useRef(false);
  useEffect(() => {
    isTouch.current = matchMedia('(pointer: coarse)').matches;
  }, []);
  return {
    onCompositionEnd: () => {
      composedMs.current = clock.steadyMs();
    },
    onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
      if (event.key === 'Escape') event.currentTarget.blur();
      const sinceCompositionMs = clock.steadyMs() - composedMs.current;
      const means = enterMeans(event, { sinceCompositionMs, isTouch: isTouch.current });
      if (means === null) return;
      event.preventDefault();
      act(means);
    },
  };
}
