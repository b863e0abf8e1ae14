import { causeText } from '../../base/system-errors.ts';
import { fs, path } from '../../client/node.ts';
import { withoutMonitor } from '../../compat/monitor.ts';
import { beside } from '../base/beside.ts';
import { wrongCall } from '../base/parse.ts';
import { IMAGE_KEY } from './images.ts';
import { Mistakes } from './mistakes.ts';
import { OPTION_KEYS } from './options.ts';
import { hashOf, orderParts } from './order.ts';
import { draftsOf, type Shared, slugOf } from './parts.ts';
import type { Batch } from './plan.ts';
import { isRaw, mapOf, textOf, variablesOf } from './words.ts';
import type { ParsedYaml } from './yaml.ts';

const KEYS = ['name', 'concurrency', 'defaults', 'with', 'templates', 'sessions'];
const AT_ONCE = 8;
const AT_ONCE_MAX = 100;
const FILE_BYTES_MAX = 16 * 1024 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a batch from a file and checks all of it. Mistakes are reported with their lines. */
export async function readBatch(file: string, env: Environment): Promise<Batch> {
  const { text, real } = readFile(file);
  const { parseYaml } = (await import(beside(import.meta.dirname, 'yaml.js', 'yaml.ts'))) as {
    parseYaml(text: string): ParsedYaml;
  };
  const parsed = parseYaml(text);
  const mistakes = new Mistakes(file, parsed);
  mistakes.raise();
  const { value } = parsed;
  if (!isRaw(value)) throw wrongCall(`${file}:1:1: a batch must be a map with "sessions"`);
  mistakes.checkKeys([], value, KEYS);
  const name = value.name === undefined ? slugOf(baseName(file)) : textOf(mistakes, ['name'], value.name);
  const shared: Shared = {
    batchName: name,
    folder: path.dirname(real),
    defaults: mapOf(mistakes, ['defaults'], value.defaults),
    variables: variablesOf(mistakes, ['with'], value.with),
    templates: mapOf(mistakes, ['templates'], value.templates),
    // The environment of the caller must not change the fingerprint: else finished sessions would be repeated.
    env: withoutMonitor(env),
  };
  mistakes.checkKeys(['defaults'], shared.defaults, [IMAGE_KEY, ...OPTION_KEYS]);
  const sessions = Object.entries(mapOf(mistakes, ['sessions'], value.sessions));
  if (sessions.length === 0) mistakes.add(['sessions'], 'a batch needs "sessions", with at least one');
  const made = sessions.map(([key, each]) => ({ key, each, drafts: draftsOf(mistakes, shared, key, each) }));
  const groups = new Map(
    made.flatMap(({ key, each, drafts }) =>
      isRaw(each) && each.each !== undefined ? [[key, drafts.map((draft) => draft.name)] as const] : [],
    ),
  );
  const drafts = made.flatMap((each) => each.drafts);
  const parts = orderParts(mistakes, name, drafts, groups);
  const concurrency = concurrencyOf(mistakes, value.concurrency);
  mistakes.raise();
  return { id: hashOf(real), name, file, concurrency, parts, groups };
}

function readFile(file: string): { text: string; real: string } {
  try {
    const real = fs.realpathSync(file);
    const { size } = fs.statSync(real);
    if (size > FILE_BYTES_MAX) throw wrongCall(`batch: ${file} has ${size} bytes, too large for a batch`);
    return { text: fs.readFileSync(real, 'utf8'), real };
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw wrongCall(`batch: cannot read ${file}: ${causeText(error)}`);
  }
}

function baseName(file: string): string {
  return path.basename(file).replace(/\.(ya?ml|json)$/i, '');
}

function concurrencyOf(mistakes: Mistakes, value: unknown): number {
  if (value === undefined) return AT_ONCE;
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= AT_ONCE_MAX) return Number(value);
  mistakes.add(['concurrency'], `"concurrency" must be a number from 1 to ${AT_ONCE_MAX}`);
  return AT_ONCE;
}
