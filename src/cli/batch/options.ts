import { OutlastError, type StartInput } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import type { Option, Values } from '../base/command.ts';
import { emptyValues } from '../base/parse.ts';
import { AGENT_OPTIONS, agentInput } from '../input/agent-options.ts';
import type { Mistakes } from './mistakes.ts';
import { isWord, type Raw, wordsOf } from './words.ts';
import type { Way } from './yaml.ts';

/** Options that a batch expresses differently, or does not have. */
const NOT_HERE = ['name', 'cwd', 'fork', 'after', 'prompt-file'];

/** Options of `run` that a session of a batch may have. */
export const OPTION_KEYS = Object.keys(AGENT_OPTIONS).filter((name) => !NOT_HERE.includes(name));

/** Where the options of a session are: its own, and the defaults of the file. */
export interface Given {
  readonly own: Raw;
  readonly ownWay: Way;
  readonly defaults: Raw;
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The start input of a session, without its prompt. */
export function startInputOf(mistakes: Mistakes, given: Given): StartInput {
  const { own, ownWay, defaults, folder } = given;
  const values: Record<string, unknown> = emptyValues(AGENT_OPTIONS);
  const wayOf = (key: string): Way => (Object.hasOwn(own, key) ? [...ownWay, key] : ['defaults', key]);
  for (const key of OPTION_KEYS) {
    const raw = Object.hasOwn(own, key) ? own[key] : defaults[key];
    if (raw !== undefined && raw !== null) values[key] = givenValue(mistakes, wayOf(key), OPTIONS[key], raw);
  }
  values.workspace = path.resolve(folder, String(values.workspace ?? '.'));
  if (values.rules !== undefined) values.rules = path.resolve(folder, String(values.rules));
  try {
    return agentInput('batch', values as unknown as Values<typeof AGENT_OPTIONS>, given.env);
  } catch (error) {
    if (!(error instanceof OutlastError)) throw error;
    // The message names the option as on the command line.
    const [, key] = /^--([a-z-]+):/.exec(error.message) ?? [];
    mistakes.add(key === undefined ? ownWay : wayOf(key), error.message.replace(/^batch: /, ''));
    return {};
  }
}

const OPTIONS: Readonly<Record<string, Option>> = AGENT_OPTIONS;

function givenValue(mistakes: Mistakes, way: Way, option: Option | undefined, raw: unknown): unknown {
  const key = String(way.at(-1));
  if (option?.type === 'boolean') {
    if (typeof raw !== 'boolean') mistakes.add(way, `"${key}" must be true or false`);
    return raw === true;
  }
  if (option?.multiple) return wordsOf(mistakes, way, raw);
  if (option?.optional !== undefined && raw === true) return '';
  if (typeof raw !== 'boolean' && isWord(raw)) return String(raw);
  mistakes.add(way, `"${key}" must be ${option?.value === undefined ? 'text' : `one value: ${option.value}`}`);
  return undefined;
}
