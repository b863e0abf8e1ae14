import { type Signal, signal } from '@preact/signals';
import { RECORD_STRINGS } from '../words/record-strings.ts';
import type { DiffLine } from './diff.ts';
import { Drafts } from './drafts.ts';

/** What a person wrote about a line of a change, or about a file. */
export interface Comment {
  readonly id: string;
  readonly path: string;
  /** The line, with its sign, as it was when the comment was written; null: the file. */
  readonly line: { readonly is: DiffLine['is']; readonly number: number; readonly text: string } | null;
  readonly text: string;
}

interface Stored {
  readonly viewed: Readonly<Record<string, string>>;
  readonly comments: readonly Comment[];
}

const { changes: words } = RECORD_STRINGS;
const SIGNS: Readonly<Record<DiffLine['is'], string>> = { same: ' ', added: '+', removed: '-', gap: ' ', note: ' ' };

/** What a person has viewed of the changes of a session, and what there is to say about them; kept in this browser. */
export class Review {
  /** By path, the digest of what was viewed. */
  readonly viewed: Signal<Readonly<Record<string, string>>>;
  readonly comments: Signal<readonly Comment[]>;
  readonly #kept: Drafts;
  readonly #session: string;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, session: string) {
    this.#kept = new Drafts(storage, 'review');
    this.#session = session;
    const { viewed, comments } = storedIn(this.#kept.read(session));
    this.viewed = signal(viewed);
    this.comments = signal(comments);
  }

  view(path: string, digest: string, isViewed: boolean): void {
    const { [path]: _, ...others } = this.viewed.value;
    this.viewed.value = isViewed ? { ...others, [path]: digest } : others;
    this.#keep();
  }

  /** Adds a comment, or replaces the one with its id. */
  put(comment: Comment): void {
    const at = this.comments.value.findIndex(({ id }) => id === comment.id);
    this.comments.value = at < 0 ? [...this.comments.value, comment] : this.comments.value.with(at, comment);
    this.#keep();
  }

  drop(ids: readonly string[]): void {
    this.comments.value = this.comments.value.filter(({ id }) => !ids.includes(id));
    this.#keep();
  }

  #keep(): void {
    const { value: viewed } = this.viewed;
    const { value: comments } = this.comments;
    const isEmpty = comments.length === 0 && Object.keys(viewed).length === 0;
    this.#kept.write(this.#session, isEmpty ? '' : JSON.stringify({ viewed, comments }));
  }
}

function storedIn(text: string): Stored {
  try {
    const { viewed = {}, comments = [] } = JSON.parse(text === '' ? '{}' : text) as Partial<Stored>;
    return { viewed, comments: Array.isArray(comments) ? comments : [] };
  } catch {
    return { viewed: {}, comments: [] };
  }
}

/** The number of a line on the side where it is; null: it has none. */
export function numberOf({ is, before, after }: DiffLine): number | null {
  return is === 'removed' ? before : after;
}

/** Is a comment about this line? */
export function isAbout({ line }: Comment, each: DiffLine): boolean {
  if (line === null || line.text !== each.text || line.number !== numberOf(each)) return false;
  return (line.is === 'removed') === (each.is === 'removed');
}

/** Where a comment belongs, in words. */
export function placeText({ line }: Comment): string {
  if (line === null) return words.wholeFile;
  return line.is === 'removed' ? words.removedLine(line.number) : words.line(line.number);
}

/** All comments as one prompt, file by file, each with the line that it is about. */
export function promptOf(comments: readonly Comment[]): string {
  const paths = [...new Set(comments.map(({ path }) => path))];
  const inOrder = paths.flatMap((path) =>
    comments
      .filter((comment) => comment.path === path)
      .toSorted((a, b) => (a.line?.number ?? 0) - (b.line?.number ?? 0)),
  );
  const parts = inOrder.map((comment) =>
    [
      `${comment.path}, ${placeText(comment)}:`,
      ...(comment.line === null ? [] : [`> ${SIGNS[comment.line.is]}${comment.line.text}`]),
      comment.text.trim(),
    ].join('\n'),
  );
  return [words.prompt, ...parts].join('\n\n');
}
