import { type Judgement, judge, parseRules, realOf, spelledActions } from '../../api/rules.ts';
import { fs, path } from '../../client/node.ts';
import { command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine, type Print } from '../base/print.ts';
import { parsedJson, rulesIn } from '../input/rules-file.ts';

/** `outlast rules test` */
export const rulesTest = command({
  name: 'rules test',
  summary: 'Show how rules decide a tool call.',
  usage: 'rules test TOOL JSON [OPTIONS]',
  words: {
    min: 2,
    max: 2,
    are: 'TOOL is the name of a tool as rules spell it, JSON its input. Nothing is run, and no daemon is needed.',
  },
  options: {
    allow: { type: 'string', multiple: true, value: 'RULE', sentence: 'Add an allow rule.' },
    ask: { type: 'string', multiple: true, value: 'RULE', sentence: 'Add an ask rule.' },
    deny: { type: 'string', multiple: true, value: 'RULE', sentence: 'Add a deny rule.' },
    rules: {
      type: 'string',
      value: 'FILE',
      sentence: 'Read rules from a file: {"allow": […], "ask": […], "deny": […]}.',
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
      'Which part needs approval, and why.',
    ],
    [`outlast rules test Edit '{"file_path":"src/a.ts"}' --rules rules.json --json`, 'For a program.'],
  ],
  async run({ words: [tool = '', json = ''], values, json: isJson, print, env }) {
    const { allow, ask, deny } = values;
    const workspace = path.resolve(values.workspace ?? '.');
    const home = path.resolve(env.HOME || '/');
    const input = parsedJson('rules test', 'the input of the tool', json);
    const texts = [values.rules === undefined ? {} : rulesIn('rules test', values.rules), { allow, ask, deny }];
    const tools = { ...path, realpath: (file: string) => fs.realpathSync(file) };
    const read = texts.map(parseRules);
    const [fault] = read.flatMap(({ faults }) => faults);
    if (fault !== undefined) throw wrongCall(`rules test: ${fault}`);
    const rules = read.flatMap((each) => each.rules);
    const actions = spelledActions(tool, input);
    const real = realOf(actions, { workspace, home }, tools);
    const judged = judge(rules, { tool, actions, workspace, home, real });
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

/** `outlast rules list` */
export const rulesList = command({
  name: 'rules list',
  summary: 'List the saved rules.',
  usage: 'rules list [OPTIONS]',
  words: NO_WORDS,
  options: {},
  examples: [['outlast rules list', 'Rules saved by `--always`, by workspace.']],
  async run({ json, print, connect }) {
    const rules = await connect().approvals.rules();
    if (json) await print.json({ rules });
    else if (rules.length === 0) await print.line('No saved rules. `outlast approve ID --always` creates one.');
    for (const { workspace, effect, text } of json ? [] : rules)
      await print.line(`${print.style(COLOURS[effect], effect.padEnd(5))}  ${oneLine(text)}  in ${oneLine(workspace)}`);
    return EXIT.fine;
  },
});

/** `outlast rules remove` */
export const rulesRemove = command({
  name: 'rules remove',
  summary: 'Delete a saved rule.',
  usage: 'rules remove allow|deny RULE [OPTIONS]',
  words: { min: 2, max: 2, are: 'RULE is the text as `outlast rules list` shows it.' },
  completes: ['allow', 'deny'],
  options: {
    workspace: { type: 'string', value: 'DIR', sentence: 'The workspace of the rule.', otherwise: 'the current one' },
  },
  examples: [["outlast rules remove allow 'Bash(npm publish)' --workspace ~/api", 'It needs approval again.']],
  async run({ words: [effect = '', text = ''], values, json, print, connect }) {
    if (effect !== 'allow' && effect !== 'deny') throw wrongCall(`rules remove: "${effect}" is neither allow nor deny`);
    const workspace = realFolder(values.workspace ?? '.');
    await connect().approvals.removeRule({ workspace, effect, text });
    if (json) await print.json({ workspace, effect, text });
    else await print.line(`Removed: ${effect} ${oneLine(text)} in ${oneLine(workspace)}`);
    return EXIT.fine;
  },
});

/** A folder that is gone may still have rules. */
function realFolder(folder: string): string {
  const full = path.resolve(folder);
  return fs.existsSync(full) ? fs.realpathSync(full) : full;
}
