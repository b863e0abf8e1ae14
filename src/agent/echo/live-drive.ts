import type { LiveDrive, ScreenRead } from '../seam/live.ts';
import { isPlaceholder } from './sent-text.ts';
import { isCommand } from './turns-drive.ts';

/** Echo with its own screen: `(ready)` or `(working)` is shown above the input line. */
export const echoLive: LiveDrive = {
  isCommand,
  verdict: ({ status, terminalGone, personSeen }) =>
    status !== 0 || terminalGone ? 'crashed' : personSeen ? 'left' : 'unknown',
  read: ({ rows }) => readRows(rows),
  typed: (text) => text,
  boxText: (text) => text.replaceAll(/\s+/g, ''),
  isPlaceholder,
  keys: { interrupt: ['Escape'], clear: () => ['C-u'] },
  quit: '/quit',
};

function readRows(rows: readonly string[]): ScreenRead {
  const at = rows.findLastIndex((row) => row === '(ready)' || row === '(working)');
  const draft = rows.slice(at + 1);
  if (at < 0 || !draft[0]?.startsWith('>')) return { is: 'unknown' };
  const text = draft
    .map((row) => row.slice(2))
    .join('\n')
    .trim();
  return { is: rows[at] === '(ready)' ? 'ready' : 'busy', draft: text === '' ? null : text };
}
