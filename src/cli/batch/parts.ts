import { causeText } from '../../base/system-errors.ts';
import type { StartInput } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { fillVariables, quotedIn, type Variables } from './fill.ts';
import { IMAGE_KEY, type Images, imagesOf } from './images.ts';
import type { Mistakes } from './mistakes.ts';
import { OPTION_KEYS, startInputOf } from './options.ts';
import { isRaw, isWord, mapOf, type Raw, textOf, variablesOf, wordsOf } from './words.ts';
import type { Way } from './yaml.ts';

/** What all sessions of a file share. */
export interface Shared {
  readonly batchName: string;
  readonly folder: string;
  readonly defaults: Raw;
  readonly variables: Variables;
  readonly templates: Raw;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A part that is not checked against the others yet. */
export interface Draft {
  readonly name: string;
  readonly way: Way;
  readonly after: readonly string[];
  readonly prompt: string;
  readonly images: Images;
  readonly input: StartInput;
}

const SOURCES = ['prompt', 'prompt-file', 'template'];
const KEYS = [...SOURCES, 'after', 'each', 'with', IMAGE_KEY, ...OPTION_KEYS];
const PROMPT_BYTES_MAX = 1024 * 1024;

/** The parts for one session of the file: itself, or one for each item. */
export function draftsOf(mistakes: Mistakes, shared: Shared, key: string, value: unknown): Draft[] {
  const way: Way = ['sessions', key];
  const raw = mapOf(mistakes, way, value);
  mistakes.checkKeys(way, raw, KEYS);
  const own = { ...shared.variables, ...variablesOf(mistakes, [...way, 'with'], raw.with) };
  if (raw.each === undefined) return [draftOf(mistakes, shared, { name: key, way, raw, variables: own })];
  return itemsOf(mistakes, [...way, 'each'], raw.each).map(({ slug, variables }) =>
    draftOf(mistakes, shared, { name: `${key}-${slug}`, way, raw, variables: { ...own, ...variables } }),
  );
}

interface Item {
  readonly slug: string;
  readonly variables: Variables;
}

function itemsOf(mistakes: Mistakes, way: Way, value: unknown): Item[] {
  if (!Array.isArray(value) || value.length === 0) {
    mistakes.add(way, '"each" must be a list of words, or of maps with a name');
    return [];
  }
  return value.flatMap((each: unknown, index): Item[] => {
    const variables = isRaw(each)
      ? variablesOf(mistakes, [...way, index], each)
      : isWord(each)
        ? { each: String(each) }
        : {};
    const slug = slugOf(variables.each ?? variables.name ?? '');
    if (slug === '') mistakes.add([...way, index], 'an item of "each" must be a word, or a map with a name');
    return slug === '' ? [] : [{ slug, variables: { ...variables, each: variables.each ?? variables.name ?? '' } }];
  });
}

/** Makes a word usable in a session name. */
export function slugOf(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}

interface Making {
  readonly name: string;
  readonly way: Way;
  readonly raw: Raw;
  readonly variables: Variables;
}

function draftOf(mistakes: Mistakes, shared: Shared, making: Making): Draft {
  const { name, way, raw, variables } = making;
  const fill = (text: string, at: Way, where = ''): string =>
    fillVariables(text, variables, (missing) => mistakes.add(at, unknownText(missing, variables, where)));
  const filled = Object.fromEntries(
    Object.entries(raw)
      .filter(([key]) => ![...SOURCES, 'with', 'each'].includes(key))
      .map(([key, value]) => [key, filledIn(value, (text) => fill(text, [...way, key]))]),
  );
  const prompt = promptOf(mistakes, shared, making, fill);
  const after = wordsOf(mistakes, [...way, 'after'], filled.after);
  const { defaults, folder, env } = shared;
  const given = { own: filled, ownWay: way, defaults, folder, env };
  return {
    ...{ name, way, prompt },
    after: [...new Set([...after, ...quotedIn(prompt)])],
    images: imagesOf(mistakes, given),
    input: startInputOf(mistakes, given),
  };
}

function filledIn(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  return Array.isArray(value) ? value.map((each) => filledIn(each, fill)) : value;
}

function unknownText(missing: string, variables: Variables, where: string): string {
  const known = Object.keys(variables);
  const there = known.length === 0 ? 'no variables are defined' : `available: ${known.join(', ')}`;
  return `${where}unknown variable {{${missing}}}; ${there}. For literal text write \\{{${missing}}}`;
}

type Fill = (text: string, at: Way, where?: string) => string;

function promptOf(mistakes: Mistakes, shared: Shared, { way, raw, name }: Making, fill: Fill): string {
  const given = SOURCES.filter((key) => raw[key] !== undefined);
  const [source] = given;
  if (source === undefined || given.length > 1) {
    const found = given.length === 0 ? 'has none' : `has ${given.join(' and ')}`;
    mistakes.add(way, `a session needs exactly one of prompt, prompt-file and template; ${name} ${found}`);
    return '';
  }
  const at = [...way, source];
  const text = textOf(mistakes, at, raw[source]);
  if (typeof raw[source] !== 'string') return '';
  const prompt =
    source === 'prompt'
      ? fill(text, at)
      : source === 'template'
        ? fromTemplate(mistakes, shared, text, at, fill)
        : fromFile(mistakes, shared, fill(text, at), at, fill);
  if (prompt?.trim() === '') mistakes.add(at, `the prompt of ${name} is blank`);
  return prompt ?? '';
}

function fromTemplate(mistakes: Mistakes, { templates }: Shared, name: string, at: Way, fill: Fill): string | null {
  if (Object.hasOwn(templates, name)) {
    const way = ['templates', name];
    return fill(textOf(mistakes, way, templates[name]), at, `in the template ${name} `);
  }
  const known = Object.keys(templates);
  mistakes.add(
    at,
    `there is no template "${name}"; ${known.length === 0 ? 'none are defined' : `available: ${known.join(', ')}`}`,
  );
  return null;
}

function fromFile(mistakes: Mistakes, { folder }: Shared, file: string, at: Way, fill: Fill): string | null {
  try {
    const bytes = fs.readFileSync(path.resolve(folder, file));
    const text = bytes.toString('utf8');
    if (bytes.length > PROMPT_BYTES_MAX)
      mistakes.add(at, `${file} has ${bytes.length} bytes; a prompt has at most 1 MiB`);
    else if (Buffer.from(text).equals(bytes)) return fill(text, at, `in ${file} `);
    else mistakes.add(at, `${file} is not UTF-8 text`);
  } catch (error) {
    const why = causeText(error);
    mistakes.add(at, `cannot read ${file}: ${why}`);
  }
  return null;
}
