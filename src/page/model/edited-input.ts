/** A field of the input of a tool call, as a person edits it. */
export interface EditedField {
  readonly name: string;
  /** A text as it is, anything else as JSON. */
  readonly text: string;
  readonly isText: boolean;
}

/** What was written into a field is not JSON. */
export class NotJson extends Error {
  readonly field: string;

  constructor(field: string) {
    super(`${field} is not JSON`);
    this.field = field;
  }
}

/** The fields of an input. */
export function fieldsOf(input: unknown): readonly EditedField[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).map(([name, value]) =>
    typeof value === 'string'
      ? { name, text: value, isText: true }
      : { name, text: JSON.stringify(value, null, 2) ?? 'null', isText: false },
  );
}

/** The input with these fields; throws `NotJson`. */
export function inputOf(fields: readonly EditedField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, text, isText }) => [name, isText ? text : jsonOf(name, text)]));
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson(name);
  }
}
