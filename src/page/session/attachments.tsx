import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type App, useApp } from '../model/app.ts';
import { type Attachment, Attachments } from '../model/attachments.ts';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { ATTACH_STRINGS as words } from '../words/attach-strings.ts';
import { visibleLine } from '../words/visible.ts';

const OF_APP = new WeakMap<App, Map<string, Attachments>>();

/** What goes with the next prompt of a session; it is kept while the page shows another one. */
export function useAttachments(session: string): Attachments {
  const app = useApp();
  const all = OF_APP.get(app) ?? new Map<string, Attachments>();
  OF_APP.set(app, all);
  const known = all.get(session) ?? new Attachments(session, () => app.outlast);
  all.set(session, known);
  return known;
}

interface Props {
  readonly of: Attachments;
}

/** The pictures and files of the next prompt, above the box. */
export function AttachmentTray({ of }: Props): VNode | null {
  const items = of.items.value;
  if (items.length === 0) return null;
  return (
    <ul class="tray" aria-label={words.list}>
      {items.map((item) => (
        <Item key={item.id} item={item} of={of} />
      ))}
    </ul>
  );
}

function Item({ item, of }: Props & { readonly item: Attachment }): VNode {
  const { id, file, url, path, fault, sentBytes } = item;
  const name = visibleLine(file.name);
  return (
    <li
      class={`attached ${fault === null ? '' : 'bad'}`}
      data-state={fault !== null ? 'bad' : path ? 'there' : 'sending'}
    >
      {url === null ? <Icon name="read" size={20} /> : <img src={url} alt="" />}
      <span class="attached-name">
        <SafeLine text={file.name} />
        {fault !== null && (
          <span class="attached-fault" role="alert">
            <SafeLine text={fault} />
          </span>
        )}
        {fault === null && path === null && (
          <progress max={file.size} value={sentBytes} aria-label={words.sending(name)} />
        )}
      </span>
      {fault !== null && sentBytes < file.size && file.size > 0 && (
        <button type="button" class="icon-button" title={words.again} onClick={() => void of.send(id)}>
          <Icon name="again" size={14} />
          <span class="out-of-sight">{words.again}</span>
        </button>
      )}
      <button type="button" class="icon-button" aria-label={words.remove(name)} onClick={() => of.remove([id])}>
        <Icon name="close" size={14} />
      </button>
    </li>
  );
}

/** The button that picks files; a phone offers its camera, too. */
export function PickFiles({ of }: Props): VNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="pick"
        aria-label={words.pick}
        title={words.pick}
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        // Named first, so that a phone offers its camera; everything else is taken as well.
        accept="image/*,*/*"
        onChange={({ currentTarget }) => {
          of.add(currentTarget.files ?? []);
          // The same file can be picked again after it was removed.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Files may be dropped anywhere on the page: beside a small target, the browser would leave the page for the file. */
export function useDrop(of: Attachments, isOn: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    addEventListener('dragover', (event) => over(event, setOver), { signal });
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      'drop',
      (event) => {
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        of.add(event.dataTransfer?.files ?? []);
      },
      { signal },
    );
    return () => leaving.abort();
  }, [of, isOn]);
  return isOver;
}

function over(event: DragEvent, setOver: (isOver: boolean) => void): void {
  if (!hasFiles(event)) return;
  event.preventDefault();
  setOver(true);
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
