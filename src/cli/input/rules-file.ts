import { EFFECTS, type RuleTexts } from '../../api/rules.ts';
import { causeText } from '../../base/system-errors.ts';
import { fs } from '../../client/node.ts';
import { wrongCall } from '../base/parse.ts';

/** The rules in a file: lists at the top, or below `permissions` as in a settings file of the agent. */
export function rulesIn(name: string, file: string): RuleTexts {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongCall(`${name}: cannot read ${file}: ${causeText(error)}`);
  }
  const settings = parsedJson(name, file, text);
  // A settings file of the agent has them one level deeper.
  const lists = isObject(settings) && isObject(settings.permissions) ? settings.permissions : settings;
  if (!isObject(lists)) throw wrongCall(`${name}: ${file} is not a JSON object with allow, ask and deny`);
  return Object.fromEntries(EFFECTS.map((effect) => [effect, listOf(name, file, effect, lists[effect])]));
}

function listOf(name: string, file: string, effect: string, value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [null];
  return list.map((each) => {
    if (typeof each !== 'string') throw wrongCall(`${name}: "${effect}" in ${file} is not a list of strings`);
    return each;
  });
}

/** Parses JSON from the command line; throws what is wrong with it. */
export function parsedJson(name: string, what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongCall(`${name}: ${what} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
