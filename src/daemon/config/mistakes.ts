import type * as z from 'zod';
import { entryMistakes } from './agents.ts';
import { type Env, isLayer, type Layer, valueAt, withDefaults } from './config.ts';
import { configSchema } from './schema.ts';
import { allowedText, knownAt, shapeAt, unknownText } from './shape.ts';
import { parsed } from './text.ts';

/** One mistake in a config file. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  /** The key, with dots; empty: the file itself. */
  readonly key: string;
  readonly says: string;
}

interface Found {
  readonly path: readonly string[];
  readonly says: string;
}

/** Every mistake in the text of a config file, in the order of its lines. */
export function mistakesIn(text: string, env: Env): readonly Mistake[] {
  const { mistakes, place, twice } = parsed(text);
  if (mistakes.length > 0) return mistakes.map((each) => ({ ...each, key: '' }));
  const values: unknown = JSON.parse(text);
  const found = isLayer(values) ? inValues(values, env) : [{ path: [], says: 'the file must have one object: { … }' }];
  const repeated = twice.map((each) => ({ ...each, says: 'is written twice in this object; the last one counts' }));
  return [...found.map((each) => ({ ...place(each.path), ...each })), ...repeated]
    .map(({ path, ...rest }) => ({ ...rest, key: path.join('.') }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function inValues({ $schema, ...values }: Layer, env: Env): Found[] {
  const found: Found[] = [];
  if ($schema !== undefined && typeof $schema !== 'string')
    found.push({ path: ['$schema'], says: 'must be a string: the location of the schema' });
  const { state, ...settings } = values;
  // The command line finds the daemon by its state folder without reading this file.
  if (state !== undefined)
    found.push({ path: ['state'], says: 'is not allowed in the file; set OUTLAST_STATE instead' });
  const checked = configSchema.safeParse(withDefaults(settings, env));
  if (!checked.success) found.push(...checked.error.issues.flatMap((issue) => issueOf(issue, settings)));
  if (isLayer(settings.agents))
    for (const [name, entry] of Object.entries(settings.agents))
      for (const { path, says, known = [] } of entryMistakes(name, entry)) {
        const at = ['agents', name, ...path];
        found.push({ path: at, says: says === null ? unknownText(at, known) : saysOf(says, at, settings) });
      }
  return found;
}

function issueOf(issue: z.core.$ZodIssue, values: Layer): Found[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ path, says: saysOf(issue.message, path, values) }];
  const known = knownAt(path).filter((key) => path.length > 0 || key !== 'state');
  return issue.keys.map((key) => ({ path: [...path, key], says: unknownText([...path, key], known) }));
}

/** What the schema says by itself is for programmers: say what it is, and what it may be. */
function saysOf(message: string, path: readonly string[], values: Layer): string {
  if (!/^(Invalid|Too|Unrecognized)\b/.test(message)) return message;
  const part = shapeAt(path);
  const value = valueAt(values, path);
  const allowed = part === null ? '' : `; allowed: ${allowedText(part)}`;
  return value === undefined ? `is missing${allowed}` : `is ${valueText(value)}${allowed}`;
}

const SHOWN_MAX = 40;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isLayer(value)) return 'an object';
  const text = JSON.stringify(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
