import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { realClock } from '../../base/clock.ts';
import { CODES, OutlastError } from '../../base/errors.ts';
import { configFile, type Env, readSettings, stateFolder, valueAt, variableOf, variableProblems } from './config.ts';
import { alone, readText, writeText } from './file.ts';
import { type Mistake, mistakesIn } from './mistakes.ts';
import { type Applies, appliesOf, editorSchema, TOP_KEYS, type TopKey } from './shape.ts';
import { changedText } from './text.ts';
import { keyPath, valuesOf } from './values.ts';

// The commands of `outlast config`. They run in the program of the daemon, which knows the schema, but in their own
// process: a config with a mistake is what keeps a daemon from starting.

/** Runs a command of `outlast config`, and prints one line of JSON; returns the exit status. */
export async function configCommand([what = '', ...words]: readonly string[], env: Env): Promise<number> {
  try {
    print(await answer(what, words, env));
    return 0;
  } catch (error) {
    if (!(error instanceof OutlastError)) throw error;
    print({ error: { code: error.code, message: error.message } });
    return CODES[error.code].exit;
  }
}

function answer(what: string, [first = '', second = '']: readonly string[], env: Env): unknown {
  const file = configFile(env);
  switch (what) {
    case 'get':
      return { file, keys: valuesOf(readSettings(env), first) };
    case 'check':
      return checked(first === '' ? file : resolve(first), first === '' || resolve(first) === file, env);
    case 'set':
      return changed(env, file, keyPath(first), (text) => settled(text, keyPath(first), second, env));
    case 'unset':
      return changed(env, file, keyPath(first), (text) => changedText(text, keyPath(first), undefined));
    case 'replace':
      return replaced(env, file, JSON.parse(readFileSync(0, 'utf8')));
    case 'schema':
      return editorSchema();
    default:
      throw new OutlastError('input_invalid', `there is no "config ${what}"`);
  }
}

interface Checked {
  readonly file: string;
  readonly exists: boolean;
  readonly mistakes: readonly Mistake[];
  /** Variables of this environment that the next daemon would refuse. */
  readonly variables: readonly string[];
}

function checked(file: string, isOurs: boolean, env: Env): Checked {
  const text = readText(file);
  if (text === null && !isOurs) throw new OutlastError('input_invalid', `there is no file ${file}`);
  const mistakes = text === null ? [] : mistakesIn(text, env);
  return { file, exists: text !== null, mistakes, variables: isOurs ? variableProblems(env) : [] };
}

/** Changes the text of the file; refuses a change that brings a mistake. */
function changed(env: Env, file: string, path: readonly string[], change: (text: string) => string): Promise<object> {
  return alone(stateFolder(env), realClock(), () => {
    const old = readText(file);
    const before = old === null || old.trim() === '' ? '{}\n' : old;
    const known = mistakesIn(before, env);
    if (known.some(({ key }) => key === '')) throw refused(file, known);
    const after = change(before);
    const mistakes = mistakesIn(after, env);
    const isNew = (mistake: Mistake): boolean =>
      !known.some((each) => each.key === mistake.key && each.says === mistake.says);
    if (mistakes.some(isNew)) throw refused(file, mistakes.filter(isNew));
    if (after !== old && after !== before) writeText(file, after);
    const variable = variableOf(path);
    return {
      ...{ file, key: path.join('.'), changed: after !== before, mistakes },
      value: valueAt(JSON.parse(after), path) ?? null,
      applies: appliesAt(path),
      // A variable of this environment wins over the file.
      variable: env[variable] ? variable : null,
    };
  });
}

/** The text with the word as the value: as JSON if the key takes that, else as a text. */
function settled(text: string, path: readonly string[], word: string, env: Env): string {
  const known = mistakesIn(text, env);
  const asText = changedText(text, path, word);
  const parsed = jsonOf(word);
  if (parsed === undefined) return asText;
  const asJson = changedText(text, path, parsed);
  const isFine = (one: string): boolean => mistakesIn(one, env).length <= known.length;
  return !isFine(asJson) && isFine(asText) ? asText : asJson;
}

function jsonOf(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return undefined;
  }
}

interface Edited {
  readonly before: string | null;
  readonly after: string;
}

/** Saves what a person has edited, unless the file was changed meanwhile. */
function replaced(env: Env, file: string, { before, after }: Edited): Promise<object> {
  return alone(stateFolder(env), realClock(), () => {
    if (readText(file) !== before)
      throw new OutlastError('input_invalid', `${file} was changed by another program in the meantime`);
    const mistakes = mistakesIn(after, env);
    if (mistakes.length > 0) throw refused(file, mistakes);
    writeText(file, after);
    return { file, changed: true, mistakes };
  });
}

function appliesAt([top = '']: readonly string[]): Applies | null {
  return (TOP_KEYS as readonly string[]).includes(top) ? appliesOf(top as TopKey) : null;
}

function refused(file: string, mistakes: readonly Mistake[]): OutlastError {
  const texts = mistakes.map(({ line, key, says }) => (key === '' ? `line ${line}: ${says}` : `${key}: ${says}`));
  return new OutlastError('input_invalid', `${file} was not changed: ${texts.join('; ')}`);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
