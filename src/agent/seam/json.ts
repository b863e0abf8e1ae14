/** A JSON object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** One line of a JSON Lines text: an object, or unreadable. */
export type Line = { readonly is: 'object'; readonly fields: Fields } | { readonly is: 'unreadable' };

/** The lines of a text, how many could not be read or were zeroed, and whether the last one was still being written. */
export interface Lines {
  readonly lines: readonly Line[];
  readonly skipped: number;
  readonly torn: boolean;
}

/**
 * Reads JSON Lines as a crash leaves them: torn at the end, joined without line feeds, with blocks of NUL. Never
 * throws.
 */
export function readJsonLines(text: string): Lines {
  const rows = text.replace(/^\uFEFF/, '').split('\n');
  // Without a line feed it may be half a record, even if it happens to parse.
  const torn = (rows.pop() ?? '') !== '';
  const read = rows.map(readLine);
  const lines = read.flat();
  // A zeroed block before a whole record replaced the records that were there.
  const isHoled = (row: string, i: number): boolean =>
    row.includes('\0') && read[i]?.some(({ is }) => is === 'unreadable') === false;
  const holes = rows.filter(isHoled).length;
  const skipped = lines.filter((line) => line.is === 'unreadable').length + holes + (torn ? 1 : 0);
  return { lines, skipped, torn };
}

/** The text as a JSON object, or null when it is not one. */
export function readObject(text: string): Fields | null {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value as an object with fields, or null. */
export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text, or null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The value as a finite number, or null. */
export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function readLine(row: string): Line[] {
  const bare = row.replaceAll('\0', '').trim();
  if (bare === '') return row.includes('\0') ? [{ is: 'unreadable' }] : [];
  const whole = readObject(bare);
  if (whole !== null) return [{ is: 'object', fields: whole }];
  const parts = splitObjects(bare).map(readObject);
  if (parts.length === 0) return [{ is: 'unreadable' }];
  return parts.map((fields) => (fields === null ? { is: 'unreadable' } : { is: 'object', fields }));
}

/** Splits `{…}{…}` between the objects. Splitting at `}{"` alone would also split a string that ends in `}{`. */
function splitObjects(row: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let i = 0; i < row.length; i++) {
    const char = row[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth <= 0) {
      parts.push(row.slice(start, i + 1));
      start = i + 1;
      depth = 0;
    }
  }
  const rest = row.slice(start);
  return rest.trim() === '' ? parts : [...parts, rest];
}
