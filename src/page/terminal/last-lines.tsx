import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Run } from '../live/types.ts';
import { visibleLine } from '../words/visible.ts';
import { textOf } from './rows.tsx';

const LINES = 10;

/** Alt+L has a screen reader say the last lines: a terminal that changes all the time is not read by itself. */
export function useLastLines(rows: () => readonly (readonly Run[])[]): VNode {
  const said = useSignal('');
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyL') return;
      event.preventDefault();
      const lines = rows()
        .map(textOf)
        .filter((line) => line.trim() !== '');
      // The same text again is said only if it differs.
      said.value = `${lines.slice(-LINES).map(visibleLine).join('\n')}${said.value.endsWith('\u00a0') ? '' : '\u00a0'}`;
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <div class="unseen" role="status" aria-live="assertive" data-last-lines>
      {said.value}
    </div>
  );
}
