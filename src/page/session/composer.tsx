import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import { nameOf } from '../../present/state.ts';
import { useApp } from '../model/app.ts';
import { enterMeans } from '../model/enter.ts';
import { useKeys } from '../model/keys.ts';
import { Icon } from '../ui/icon.tsx';
import { STRINGS } from '../words/strings.ts';
import { visibleLine } from '../words/visible.ts';
import { Queue } from './queue.tsx';

const { composer: words } = STRINGS;

/** Where a person writes to the agent. What was written and not sent stays, also over a reload. */
export function Composer({ row }: { readonly row: SessionRow }): VNode | null {
  const app = useApp();
  const text = useSignal(app.drafts.read(row.id));
  const box = useRef<HTMLTextAreaElement>(null);
  const { isSending, send } = useSend(row.id, text, box);
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
    <div class="composer">
      <Queue row={row} refill={refill} />
      <form
        class="writing"
        onSubmit={(event) => {
          event.preventDefault();
          void send(false);
        }}
      >
        <textarea
          ref={box}
          rows={1}
          value={text.value}
          placeholder={isBusy ? words.busy : words.idle}
          aria-label={words.label(visibleLine(nameOf(row)))}
          onInput={(event) => write(event.currentTarget.value)}
          {...enter}
        />
        <SendButton word={isBusy ? words.queue : words.send} isOff={isSending || text.value.trim() === ''} />
      </form>
      <p class="composer-hint">{isBusy ? words.hintNow : words.hint}</p>
    </div>
  );
}

function SendButton({ word, isOff }: { readonly word: string; readonly isOff: boolean }): VNode {
  return (
    <button type="submit" class="send" aria-label={word} title={word} aria-disabled={isOff}>
      <Icon name="send" />
    </button>
  );
}

type Draft = { value: string };

/** Sends what is written, once, however often it is asked for. */
function useSend(session: string, text: Draft, box: { readonly current: HTMLTextAreaElement | null }) {
  const app = useApp();
  const sending = useSignal(false);
  const send = async (now: boolean): Promise<void> => {
    const prompt = text.value.trim();
    if (prompt === '' || sending.value) return;
    sending.value = true;
    const isSent = await app.perform(STRINGS.composer.send, () => app.outlast.prompt({ session, prompt, now }));
    sending.value = false;
    // What was typed while it was on its way is the next prompt.
    if (!isSent || text.value.trim() !== prompt) return;
    text.value = '';
    app.drafts.write(session, '');
    box.current?.focus();
  };
  return { isSending: sending.value, send };
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
