import { configLines } from '../../present/config-state.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { type Checked, checkedFile, configPath, readConfig, type Shown, shownText, type Value } from '../config/ask.ts';
import { mistakeLine } from '../config/words.ts';
import { tableOf } from '../views/view.ts';

/** `outlast config get` */
export const get = command({
  name: 'config get',
  summary: 'Show settings, and where they come from.',
  usage: 'config get [KEY] [OPTIONS]',
  words: {
    min: 0,
    max: 1,
    are: [
      'KEY is the name of a setting, such as agent or retention.ageMsMax; docs/config.md lists them.',
      'Without KEY: the settings that differ from their defaults. They are those of the running daemon, else those',
      'that the next daemon would read.',
    ].join('\n'),
  },
  options: { all: { type: 'boolean', sentence: 'Show the defaults too.' } },
  examples: [
    ['outlast config get', 'What is set, and where.'],
    ['outlast config get policy.budget', 'The settings that begin with this.'],
    ['outlast config get agent --json', 'For a script.'],
  ],
  async run(context) {
    const { json, print, words, values } = context;
    const [key = ''] = words;
    const shown = await readConfig(context, key);
    const isOne = shown.keys.length === 1 && shown.keys[0]?.key === key;
    if (json) await print.json(shown);
    else if (isOne) await printOne(context, shown);
    else await printAll(context, shown, key !== '' || values.all);
    if (!json && shown.state !== null) for (const line of configLines(shown.state)) await print.note(oneLine(line));
    return EXIT.fine;
  },
});

async function printOne({ print }: Context, shown: Shown): Promise<void> {
  const [one] = shown.keys;
  if (one === undefined) return;
  await print.line(shownText(one.value));
  await print.note(`from ${originText(one, shown.file)}`);
}

async function printAll({ print }: Context, { keys, file }: Shown, isAll: boolean): Promise<void> {
  const listed = isAll ? keys : keys.filter(({ from }) => from !== 'default');
  const rows = listed.map((one) => [one.key, shownText(one.value), one.variable ?? one.from]);
  for (const line of tableOf([['KEY', 'VALUE', 'FROM'], ...rows], print.stdout.columns)) await print.line(line);
  const rest = keys.length - listed.length;
  await print.note(`file: ${file}`);
  if (rest > 0) await print.note(`${rest} settings have their defaults; --all shows them.`);
}

function originText({ from, variable }: Value, file: string): string {
  if (from === 'file') return `the file ${file}`;
  return from === 'variable' ? `the variable ${variable}` : `the ${from}`;
}

/** `outlast config check` */
export const check = command({
  name: 'config check',
  summary: 'Check the config file, and list every mistake with its line.',
  usage: 'config check [FILE]',
  words: {
    min: 0,
    max: 1,
    are: 'FILE is checked instead of your config file. Exit status: 0 no mistakes, 2 some. Changes nothing.',
  },
  options: {},
  examples: [
    ['outlast config check', 'Before you reload it.'],
    ['outlast config check ./config.json', 'Before you copy it to its place.'],
  ],
  async run({ env, json, print, words: [file] }) {
    const checked = checkedFile(env, file);
    if (json) await print.json({ ok: isFine(checked), ...checked });
    else await printChecked(print, checked);
    return isFine(checked) ? EXIT.fine : EXIT.wrongCall;
  },
});

const isFine = ({ mistakes, variables }: Checked): boolean => mistakes.length + variables.length === 0;

async function printChecked(print: Context['print'], checked: Checked): Promise<void> {
  const { file, exists, mistakes, variables } = checked;
  for (const mistake of mistakes) await print.line(oneLine(mistakeLine(file, mistake)));
  for (const each of variables) await print.line(oneLine(`in the environment: ${each}`));
  if (isFine(checked))
    await print.line(exists ? `${file}: no mistakes` : `${file} does not exist; the defaults are used`);
}

/** `outlast config path` */
export const pathCommand = command({
  name: 'config path',
  summary: 'Print the path of the config file.',
  usage: 'config path',
  words: { ...NO_WORDS, are: 'It is printed whether or not the file exists.' },
  options: {},
  examples: [['cat "$(outlast config path)"', 'Read it.']],
  async run({ env, json, print }) {
    const file = configPath(env);
    await (json ? print.json({ file }) : print.line(file));
    return EXIT.fine;
  },
});

/** `outlast config schema` */
export const schema = command({
  name: 'config schema',
  summary: 'Print the JSON Schema of the config file, for editors.',
  usage: 'config schema',
  words: {
    ...NO_WORDS,
    are: [
      'Save it beside the config file and refer to it there; editors then complete and check the keys.',
      "To refer to it: outlast config set '$schema' ./schema.json",
    ].join('\n'),
  },
  options: {},
  examples: [['outlast config schema > ~/.config/outlast/schema.json', 'Save it.']],
  async run({ env, json, print }) {
    const { configSchema } = await import('../config/ask.ts');
    const found = configSchema(env);
    await (json ? print.json(found) : print.text(`${JSON.stringify(found, null, 2)}\n`));
    return EXIT.fine;
  },
});
