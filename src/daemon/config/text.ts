import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
// The text of the config file: where its keys are, and how one is changed without touching the rest. Its format is JSON
// as RFC 8259 has it; the parser would accept comments too, and is told not to.

/** A place in a text, for people: both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What makes a text no JSON. */
export interface SyntaxMistake extends Place {
  readonly says: string;
}

/** The text of a config file, parsed. */
export interface Parsed {
  readonly mistakes: readonly SyntaxMistake[];
  /** The place of a key, or of the nearest object that would have it. */
  place(path: readonly string[]): Place;
  /** Keys that are written twice in one object; JSON takes the last one. */
  readonly twice: readonly (Place & { readonly path: readonly string[] })[];
}

const SAYS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a value: a string needs double quotes',
  InvalidNumberFormat: 'this is not a number in JSON',
  PropertyNameExpected: 'a key in double quotes is expected here; is there an extra comma before it?',
  ValueExpected: 'a value is expected here; is there an extra comma before it?',
  ColonExpected: 'a colon is missing before this',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a } is missing before this',
  CloseBracketExpected: 'a ] is missing before this',
  EndOfFileExpected: 'the object ends before this; nothing may follow',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'the closing " of this string is missing',
  InvalidCharacter: 'a string may not contain a tab or another control character: write \\t',
  InvalidEscapeCharacter: 'this character may not follow a \\',
  InvalidUnicode: 'four hexadecimal digits must follow \\u',
};

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Parses the text of a config file. */
export function parsed(text: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, STRICT);
  const mistakes = errors.map(({ error, offset }) => ({
    ...placeOf(text, offset),
    says: SAYS[printParseErrorCode(error)] ?? 'is not JSON',
  }));
  return {
    // One error often brings others on the same line.
    mistakes: mistakes.filter(({ line }, i) => mistakes.findIndex((each) => each.line === line) === i),
    place: (path) => placeOf(text, root === undefined ? 0 : offsetOf(root, path)),
    twice: root === undefined ? [] : twiceIn(root, []).map(({ path, at }) => ({ path, ...placeOf(text, at) })),
  };
}

/** The text with another value at a place; undefined: without the key. The rest of the text stays. */
export function changedText(text: string, path: readonly string[], value: unknown): string {
  const at = jsonPath(text, path);
  const last = at.at(-1);
  const above = nodeAt(text, at.slice(0, -1));
  const isNew = typeof last === 'number' && above?.type === 'array' && last >= (above.children?.length ?? 0);
  // An object on one line stays on one line: with a new layout, the values beside the changed one would move.
  const isOneLine =
    above?.parent !== undefined && !text.slice(above.offset, above.offset + above.length).includes('\n');
  const edits = modify(text, at, value, {
    ...(isOneLine || value === undefined ? {} : { formattingOptions: layoutOf(text) }),
    isArrayInsertion: isNew && value !== undefined,
  });
  return applyEdits(text, edits);
}

function layoutOf(text: string): FormattingOptions {
  const tabSize = /^( +)"/m.exec(text)?.[1]?.length ?? 2;
  return { insertSpaces: !/^\t/m.test(text), tabSize, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** A digit is a place in a list only where the file has a list. */
function jsonPath(text: string, path: readonly string[]): JSONPath {
  const at: (string | number)[] = [];
  for (const key of path) at.push(/^\d+$/.test(key) && nodeAt(text, at)?.type === 'array' ? Number(key) : key);
  return at;
}

function nodeAt(text: string, path: JSONPath): Node | undefined {
  const root = parseTree(text);
  return root === undefined || path.length === 0 ? root : findNodeAtLocation(root, path);
}

/** Where a key is written, or else the object around it. */
function offsetOf(root: Node, path: readonly string[]): number {
  let at = root;
  for (const key of path) {
    const next = at.type === 'array' ? at.children?.[Number(key)] : findNodeAtLocation(at, [key]);
    if (next === undefined) break;
    at = next;
  }
  return at.parent?.type === 'property' ? at.parent.offset : at.offset;
}

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function twiceIn({ type, children = [] }: Node, path: readonly string[]): { path: readonly string[]; at: number }[] {
  if (type === 'array') return children.flatMap((each, i) => twiceIn(each, [...path, String(i)]));
  if (type !== 'object') return [];
  const names = children.map((each) => String(each.children?.[0]?.value));
  return children.flatMap((each, i) => {
    const own = [...path, names[i] ?? ''];
    const value = each.children?.[1];
    return [
      ...(names.indexOf(names[i] ?? '') < i ? [{ path: own, at: each.offset }] : []),
      ...(value === undefined ? [] : twiceIn(value, own)),
    ];
  });
}
