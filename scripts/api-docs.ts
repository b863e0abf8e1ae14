// Writes docs/api.md and docs/openapi.json from the contract, so that they cannot differ from it.
//   node scripts/bootstrap.mjs scripts/api-docs.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CONTRACT } from '../src/api/contract.ts';
import { type OperationName, ROUTES, type Route } from '../src/api/routes.ts';
import { session } from '../src/api/shapes.ts';
import { CODES } from '../src/base/errors.ts';
import { LIMITS } from '../src/base/limits.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly $ref?: string;
}

const NAMES = Object.keys(ROUTES) as OperationName[];
const SESSION = 'Session';

/** The generated text of docs/api.md. */
export function apiDocs(): string {
  const toc = NAMES.map((name) => {
    const { method, path, sentence } = ROUTES[name];
    return `| [\`${name}\`](#${name.replace('.', '')}) | \`${method} ${path}\` | ${sentence} |\n`;
  }).join('');
  const operations = NAMES.map((name) => operationText(name, ROUTES[name])).join('\n');
  return `${HEAD}| operation | request | what it does |\n| --- | --- | --- |\n${toc}\n${operations}${SHAPE}${fieldsTable(shapeOf(session()))}`;
}

/** The generated text of docs/openapi.json. */
export function openApi(): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of NAMES) {
    const { path, method } = ROUTES[name];
    const key = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[key] = { ...paths[key], [method.toLowerCase()]: openOperation(name, ROUTES[name]) };
  }
  const schemas = { [SESSION]: shapeOf(session()), Error: ERROR };
  const info = { title: 'Outlast', version: '1', description: 'HTTP over the Unix socket daemon.sock.' };
  return `${JSON.stringify({ openapi: '3.1.0', info, paths, components: { schemas } }, null, 2)}\n`;
}

/** The JSON schemas of the input and output of each operation, for programs. */
export function schemas(): string {
  const made = NAMES.map((name) => {
    const of = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', override: plainYesAndNo });
    return [name, { input: of(CONTRACT[name].input), output: of(CONTRACT[name].output) }] as const;
  });
  return `${JSON.stringify(Object.fromEntries(made))}\n`;
}

const HEAD = `# API

Written by \`scripts/api-docs.ts\` from \`src/api/routes.ts\` and \`src/api/contract.ts\`. Do not edit it here.
[openapi.json](openapi.json) has the same for programs.

The daemon speaks HTTP/1.1 on the Unix socket \`daemon.sock\` in its state folder. Only the user who owns the folder can
open it; there is no port and no token. The command line and the SDK use these operations and nothing else.

\`\`\`console
$ curl --silent --unix-socket ~/.local/state/outlast/daemon.sock http://outlast/sessions
{"sessions":[],…
\`\`\`

- \`:session\` in a path is an id or a name, URL-encoded.
- The other inputs of \`GET\` and \`DELETE\` are query parameters; those of \`POST\` are one JSON object.
- A response is JSON with status 200. A stream is \`application/x-ndjson\`: one JSON object per line, until it ends or you
  disconnect.
- An error has the HTTP status of [its code](errors.md), and the body \`{"error": {"code", "message", "hint"}}\`. Inside a
  stream it is a line of that form.
- A request body may have ${LIMITS.requestBytesMax / 1024 ** 2} MB. Times are milliseconds, sizes and offsets are bytes.
- Responses with status 200 have the header \`x-outlast-version: 1\`.

`;

const SHAPE = `
## Session

A session as every operation shows it.

`;

const ERROR = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.keys(CODES) },
        message: { type: 'string' },
        hint: { type: 'string' },
      },
      required: ['code', 'message', 'hint'],
    },
  },
  required: ['error'],
};

function operationText(name: OperationName, { method, path, kind, sentence }: Route): string {
  const output = kind === 'stream' ? 'Each line:' : 'Answer:';
  const outputs = fieldsTable(shapeOf(CONTRACT[name].output));
  const answer = outputs === '' ? 'The answer is an empty object.\n' : `${output}\n\n${outputs}`;
  const inputs = inputsTable(shapeOf(CONTRACT[name].input));
  const takes = inputs === '' ? 'It takes no input.\n' : inputs;
  return `## ${name}\n\n\`${method} ${path}\` (${kind}). ${sentence}\n\n${takes}\n${answer}`;
}

function shapeOf(schema: z.ZodType): Shape {
  const isSession = schema === session();
  const shape = z.toJSONSchema(schema, { io: 'input', reused: 'inline', override: plainYesAndNo });
  const { $schema: _, $defs: __, id: ___, ...rest } = JSON.parse(JSON.stringify(shape));
  return isSession ? rest : (withReferences(rest) as Shape);
}

/** A boolean in a query is a string. For a reader it is a boolean, and zod leaves out its default. */
function plainYesAndNo({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }): void {
  const shape = jsonSchema as { -readonly [K in keyof Shape]: Shape[K] };
  if (shape.anyOf?.[0]?.type === 'boolean' && shape.anyOf[1]?.enum?.join() === 'true,false') {
    delete shape.anyOf;
    shape.type = 'boolean';
  }
  const { def } = zodSchema._zod;
  if (def.type === 'default' && shape.default === undefined) shape.default = def.defaultValue;
  // zod's maximum for "any whole number".
  if (shape.maximum === Number.MAX_SAFE_INTEGER) delete shape.maximum;
  if (shape.minimum === Number.MIN_SAFE_INTEGER) delete shape.minimum;
}

const SESSION_KEYS = Object.keys(session().shape);

/** A shape that occurs in twelve answers becomes one reference. A session with added fields keeps them. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  const { properties } = value as Shape;
  if (properties === undefined || !SESSION_KEYS.every((key) => key in properties)) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withReferences(part)]));
  }
  const added = Object.fromEntries(Object.entries(properties).filter(([key]) => !SESSION_KEYS.includes(key)));
  const { description } = value as Shape;
  const reference = { ...(description !== undefined && { description }), $ref: `#/components/schemas/${SESSION}` };
  return Object.keys(added).length === 0 ? reference : { ...reference, type: 'object', properties: added };
}

function inputsTable(shape: Shape): string {
  const rows = Object.entries(shape.properties ?? {}).map(([key, part]) => {
    const needed = shape.required?.includes(key) ? 'required' : '';
    const otherwise = part.default === undefined ? needed : `\`${JSON.stringify(part.default)}\``;
    return `| \`${key}\` | ${typeText(part)} | ${otherwise} | ${part.description ?? ''} |\n`;
  });
  return rows.length === 0 ? '' : `| input | type | default | meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

function fieldsTable(shape: Shape): string {
  const rows = fieldRows(shape, '');
  return rows.length === 0 ? '' : `| field | type | meaning |\n| --- | --- | --- |\n${rows.join('')}`;
}

function fieldRows(shape: Shape, prefix: string): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, part]) => {
    const optional = shape.required?.includes(key) ? '' : ', may be missing';
    const row = `| \`${prefix}${key}\` | ${typeText(part)}${optional} | ${part.description ?? ''} |\n`;
    const inside = part.anyOf?.find((each) => each.properties) ?? part.items ?? part;
    return [row, ...fieldRows(inside, `${prefix}${key}${part.items === undefined ? '' : '[]'}.`)];
  });
}

function typeText(part: Shape): string {
  if (part.$ref !== undefined) return `[${SESSION}](#session)`;
  if (part.enum !== undefined) return part.enum.map((word) => `\`${word}\``).join(', ');
  if (part.items !== undefined)
    return part.items.properties && !part.items.$ref ? 'list of objects' : `list of ${typeText(part.items)}`;
  if (part.anyOf !== undefined) return part.anyOf.map(typeText).join(' or ');
  if (typeof part.type === 'object') return part.type.join(' or ');
  return part.type === 'integer' ? rangeText(part) : (part.type ?? 'anything');
}

function rangeText({ minimum, exclusiveMinimum, maximum }: Shape): string {
  const from = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  if (from === undefined) return 'integer';
  return maximum === undefined ? `integer, ${from} or more` : `integer, ${from} to ${maximum}`;
}

function openOperation(name: OperationName, { method, kind, sentence, path }: Route): object {
  const { properties = {}, required = [] } = shapeOf(CONTRACT[name].input);
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, key]) => key ?? '');
  const rest = Object.keys(properties).filter((key) => !inPath.includes(key));
  const parameter = (key: string, place: 'path' | 'query') => {
    const { description, ...schema } = properties[key] ?? {};
    return { name: key, in: place, required: required.includes(key), ...(description && { description }), schema };
  };
  const queries = method === 'POST' ? [] : rest.map((key) => parameter(key, 'query'));
  const body = {
    type: 'object',
    properties: Object.fromEntries(rest.map((key) => [key, properties[key]])),
    required: required.filter((key) => rest.includes(key)),
  };
  const type = kind === 'stream' ? 'application/x-ndjson' : 'application/json';
  const failure = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    operationId: name,
    summary: sentence,
    parameters: [...inPath.map((key) => parameter(key, 'path')), ...queries],
    ...(method === 'POST' && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: { description: sentence, content: { [type]: { schema: shapeOf(CONTRACT[name].output) } } },
      default: { description: 'See docs/errors.md.', content: failure },
    },
  };
}

if (import.meta.main) {
  const docs = join(import.meta.dirname, '..', 'docs');
  writeFileSync(join(docs, 'api.md'), apiDocs());
  writeFileSync(join(docs, 'openapi.json'), openApi());
}
