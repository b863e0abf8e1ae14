import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** A place in a text; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The path to a value: keys, and indexes in lists. */
export type Way = readonly (string | number)[];

/** A parsed text, with the place of each part of it. */
export interface ParsedYaml {
  readonly value: unknown;
  /** Its syntax errors. */
  readonly errors: readonly { readonly place: Place; readonly message: string }[];
  /** The place of a value, or else of the nearest one above it. */
  placeOf(way: Way): Place;
}

/** Reads YAML, and JSON, which is YAML too. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const made = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errors = [...made.errors, ...made.warnings].map(({ code, message, pos }) => ({
    place: placeAt(pos[0]),
    message: code === 'MULTIPLE_DOCS' ? 'this is a second document; a batch file has only one' : message,
  }));
  try {
    return { value: made.toJS(), errors, placeOf: (way) => placeAt(offsetOf(made.contents, way)) };
  } catch (error) {
    // Unresolved aliases, or aliases that expand to too much.
    const message = error instanceof Error ? error.message : String(error);
    return { value: null, errors: [...errors, { place: placeAt(0), message }], placeOf: () => placeAt(0) };
  }
}

function offsetOf(top: unknown, way: Way): number {
  let node: unknown = top;
  let offset = 0;
  for (const step of way) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(step));
      if (pair === undefined) return offset;
      offset = startOf(pair.key, offset);
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node, offset);
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown, otherwise: number): number {
  return (node as Node | null | undefined)?.range?.[0] ?? otherwise;
}
