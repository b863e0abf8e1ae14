import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { partnersOf, splitRows } from '../model/changes.ts';
import type { DiffLine } from '../model/diff.ts';
import { type Comment, isAbout, numberOf } from '../model/review.ts';
import { type MarkedPart, wordMarks } from '../model/word-marks.ts';
import { Safe } from '../ui/safe.tsx';
import { RECORD_STRINGS } from '../words/record-strings.ts';
import { CommentBox, CommentText } from './comment.tsx';
import type { FilesParts } from './file-view.tsx';

const { changes: words } = RECORD_STRINGS;
const SIGN: Readonly<Record<DiffLine['is'], string>> = { same: ' ', added: '+', removed: '−', gap: '', note: '' };

interface Props extends FilesParts {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly isSplit: boolean;
}

/** The lines of a file: one below the other, or both sides beside each other. */
export function Lines({ path, lines, isSplit, review, cursor, writing }: Props): VNode {
  const partners = useMemo(() => partnersOf(lines), [lines]);
  const rows = useMemo(
    () => (isSplit ? splitRows(lines) : lines.map((line) => ({ before: line, after: line }))),
    [lines, isSplit],
  );
  const comments = review.comments.value.filter((comment) => comment.path === path && comment.line !== null);
  const at = cursor.value?.path === path ? cursor.value.line : -1;
  const numbers = useMemo(() => new Map(lines.map((line, i) => [line, i])), [lines]);
  const place = (line: DiffLine): string => `${path}\n${numbers.get(line)}`;
  return (
    <div class={`file-lines ${isSplit ? 'split' : ''}`}>
      {rows.map(({ before, after }) => {
        const sides = before === after || !isSplit ? [after ?? before] : [before, after];
        const own = [...new Set(sides)].flatMap((line) => line ?? []);
        const isAt = at >= 0 && own.some((line) => lines[at] === line);
        return (
          <>
            {isSplit ? (
              <div class={`split-row ${isAt ? 'at' : ''}`}>
                <Side line={before} side="before" partners={partners} write={(line) => (writing.value = place(line))} />
                <Side line={after} side="after" partners={partners} write={(line) => (writing.value = place(line))} />
              </div>
            ) : (
              own.map((line) => (
                <div class={`line ${line.is} ${isAt ? 'at' : ''}`}>
                  <LineNumber line={line} write={() => (writing.value = place(line))} />
                  <span class="sign">{SIGN[line.is]}</span>
                  <Code line={line} partners={partners} />
                </div>
              ))
            )}
            {own.map((line) => (
              <Said
                line={line}
                comments={comments.filter((comment) => isAbout(comment, line))}
                review={review}
                isWriting={writing.value === place(line)}
                path={path}
                close={() => (writing.value = null)}
              />
            ))}
          </>
        );
      })}
    </div>
  );
}

interface SaidProps extends Pick<FilesParts, 'review'> {
  readonly line: DiffLine;
  readonly comments: readonly Comment[];
  readonly isWriting: boolean;
  readonly path: string;
  readonly close: () => void;
}

/** What is said about a line, below it. */
function Said({ line, comments, review, isWriting, path, close }: SaidProps): VNode | null {
  if (comments.length === 0 && !isWriting) return null;
  return (
    <div class="said-below">
      {comments.map((comment) => (
        <CommentText key={comment.id} comment={comment} review={review} isLost={false} />
      ))}
      {isWriting && <CommentBox path={path} line={line} review={review} close={close} />}
    </div>
  );
}

type Partners = ReadonlyMap<DiffLine, DiffLine>;

interface SideProps {
  readonly line: DiffLine | null;
  readonly side: 'before' | 'after';
  readonly partners: Partners;
  readonly write: (line: DiffLine) => void;
}

function Side({ line, side, partners, write }: SideProps): VNode {
  if (line === null) return <div class="line nothing" />;
  return (
    <div class={`line ${line.is}`}>
      <LineNumber line={line} number={line[side]} write={() => write(line)} />
      <Code line={line} partners={partners} />
    </div>
  );
}

interface NumberProps {
  readonly line: DiffLine;
  readonly number?: number | null;
  readonly write: () => void;
}

/** The number of a line: a click on it begins a comment. */
function LineNumber({ line, number = numberOf(line), write }: NumberProps): VNode {
  const app = useApp();
  if (number === null || !app.may('prompt')) return <span class="number">{number ?? ''}</span>;
  return (
    <button type="button" tabIndex={-1} class="number" aria-label={words.commentOn(number)} onClick={write}>
      {number}
    </button>
  );
}

function Code({ line, partners }: { readonly line: DiffLine; readonly partners: Partners }): VNode {
  if (line.is === 'gap') return <code class="gap-head">{gapText(line.text)}</code>;
  const parts = partsOf(line, partners.get(line));
  return (
    <code>
      {parts === null ? (
        <Safe text={line.text} />
      ) : (
        parts.map(
          ({ text, isMarked }): ComponentChildren =>
            isMarked ? (
              <span class="word">
                <Safe text={text} />
              </span>
            ) : (
              <Safe text={text} />
            ),
        )
      )}
    </code>
  );
}

function partsOf(line: DiffLine, partner: DiffLine | undefined): readonly MarkedPart[] | null {
  if (partner === undefined) return null;
  const marks = line.is === 'removed' ? wordMarks(line.text, partner.text) : wordMarks(partner.text, line.text);
  return marks === null ? null : marks[line.is === 'removed' ? 0 : 1];
}

/** What git says about the place of a part: the function that it is in. */
function gapText(head: string): VNode {
  const about = head.replace(/^@@[^@]*@@ ?/, '');
  return (
    <>
      {'⋯ '}
      <Safe text={about} />
    </>
  );
}
