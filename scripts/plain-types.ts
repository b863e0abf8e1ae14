// Writes the types of the contract as plain TypeScript, for the SDK: a program that uses it needs no schema library.
import type * as z from 'zod';
import { CONTRACT } from '../src/api/contract.ts';
import { approval } from '../src/api/contract-approvals.ts';
import { sessionRow } from '../src/api/contract-list.ts';
import { schedule } from '../src/api/contract-schedule.ts';
import { outputPage } from '../src/api/output-shape.ts';
import type { OperationName } from '../src/api/routes.ts';
import { screenRun, styledScreen } from '../src/api/screen-shape.ts';
import { event, prompt, screen, session } from '../src/api/shapes.ts';
import { caller } from '../src/api/spawn-shape.ts';

type Schema = z.core.$ZodTypes;
type Side = 'input' | 'output';

/** Types with a name of their own, by the file in which the SDK looks for them. */
const NAMED: Readonly<Record<string, Readonly<Record<string, z.core.$ZodType>>>> = {
  'shapes.d.ts': { SessionView: session(), EventView: event(), ScreenView: screen(), PromptView: prompt() },
  'output-shape.d.ts': { OutputPage: outputPage() },
  'screen-shape.d.ts': { RunView: screenRun, StyledView: styledScreen() },
  'contract-list.d.ts': { SessionRow: sessionRow() },
  'contract-schedule.d.ts': { ScheduleView: schedule() },
  'contract-approvals.d.ts': { ApprovalView: approval(), CallerProof: caller },
};

const NAMES = new Map(Object.values(NAMED).flatMap((types) => Object.entries(types).map(([name, of]) => [of, name])));
const IMPORTS = Object.entries(NAMED).map(
  ([file, types]) => `import type { ${Object.keys(types).join(', ')} } from './${file.replace('.d.ts', '.ts')}';`,
);

/** Any text in a template literal type. */
const ANY_TEXT = '$' + '{string}';

/** The declaration files that stand in for those with schemas, by name. */
export function plainTypes(): ReadonlyMap<string, string> {
  const named = Object.entries(NAMED).map(([file, types]): [string, string] => {
    const texts = Object.entries(types).map(([name, of]) => `export type ${name} = ${body(of as Schema, 'output')};\n`);
    const others = IMPORTS.filter((line) => !line.includes(`./${file.replace('.d.ts', '.ts')}`));
    return [file, [...others, ...texts].join('\n')];
  });
  return new Map([...named, ['contract.d.ts', contract()]]);
}

function contract(): string {
  const names = Object.keys(CONTRACT) as OperationName[];
  const table = (name: string, side: Side): string => {
    const rows = names.map((each) => `  '${each}': ${typeText(CONTRACT[each][side] as unknown as Schema, side)};`);
    return `interface ${name} {\n${rows.join('\n')}\n}`;
  };
  return [
    ...IMPORTS,
    "import type { OperationName } from './routes.ts';",
    table('Inputs', 'input'),
    table('Outputs', 'output'),
    '/** What a caller gives. */\nexport type CallInput<N extends OperationName> = Inputs[N];',
    '/** What a caller gets. */\nexport type CallOutput<N extends OperationName> = Outputs[N];\n',
  ].join('\n');
}

/** The type of what goes into a schema, or comes out of it. */
function typeText(schema: Schema, side: Side): string {
  const name = side === 'output' ? NAMES.get(schema) : undefined;
  return name ?? body(schema, side);
}

function body(schema: Schema, side: Side): string {
  const { def } = schema._zod;
  const inner = (of: z.core.$ZodType): string => typeText(of as Schema, side);
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return side === 'input' && 'coerce' in def && def.coerce ? 'unknown' : def.type;
    case 'unknown':
      return 'unknown';
    case 'enum':
      return Object.values(def.entries)
        .map((each) => JSON.stringify(each))
        .join(' | ');
    case 'nullable':
      return `${inner(def.innerType)} | null`;
    case 'optional':
      return `${inner(def.innerType)} | undefined`;
    case 'default':
      return side === 'input' ? `${inner(def.innerType)} | undefined` : inner(def.innerType);
    case 'array':
      return `(${inner(def.element)})[]`;
    case 'record':
      return recordText(def, inner);
    case 'pipe':
      return inner(side === 'input' ? def.in : def.out);
    case 'union':
      return def.options
        .filter((each) => side === 'input' || !isTransformed(each as Schema))
        .map(inner)
        .join(' | ');
    case 'template_literal':
      return `\`${def.parts.map((part) => (typeof part === 'string' ? part : ANY_TEXT)).join('')}\``;
    case 'object':
      return objectText(def.shape, side);
    default:
      throw new Error(`the contract has a ${def.type}, which has no plain type yet`);
  }
}

function recordText(def: z.core.$ZodRecordDef, inner: (of: z.core.$ZodType) => string): string {
  const text = `Record<${inner(def.keyType)}, ${inner(def.valueType)}>`;
  return 'partial' in def && def.partial ? `Partial<${text}>` : text;
}

/** Among several, what is made from a word is one of the others. */
function isTransformed(schema: Schema): boolean {
  const { def } = schema._zod;
  return def.type === 'pipe' && (def.out as Schema)._zod.def.type === 'transform';
}

function objectText(shape: Readonly<Record<string, z.core.$ZodType>>, side: Side): string {
  const fields = Object.entries(shape).map(([key, of]) => {
    const { type } = (of as Schema)._zod.def;
    const isOptional = type === 'optional' || (type === 'default' && side === 'input');
    const { description } = of as { description?: string };
    const says = description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/')} */ `;
    return `${says}${/^\w+$/.test(key) ? key : JSON.stringify(key)}${isOptional ? '?' : ''}: ${typeText(of as Schema, side)}`;
  });
  return `{ ${fields.join('; ')} }`;
}
