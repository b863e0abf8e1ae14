import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useApp } from '../model/app.ts';
import type { ChangedFile } from '../model/changes.ts';
import { isAbout, type Review } from '../model/review.ts';
import { DiffStat } from '../ui/diff.tsx';
import { Icon } from '../ui/icon.tsx';
import { Safe } from '../ui/safe.tsx';
import { numberText } from '../words/format.ts';
import { RECORD_STRINGS } from '../words/record-strings.ts';
import { CommentBox, CommentText } from './comment.tsx';
import { StatusSign } from './file-list.tsx';
import { Lines } from './lines.tsx';

const { changes: words } = RECORD_STRINGS;

/** What the files share. */
export interface FilesParts {
  readonly review: Review;
  /** What a person has opened or closed, by path. */
  readonly opened: Signal<ReadonlyMap<string, boolean>>;
  /** Where the keyboard is; line -1 is the head of the file. */
  readonly cursor: Signal<{ readonly path: string; readonly line: number } | null>;
  /** Where a comment is being written: a path, with the number of the row if it is about one. */
  readonly writing: Signal<string | null>;
}

interface Props extends FilesParts {
  readonly changed: ChangedFile;
  readonly isOpenFirst: boolean;
  readonly isSplit: boolean;
}

/** The changes of one file. */
export function FileView({ changed, isOpenFirst, isSplit, ...parts }: Props): VNode {
  const { file, lines, why, digest } = changed;
  const { review, opened, writing } = parts;
  const isViewed = review.viewed.value[file.path] === digest;
  const isOpen = opened.value.get(file.path) ?? (isOpenFirst && !isViewed);
  const comments = review.comments.value.filter(({ path }) => path === file.path);
  const elsewhere = comments.filter((comment) => !lines.some((line) => isAbout(comment, line)));
  return (
    <section class={`file ${isViewed ? 'is-viewed' : ''}`} data-path={file.path}>
      <FileHead changed={changed} isOpen={isOpen} isViewed={isViewed} {...parts} />
      {isOpen && (
        <div class="file-body">
          {elsewhere.map((comment) => (
            <CommentText key={comment.id} comment={comment} review={review} isLost={comment.line !== null} />
          ))}
          {writing.value === file.path && (
            <CommentBox path={file.path} line={null} review={review} close={() => (writing.value = null)} />
          )}
          {why === null ? (
            <Lines path={file.path} lines={lines} isSplit={isSplit} {...parts} />
          ) : (
            <p class="file-note">{noteOf(changed)}</p>
          )}
        </div>
      )}
    </section>
  );
}

function noteOf({ file: { additions, deletions }, why }: ChangedFile): string {
  if (why === 'large') return words.large(numberText((additions ?? 0) + (deletions ?? 0)));
  if (why === 'binary') return words.binary;
  return why === 'renamed' ? words.onlyRenamed : words.onlyMode;
}

type HeadProps = FilesParts & Pick<Props, 'changed'> & { readonly isOpen: boolean; readonly isViewed: boolean };

function FileHead({ changed, isOpen, isViewed, review, opened, cursor, writing }: HeadProps): VNode {
  const app = useApp();
  const { file, digest } = changed;
  const { path } = file;
  const set = (isNow: boolean): void => {
    opened.value = new Map([...opened.value, [path, isNow]]);
  };
  const view = (isNow: boolean): void => {
    review.view(path, digest, isNow);
    set(!isNow);
  };
  const comment = (): void => {
    set(true);
    writing.value = path;
  };
  return (
    <header class="file-head">
      <button
        type="button"
        class="file-toggle"
        aria-expanded={isOpen}
        onClick={() => set(!isOpen)}
        onFocus={() => {
          if (cursor.peek()?.path !== path) cursor.value = { path, line: -1 };
        }}
      >
        <Icon name="chevron" size={12} />
        <FileName changed={changed} isCounted={!isOpen && !isViewed} />
      </button>
      {app.may('prompt') && (
        <button
          type="button"
          class="icon-button"
          aria-label={words.commentFile}
          title={words.commentFile}
          onClick={comment}
        >
          <Icon name="talk" size={14} />
        </button>
      )}
      <label class="viewed">
        <input type="checkbox" checked={isViewed} onChange={(event) => view(event.currentTarget.checked)} />
        <span>{words.viewed}</span>
      </label>
    </header>
  );
}

type NameProps = Pick<Props, 'changed'> & { readonly isCounted: boolean };

function FileName({ changed: { file, lines }, isCounted }: NameProps): VNode {
  const { path, from, status, additions, deletions } = file;
  return (
    <>
      <StatusSign status={status} />
      <span class="file-path">
        {from !== undefined && (
          <span class="file-from">
            <Safe text={from} />
            {' → '}
          </span>
        )}
        <Safe text={path} />
      </span>
      <DiffStat added={additions ?? 0} removed={deletions ?? 0} />
      {isCounted && lines.length > 0 && <span class="view-note">{words.closed(lines.length)}</span>}
    </>
  );
}
