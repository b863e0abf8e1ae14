import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DiffLine } from '../model/diff.ts';
import { type Comment, numberOf, placeText, type Review } from '../model/review.ts';
import { Safe } from '../ui/safe.tsx';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { changes: words } = RECORD_STRINGS;

interface BoxProps {
  readonly path: string;
  /** Null: it is about the file. */
  readonly line: DiffLine | null;
  readonly review: Review;
  readonly close: () => void;
  /** The comment that is changed; missing: a new one. */
  readonly comment?: Comment;
}

/** Where a comment is written. */
export function CommentBox({ path, line, review, close, comment }: BoxProps): VNode {
  const text = useSignal(comment?.text ?? '');
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const add = (): void => {
    if (text.value.trim() === '') return;
    const number = line === null ? null : numberOf(line);
    const about = line === null || number === null ? null : { is: line.is, number, text: line.text };
    review.put(
      comment === undefined ? { id: newId(), path, line: about, text: text.value } : { ...comment, text: text.value },
    );
    close();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    else add();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      class="comment-box"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <textarea
        ref={box}
        rows={2}
        value={text.value}
        aria-label={words.comment}
        placeholder={words.commentHint}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={press}
      />
      <div class="buttons">
        <kbd>Ctrl</kbd>
        <kbd>Enter</kbd>
        <button type="button" class="plain small" onClick={close}>
          {RECORD_STRINGS.cancel}
        </button>
        <button type="submit" class="primary small" aria-disabled={text.value.trim() === ''}>
          {words.add}
        </button>
      </div>
    </form>
  );
}

function newId(): string {
  return crypto.randomUUID();
}

interface TextProps {
  readonly comment: Comment;
  readonly review: Review;
  /** Its line is not in the changes any more. */
  readonly isLost: boolean;
}

/** A comment that was not sent yet. */
export function CommentText({ comment, review, isLost }: TextProps): VNode {
  const isEditing = useSignal(false);
  if (isEditing.value)
    return (
      <CommentBox
        path={comment.path}
        line={null}
        review={review}
        comment={comment}
        close={() => (isEditing.value = false)}
      />
    );
  return (
    <div class="comment-text">
      {isLost && (
        <p class="view-note">
          {words.lost} {placeText(comment)}
        </p>
      )}
      <p>
        <Safe text={comment.text} />
      </p>
      <div class="buttons">
        <button type="button" class="quiet" onClick={() => (isEditing.value = true)}>
          {words.edit}
        </button>
        <button type="button" class="quiet" onClick={() => review.drop([comment.id])}>
          {words.drop}
        </button>
      </div>
    </div>
  );
}
