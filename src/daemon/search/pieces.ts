import type { TurnRead } from '../../agent/seam/record.ts';
import type { Call, Step } from '../../agent/seam/turn.ts';
import { isContinuation } from '../../core/say.ts';

/** What can be found: what an agent was asked, what it said, and what its tools did. */
export const KINDS = ['prompt', 'reply', 'tool'] as const;

export type Kind = (typeof KINDS)[number];

/** A text that can be found. */
export interface Piece {
  readonly kind: Kind;
  readonly text: string;
}

/** A longer text becomes several pieces: a piece is shown and compared as a whole. */
export const PIECE_CHARS_MAX = 16 * 1024;
/** What follows in a longer text cannot be found. */
const TEXT_CHARS_MAX = 256 * 1024;
/** Of the result of a tool, this much of its beginning and of its end can be found. */
const RESULT_CHARS_MAX = 2 * 1024;

/** The texts of a turn that can be found. Thinking, and what an agent was told by hooks, are left out. */
export function piecesOf({ prompt, data }: Pick<TurnRead, 'prompt' | 'data'>): Piece[] {
  // What Outlast wrote to continue a turn is not a prompt of anybody.
  const asked: Piece[] = prompt === '' || isContinuation(prompt) ? [] : [{ kind: 'prompt', text: prompt }];
  const steps = (data.steps ?? []) as readonly Step[];
  return [...asked, ...steps.flatMap(pieceOf)].flatMap(inPieces);
}

/** Cuts a long text, at the end of a line if there is one. */
export function inPieces({ kind, text: whole }: Piece): Piece[] {
  const pieces: Piece[] = [];
  for (let text = whole.slice(0, TEXT_CHARS_MAX); text !== ''; ) {
    const at = text.length <= PIECE_CHARS_MAX ? text.length : cutAt(text);
    const piece = text.slice(0, at);
    if (piece.trim() !== '') pieces.push({ kind, text: piece });
    text = text.slice(at);
  }
  return pieces;
}

function cutAt(text: string): number {
  const line = text.lastIndexOf('\n', PIECE_CHARS_MAX - 1) + 1;
  if (line > PIECE_CHARS_MAX / 2) return line;
  const word = text.lastIndexOf(' ', PIECE_CHARS_MAX - 1) + 1;
  if (word > PIECE_CHARS_MAX / 2) return word;
  return isSecondHalf(text, PIECE_CHARS_MAX) ? PIECE_CHARS_MAX - 1 : PIECE_CHARS_MAX;
}

function pieceOf(step: Step): Piece[] {
  switch (step.is) {
    case 'text':
      return [{ kind: 'reply', text: step.text }];
    case 'steering':
      return [{ kind: 'prompt', text: step.text }];
    case 'call':
      return [{ kind: 'tool', text: callText(step) }];
    default:
      return [];
  }
}

/** The name of the tool, the values of its input, and the ends of its result. */
function callText({ name, input, result }: Call): string {
  const values = valuesIn(input);
  const title = [name, ...values].join(values.length > 1 ? '\n' : ' ');
  const text = result === null ? '' : bothEnds(result.text.trim());
  return text === '' ? title : `${title}\n${text}`;
}

/** The texts and numbers in a JSON value, without its keys. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(valuesIn);
}

function bothEnds(text: string): string {
  if (text.length <= 2 * RESULT_CHARS_MAX) return text;
  const head = isSecondHalf(text, RESULT_CHARS_MAX) ? RESULT_CHARS_MAX - 1 : RESULT_CHARS_MAX;
  const tail = text.length - RESULT_CHARS_MAX;
  return `${text.slice(0, head)}\n…\n${text.slice(isSecondHalf(text, tail) ? tail + 1 : tail)}`;
}

/** Is the second half of a surrogate pair here? */
function isSecondHalf(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text[at] ?? '');
}
