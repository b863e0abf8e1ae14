import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { STRINGS } from '../words/strings.ts';
import type { OutputText } from './output-text.ts';

const { screen: words } = STRINGS;

/** Finds a text in all that was printed, not only in what is on the page. Enter goes on, upwards. */
export function FindBar({ text }: { readonly text: OutputText }): VNode {
  const wanted = useSignal('');
  const told = useSignal('');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key !== 'f') return;
      event.preventDefault();
      box.current?.select();
      box.current?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const find = async (): Promise<void> => {
    if (wanted.value === '') return;
    told.value = words.finding;
    const isFound = await text.find(wanted.value).catch(() => false);
    told.value = isFound ? '' : words.notFound;
    if (!isFound) return;
    requestAnimationFrame(() => document.querySelector('.output-line.found')?.scrollIntoView({ block: 'center' }));
  };
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <Icon name="search" size={14} />
      <input
        ref={box}
        type="search"
        value={wanted.value}
        placeholder={words.find}
        aria-label={words.find}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
          text.found.value = null;
        }}
      />
      <span role="status">{told.value}</span>
    </form>
  );
}
