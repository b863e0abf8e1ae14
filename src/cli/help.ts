import { COMMON, type Command, INLINE, type Option } from './base/command.ts';
import type { Print } from './base/print.ts';
import type { Rows } from './base/row.ts';
import { commandsOf, GROUPS, TABLE } from './table.ts';
import { folded } from './views/folded.ts';
import { tableOf } from './views/view.ts';

/** The first page: every command, in groups. */
export function overview(print: Print): string {
  return [
    'Run coding agents and commands that survive crashes, restarts and reboots.',
    '',
    `${print.style('bold', 'Usage:')} outlast COMMAND [OPTIONS]`,
    '',
    ...grouped(print),
    `${print.style('bold', 'Examples:')}`,
    '  outlast exec -- npm test                 run it; it survives your terminal',
    '  id=$(outlast exec -b -- npm test)        run it in the background',
    '  outlast output "$id" --follow            follow its output',
    '  outlast wait "$id"                       wait until it ends',
    '  outlast run "fix the tests"              run an agent, and print its reply',
    '  outlast start --live --name api          start an agent with a screen',
    '  outlast converse api "what is left?"     ask it, and print the reply',
    '',
    'ls, ps, rm and kill are short for list, list --live, remove and stop.',
    'Run `outlast COMMAND --help` or `man outlast-COMMAND` for details.',
  ].join('\n');
}

/** The commands of each group; those of two words in one line, such as `daemon start, stop, status`. */
function grouped(print: Print): string[] {
  const columns = Math.max(...Object.keys(TABLE).map((name) => firstOf(name).length)) + 6;
  return GROUPS.flatMap(({ title, rows }) => {
    const lines = [...new Set(Object.keys(rows).map(firstOf))].flatMap((first) => linesOf(first, rows));
    return [print.style('bold', title), ...lines.map(([name = '', says = '']) => name.padEnd(columns) + says), ''];
  });
}

function firstOf(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** A command with its summary, and a line with its commands of two words. */
function linesOf(first: string, rows: Rows): string[][] {
  const own = Object.entries(rows).flatMap(([name, { summary }]) => (name === first ? [[`  ${name}`, summary]] : []));
  const verbs = Object.keys(rows).flatMap((name) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  );
  return verbs.length === 0 ? own : [...own, [`  ${first} …`, verbs.join(', ')]];
}

/** The page of a group of commands, such as `process`. */
export function groupHelp(group: string, print: Print): string {
  const more = `Run \`outlast ${group} COMMAND --help\` for details.`;
  return [
    `${print.style('bold', 'Usage:')} outlast ${group} COMMAND [OPTIONS]`,
    '',
    ...summaries(commandsOf(group)),
    '',
    more,
  ].join('\n');
}

/** One command, for programs. */
export function commandFacts(command: Command): object {
  const { name, summary, usage, words, options, examples } = command;
  return {
    name,
    summary,
    usage: `outlast ${usage}`,
    ...(words.are === '' ? {} : { about: words.are }),
    options: Object.entries<Option>({ ...options, ...COMMON }).map(
      ([option, { otherwise, optional, was, completes, ...rest }]) => ({
        name: `--${option}`,
        ...rest,
        ...(optional === undefined ? {} : { optional: true }),
        ...(otherwise === undefined ? {} : { default: otherwise }),
        ...(was === undefined ? {} : { alias: `--${was}` }),
        ...(Array.isArray(completes) ? { values: completes } : {}),
      }),
    ),
    examples: examples.map(([line, sentence]) => ({ line, sentence })),
  };
}

/** Several commands, for programs. */
export function commandList(names: readonly string[]): object {
  const groupOf = (name: string): string => GROUPS.find(({ rows }) => Object.hasOwn(rows, name))?.title ?? '';
  return {
    commands: names.map((name) => ({ name, summary: TABLE[name]?.summary ?? '', group: groupOf(name) })),
  };
}

/** The page of one command. */
export function commandHelp(command: Command, print: Print): string {
  const options = Object.entries({ ...command.options, ...COMMON }).map(([name, option]) => [
    `  ${flags(name, option)}`,
    sentence(option),
  ]);
  const width = Math.max(...command.examples.map(([line]) => line.length)) + 2;
  const page = [
    command.summary,
    '',
    `${print.style('bold', 'Usage:')} outlast ${command.usage}`,
    ...(command.words.are === '' ? [] : ['', command.words.are]),
    '',
    print.style('bold', 'Options:'),
    ...tableOf(options, Number.POSITIVE_INFINITY),
    '',
    print.style('bold', 'Examples:'),
    ...command.examples.map(([line, what]) => `  ${line.padEnd(width)}${what}`),
  ].join('\n');
  return folded(page, print.stdout.isTty ? print.stdout.columns : Number.POSITIVE_INFINITY);
}

function summaries(names: readonly string[]): string[] {
  return tableOf(
    names.map((name) => [`  ${name}`, TABLE[name]?.summary ?? '']),
    Number.POSITIVE_INFINITY,
  );
}

/** The short and the long form of an option, with its value. */
export function flags(name: string, option: Option): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${short}--${name}${valueText(option)}`;
}

/** What an option does, as one paragraph. */
export function sentence(option: Option): string {
  const many = option.multiple ? ' May be given more than once.' : '';
  return `${option.sentence}${many}${option.otherwise === undefined ? '' : ` Default: ${option.otherwise}.`}`;
}

function valueText({ type, value = 'VALUE', optional }: Option): string {
  if (type === 'boolean') return '';
  if (optional === undefined) return ` ${value}`;
  return optional === INLINE ? `[=${value}]` : ` [${value}]`;
}
