import * as z from 'zod';
import { closest } from '../../base/closest.ts';
import { configAcpAgent, configAgent } from './agents.ts';
import { type Config, configSchema } from './schema.ts';

/** When a changed key applies: with a reload, or when the daemon starts again. */
export type Applies = 'at once' | 'next start';

/** A part of the config as JSON Schema describes it. */
export interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly applies?: Applies;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly items?: Shape | undefined;
  readonly anyOf?: readonly Shape[];
}

/** A key that holds a value: an object with keys of its own is none. */
export interface Key {
  readonly path: readonly string[];
  /** The description, and what is allowed. */
  readonly shape: Shape;
  readonly applies: Applies;
}

/** The names of the keys at the top of the config. */
export type TopKey = keyof Config;

/** The keys at the top, in the order of the documentation. */
export const TOP_KEYS = Object.keys(configSchema.shape) as TopKey[];

/** The whole config as JSON Schema, as people write it. */
export function configShape(): Shape {
  shape ??= z.toJSONSchema(configSchema, { io: 'input' }) as Shape;
  return shape;
}
let shape: Shape | undefined;

/** When a key at the top applies. */
export function appliesOf(key: TopKey): Applies {
  return configSchema.shape[key].meta()?.applies === 'at once' ? 'at once' : 'next start';
}

/** Every key that holds a value. */
export function configKeys(): Key[] {
  const below = (part: Shape, path: readonly string[], applies: Applies): Key[] =>
    part.properties === undefined
      ? [{ path, shape: part, applies }]
      : Object.entries(part.properties).flatMap(([name, each]) => below(each, [...path, name], applies));
  const { properties = {} } = configShape();
  return TOP_KEYS.flatMap((key) => below(properties[key] ?? {}, [key], appliesOf(key)));
}

/** The part of the config at a place; null when there cannot be one. */
export function shapeAt(path: readonly string[]): Shape | null {
  return path.reduce<Shape | null>((at, key) => (at === null ? null : inside(at, key)), configShape());
}

function inside(at: Shape, key: string): Shape | null {
  const own = at.properties !== undefined && Object.hasOwn(at.properties, key) ? at.properties[key] : undefined;
  const open = at.additionalProperties === false ? undefined : at.additionalProperties;
  const item = /^\d+$/.test(key) ? at.items : undefined;
  const found = own ?? item ?? (at.properties === undefined ? open : undefined);
  if (found !== undefined) return found;
  for (const each of at.anyOf ?? []) {
    const one = inside(each, key);
    if (one !== null) return one;
  }
  return null;
}

/** What a part of the config may be, in a few words. */
export function allowedText(part: Shape): string {
  if (part.anyOf !== undefined) return part.anyOf.map(allowedText).join(', or ');
  if (part.type === 'array') return 'a list';
  if (part.type === 'object') return 'an object';
  if (part.const !== undefined) return `\`${part.const}\``;
  if (part.enum !== undefined) return part.enum.map((word) => `\`${word}\``).join(', ');
  if (part.type === 'boolean') return '`true`, `false`';
  if (part.type !== 'integer' && part.type !== 'number') return 'a text';
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = part;
  return maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

/** The keys that are known in an object of the config; none: it has no keys of its own there. */
export function knownAt(path: readonly string[]): readonly string[] {
  const at = shapeAt(path);
  return Object.keys(at?.properties ?? at?.anyOf?.find((each) => each.properties !== undefined)?.properties ?? {});
}

/** The message for a key that does not exist: the nearest one, else all that do. */
export function unknownText(path: readonly string[], known: readonly string[]): string {
  const above = path.slice(0, -1);
  const near = closest(path.at(-1) ?? '', known);
  if (near !== null) return `is not a key; did you mean "${[...above, near].join('.')}"?`;
  return known.length === 0 ? 'is not a key' : `is not a key; the keys here are: ${known.join(', ')}`;
}

/** The JSON Schema for editors: what the file may have. */
export function editorSchema(): object {
  // Every key has a default, but for the one that is not in the file.
  const { properties = {}, required: _required, ...rest } = configShape();
  const { state: _, agents, ...others } = properties;
  const entry = { anyOf: [configAcpAgent, configAgent].map((each) => z.toJSONSchema(each, { io: 'input' })) };
  return withoutOurs({
    ...rest,
    title: 'The config of Outlast',
    properties: {
      $schema: { type: 'string', description: 'The place of this schema, for editors. Outlast does not read it.' },
      ...others,
      agents: { ...agents, additionalProperties: entry },
    },
  }) as object;
}

/** Without the words that only we use, and without a second `$schema` inside. */
function withoutOurs(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutOurs(each, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => key !== 'applies' && !(key === '$schema' && depth > 0 && typeof each === 'string'))
      .map(([key, each]) => [key, withoutOurs(each, depth + 1)]),
  );
}
