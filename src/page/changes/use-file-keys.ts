import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import type { ChangedFile } from '../model/changes.ts';
import { useKeys } from '../model/keys.ts';
import { numberOf } from '../model/review.ts';
import type { FilesParts } from './file-view.tsx';

interface Parts extends FilesParts {
  readonly files: ReadonlySignal<readonly ChangedFile[]>;
  readonly part: { readonly current: HTMLElement | null };
  readonly canComment: boolean;
}

/** j and k move between the files, the arrows along the lines of one, v views it, c comments. */
export function useFileKeys({ files, cursor, opened, review, writing, part, canComment }: Parts): void {
  const here = (): ChangedFile | undefined => files.value.find(({ file }) => file.path === cursor.value?.path);
  const toFile = (by: number): void => {
    const at = files.value.findIndex(({ file }) => file.path === cursor.value?.path);
    const next = files.value[at < 0 ? 0 : Math.min(Math.max(at + by, 0), files.value.length - 1)];
    if (next === undefined) return;
    cursor.value = { path: next.file.path, line: -1 };
    fileAt(part.current, next.file.path)?.querySelector<HTMLElement>('.file-toggle')?.focus();
  };
  const alongLines = (by: number): void => {
    const file = here();
    if (file === undefined || cursor.value === null) return;
    const withNumbers = file.lines.flatMap((line, i) => (numberOf(line) === null ? [] : [i]));
    const at = withNumbers.indexOf(cursor.value.line);
    cursor.value = { path: file.file.path, line: withNumbers[at + by] ?? (by < 0 ? -1 : cursor.value.line) };
  };
  const view = (): void => {
    const file = here();
    if (file === undefined) return;
    const { path } = file.file;
    const isViewed = review.viewed.value[path] === file.digest;
    review.view(path, file.digest, !isViewed);
    opened.value = new Map([...opened.value, [path, isViewed]]);
  };
  const comment = (): void => {
    const file = here();
    if (file === undefined || !canComment) return;
    const line = cursor.value?.line ?? -1;
    opened.value = new Map([...opened.value, [file.file.path, true]]);
    writing.value = line < 0 ? file.file.path : `${file.file.path}\n${line}`;
  };
  useLineInSight(cursor, part);
  const atFile = (act: () => void) => (): unknown => (cursor.peek() === null ? false : act());
  useKeys(
    {
      j: () => toFile(1),
      k: () => toFile(-1),
      // Asked when the key comes: it may follow the one that leads to a file before the page is drawn again.
      ArrowDown: atFile(() => alongLines(1)),
      ArrowUp: atFile(() => alongLines(-1)),
      v: atFile(view),
      c: atFile(comment),
    },
    'first',
  );
}

/** Scrolls to the line that the keys have come to. */
function useLineInSight(cursor: Parts['cursor'], part: Parts['part']): void {
  useSignalEffect(() => {
    if ((cursor.value?.line ?? -1) >= 0)
      requestAnimationFrame(() =>
        part.current?.querySelector('.line.at, .split-row.at')?.scrollIntoView({ block: 'nearest' }),
      );
  });
}

function fileAt(part: HTMLElement | null, path: string): HTMLElement | undefined {
  return [...(part?.querySelectorAll<HTMLElement>('.file') ?? [])].find(({ dataset }) => dataset.path === path);
}
