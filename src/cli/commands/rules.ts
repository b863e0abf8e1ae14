import { EFFECTS, type Judgement, judge, parseRules, type RuleTexts, realOf } from '../../api/rules.ts';
import { fs, path } from '../../client/node.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { wrongCall } from '../parse.ts';
import { oneLine, type Print } from '../print.ts';

/** `outlast rules test` */
export const rulesTest = command({
  name: 'rules test',
  summary: 'Tell what rules make of a tool call.',
  usage: 'rules test TOOL JSON [OPTIONS]',
  words: {
    min: 2,
    max: 2,
    are: 'TOOL is the name of a tool, JSON what it would be given. Nothing is run, and no daemon is needed.',
  },
  options: {
    allow: { type: 'string', multiple: true, value: 'RULE', sentence: 'Add a rule that allows.' },
    ask: { type: 'string', multiple: true, value: 'RULE', sentence: 'Add a rule that asks.' },
    deny: { type: 'string', multiple: true, value: 'RULE', sentence: 'Add a rule that denies.' },
    rules: {
      type: 'string',
      value: 'FILE',
      sentence: 'Take rules from a file: {"allow": […], "ask": […], "deny": […]}.',
    },
    workspace: {
      type: 'string',
      value: 'DIR',
      sentence: 'The folder that the agent works in.',
      otherwise: 'the current one',
    },
  },
  examples: [
    [
      `outlast rules test Bash '{"command":"git status; make"}' --allow 'Bash(git status:*)'`,
      'Which part is asked about, and why.',
    ],
    [`outlast rules test Edit '{"file_path":"src/a.ts"}' --rules rules.json --json`, 'For a program.'],
  ],
  async run({ words: [tool = '', json = ''], values, json: isJson, print, env }) {
    const { allow, ask, deny } = values;
    const workspace = path.resolve(values.workspace ?? '.');
    const home = path.resolve(env.HOME || '/');
    const input = parsed('what the tool is given', json);
    const texts = [values.rules === undefined ? {} : textsIn(values.rules), { allow, ask, deny }];
    const tools = { ...path, realpath: (file: string) => fs.realpathSync(file) };
    const read = texts.map(parseRules);
    const [fault] = read.flatMap(({ faults }) => faults);
    if (fault !== undefined) throw wrongCall(`rules test: ${fault}`);
    const rules = read.flatMap((each) => each.rules);
    const judged = judge(rules, { tool, input, workspace, home, ...realOf(input, { workspace, home }, tools) });
    if (isJson) await print.json(judged);
    else await explain(judged, print);
    return EXIT.fine;
  },
});

const COLOURS = { allow: 'green', ask: 'yellow', deny: 'red' } as const;

async function explain({ verdict, why, parts }: Judgement, print: Print): Promise<void> {
  await print.line(`${print.style(COLOURS[verdict], verdict)}: ${oneLine(why)}`);
  for (const part of parts) {
    const name = print.style(COLOURS[part.verdict], part.verdict.padEnd(5));
    await print.line(`  ${name}  ${oneLine(part.text)}  (${oneLine(part.why)})`);
  }
}

function textsIn(file: string): RuleTexts {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongCall(`rules test: cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
  const settings = parsed(file, text);
  // A settings file of the agent has them one level down.
  const lists = isObject(settings) && isObject(settings.permissions) ? settings.permissions : settings;
  if (!isObject(lists)) throw wrongCall(`rules test: ${file} is no JSON object with allow, ask and deny`);
  return Object.fromEntries(EFFECTS.map((effect) => [effect, listOf(file, effect, lists[effect])]));
}

function listOf(file: string, effect: string, value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [null];
  return list.map((each) => {
    if (typeof each !== 'string') throw wrongCall(`rules test: "${effect}" in ${file} is no list of texts`);
    return each;
  });
}

function parsed(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongCall(`rules test: ${what} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
