import type { Variables } from './fill.ts';
import type { Mistakes } from './mistakes.ts';
import type { Way } from './yaml.ts';

/** A map in the file. */
export type Raw = Readonly<Record<string, unknown>>;

/** A map, and nothing else. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that can be written as one word or line. */
export function isWord(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A map, empty when there is none; anything else is a mistake. */
export function mapOf(mistakes: Mistakes, way: Way, value: unknown): Raw {
  if (value === undefined || value === null) return {};
  if (isRaw(value)) return value;
  mistakes.add(way, `"${String(way.at(-1))}" must be a map of names and values`);
  return {};
}

/** A text; anything else is a mistake. */
export function textOf(mistakes: Mistakes, way: Way, value: unknown): string {
  if (typeof value === 'string') return value;
  // In YAML a brace opens a map.
  const hint = isRaw(value) ? '; put it in quotes' : '';
  mistakes.add(way, `"${String(way.at(-1))}" must be text${hint}`);
  return '';
}

/** A list of words; one alone is a list too. */
export function wordsOf(mistakes: Mistakes, way: Way, value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.flatMap((each, index) => {
    if (isWord(each)) return [String(each)];
    mistakes.add(Array.isArray(value) ? [...way, index] : way, `"${String(way.at(-1))}" must be a list of words`);
    return [];
  });
}

/** The variables in a map; their values are words. */
export function variablesOf(mistakes: Mistakes, way: Way, value: unknown): Variables {
  const found = Object.entries(mapOf(mistakes, way, value)).flatMap(([name, each]): [string, string][] => {
    if (!/^[A-Za-z0-9_-]+$/.test(name))
      mistakes.add([...way, name], `"${name}" is not a valid name: a-z, A-Z, 0-9, _ and -`);
    else if (isWord(each)) return [[name, String(each)]];
    else mistakes.add([...way, name], `"${name}" must be text or a number`);
    return [];
  });
  return Object.fromEntries(found);
}
