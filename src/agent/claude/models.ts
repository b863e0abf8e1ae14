import type { ModelRow } from '../seam/program.ts';

/** The model id of a name, or the list of known names. */
export type ModelChoice =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly known: readonly string[] };

/** The default routing table. A name means the same model until a person edits the table. */
export const MODELS: readonly ModelRow[] = [
  { name: 'opus', id: 'claude-opus-4-6', about: 'The proven strong model: Opus 4.6. Not the newest one.' },
  { name: 'sonnet', id: 'claude-sonnet-4-6', about: 'The proven everyday model: Sonnet 4.6. Not the newest one.' },
  { name: 'haiku', id: 'claude-haiku-4-5', about: 'The proven fast model: Haiku 4.5. Not the newest one.' },
  { name: 'opus-latest', id: 'claude-opus-5-5', about: 'The current Opus as of Claude Code 2.1.325, its default.' },
  { name: 'sonnet-latest', id: 'claude-sonnet-5-5', about: 'The current Sonnet as of Claude Code 2.1.325.' },
  { name: 'haiku-latest', id: 'claude-haiku-5-5', about: 'The current Haiku as of Claude Code 2.1.325.' },
  { name: 'fable', id: 'claude-fable-5-2', about: 'The current Fable as of Claude Code 2.1.325, its most capable.' },
];

/** A full id, perhaps with the suffix of a long context: `claude-opus-4-6[1m]`. */
const FULL_ID = /^claude-[a-z0-9][a-z0-9.@-]*(\[[a-z0-9]+\])?$/;

/** True for a text of the form of a full id. */
export function isFullId(name: string): boolean {
  return FULL_ID.test(name);
}

/** The model of a name. Full ids pass; an unknown name is never guessed. */
export function modelOf(name: string, table: readonly ModelRow[] = MODELS): ModelChoice {
  const row = table.find((other) => other.name === name);
  if (row !== undefined) return { ok: true, id: row.id };
  if (isFullId(name)) return { ok: true, id: name };
  return { ok: false, known: table.map((other) => other.name) };
}
