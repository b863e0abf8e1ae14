import { useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Changes as Compared } from '../../api/changes-shape.ts';
import type { SessionRow } from '../../api/contract-list.ts';
import { type App, useApp } from '../model/app.ts';
import { type ChangedFile, changedFiles } from '../model/changes.ts';
import { Review } from '../model/review.ts';
import { useAsked } from '../ui/asked.ts';
import { Loading, Unread } from '../ui/states.tsx';
import { RECORD_STRINGS } from '../words/record-strings.ts';
import { ChangesBar, type Since } from './changes-bar.tsx';
import { CommentsBar } from './comments-bar.tsx';
import { FileList } from './file-list.tsx';
import { type FilesParts, FileView } from './file-view.tsx';
import { Notes, type Worktree } from './notes.tsx';
import { useFileKeys } from './use-file-keys.ts';
import { useIsSplit } from './use-split.ts';

const { changes: words } = RECORD_STRINGS;
/** Files beyond so many lines are closed until a person opens them. */
const LINES_OPEN_MAX = 2_000;

/** What is shown, and what the session was when it was compared. */
interface Read {
  readonly compared: Compared;
  readonly worktree: Worktree | null;
  readonly at: string;
}

/** What a session has changed, file by file, and what a person says about it. */
export function Changes({ row }: { readonly row: SessionRow }): VNode {
  const app = useApp();
  const since = useSignal<Since>({});
  const { asked, again } = useAsked((signal) => readChanges(app, row, since.value, signal), [row.id, since.value]);
  const review = useMemo(() => new Review(localStorage, row.id), [row.id]);
  const split = useIsSplit();
  const files = useComputed(() => (asked.value.value === null ? [] : changedFiles(asked.value.value.compared)));
  const opened = useSignal<ReadonlyMap<string, boolean>>(new Map());
  const part = useRef<HTMLDivElement>(null);
  const cursor = useSignal<{ path: string; line: number } | null>(null);
  const writing = useSignal<string | null>(null);
  useFileKeys({ files, cursor, opened, review, writing, part, canComment: app.may('prompt') });
  const { value, error, isBusy } = asked.value;
  const bar = (
    <ChangesBar row={row} read={value?.compared ?? null} since={since} split={split} isBusy={isBusy} again={again} />
  );
  if (value === null && error === null) return <Loading word={words.loading} />;
  if (value === null || error !== null)
    return (
      <div class="changes">
        {Object.keys(since.value).length > 0 && bar}
        <Unread why={error ?? ''} again={again} />
      </div>
    );
  return (
    <div class={`changes ${split.isSplit.value ? 'split' : ''}`} ref={part}>
      {bar}
      <div class={`changes-scroll ${isBusy ? 'busy' : ''}`} tabIndex={-1}>
        <Notes compared={value.compared} worktree={value.worktree} wentOn={value.at !== markOf(row)} again={again} />
        <Files files={files.value} isSplit={split.isSplit.value} part={part} {...{ review, opened, cursor, writing }} />
      </div>
      <CommentsBar row={row} review={review} />
    </div>
  );
}

interface FilesProps extends FilesParts {
  readonly files: readonly ChangedFile[];
  readonly isSplit: boolean;
  readonly part: { readonly current: HTMLElement | null };
}

function Files({ files, isSplit, part, ...parts }: FilesProps): VNode {
  if (files.length === 0)
    return (
      <div class="view-empty">
        <h2>{words.none}</h2>
        <p>{words.noneHint}</p>
      </div>
    );
  let lines = 0;
  return (
    <div class="changes-body">
      {files.length > 1 && <FileList files={files} review={parts.review} part={part} />}
      <div class="changes-files">
        {files.map((changed) => {
          lines += changed.lines.length;
          const isOpenFirst = lines <= LINES_OPEN_MAX;
          return (
            <FileView
              key={changed.file.path}
              changed={changed}
              isOpenFirst={isOpenFirst}
              isSplit={isSplit}
              {...parts}
            />
          );
        })}
      </div>
    </div>
  );
}

async function readChanges(app: App, row: SessionRow, since: Since, signal: AbortSignal): Promise<Read> {
  const [compared, shown] = await Promise.all([
    app.outlast.changes({ session: row.id, ...since }, signal),
    app.outlast.show(row.id, signal).catch(() => null),
  ]);
  return { compared, worktree: shown?.session.worktree ?? null, at: markOf(row) };
}

/** It is another one when the session has done something. */
function markOf({ phase, run, usage: { turns } }: SessionRow): string {
  return `${phase} ${run} ${turns}`;
}
