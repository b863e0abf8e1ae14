// The man pages of the commands, made from the same tables as their help. The build writes them to dist/man.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMON, type Command, type Option } from '../src/cli/base/command.ts';
import { flags, sentence } from '../src/cli/help.ts';
import { GROUPS, KNOWN_WORDS, TABLE } from '../src/cli/table.ts';

/** What a page says about the release it belongs to. */
export interface Release {
  readonly version: string;
  /** Year, month, day. */
  readonly date: string;
}

const ABOUT = 'Run coding agents and commands that survive crashes, restarts and reboots';

const STATUS = [
  ['0', 'Success.'],
  ['1', 'Failure.'],
  ['2', 'Usage error.'],
  ['3', 'Not found.'],
  ['4', 'Refused, or stopped.'],
  ['5', 'The daemon cannot be reached.'],
  ['6', 'Timeout. The session keeps running.'],
  ['7', 'A person is needed.'],
  ['8', 'The session ended badly.'],
  ['70', 'A bug in Outlast.'],
  ['75', 'A daemon is running already.'],
] as const;

const VARIABLES = [
  ['OUTLAST_STATE', 'The state folder. Else $XDG_STATE_HOME/outlast, else ~/.local/state/outlast.'],
  ['OUTLAST_CONFIG', 'The config file. Else $XDG_CONFIG_HOME/outlast/config.json.'],
  ['NO_COLOR', 'Use no colours; --color always overrides it.'],
  ['CLICOLOR_FORCE', 'Use colours also where the output is not a terminal.'],
] as const;

/** The text of each page, by the name of its file. */
export async function manPages(release: Release): Promise<Map<string, string>> {
  const pages = new Map([['outlast.1', overview(release)]]);
  for (const [name, { load }] of Object.entries(TABLE)) {
    const page = name.replaceAll(' ', '-');
    pages.set(`outlast-${page}.1`, pageOf(page, await load(), release));
  }
  return pages;
}

/** Writes all pages into a folder. */
export async function writeManPages(folder: string, release: Release): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await manPages(release)) writeFileSync(join(folder, name), text);
}

function pageOf(page: string, command: Command, release: Release): string {
  const { name, summary, usage, words, options, examples, rest } = command;
  const behind = rest ? ['Options end at the first argument; everything from there on belongs to the program.'] : [];
  const about = [...(words.are === '' ? [] : words.are.split('\n')), ...behind];
  return lines(
    header(`outlast-${page}`, release),
    ['.SH NAME', `outlast\\-${roff(page)} \\- ${roff(withoutDot(summary))}`],
    [
      '.SH SYNOPSIS',
      ...usage.split(/\s+or\s+/).flatMap((each, i) => [...(i === 0 ? [] : ['.br']), `.B outlast ${roff(each)}`]),
    ],
    ...(about.length === 0
      ? []
      : [['.SH DESCRIPTION', ...about.flatMap((line, i) => (i === 0 ? [text(line)] : ['.br', text(line)]))]]),
    [
      '.SH OPTIONS',
      ...Object.entries<Option>({ ...options, ...COMMON }).flatMap(([each, option]) =>
        term(flags(each, option).trim(), sentence(option)),
      ),
    ],
    ['.SH EXAMPLES', ...examples.flatMap(([line, what]) => term(line, what))],
    seeAlso(['outlast', ...neighbours(name)]),
  );
}

function overview(release: Release): string {
  const known = Object.keys(KNOWN_WORDS).map(
    (word) => `${word} stands for ${(KNOWN_WORDS[word]?.([]) ?? []).join(' ')}.`,
  );
  return lines(
    header('outlast', release),
    ['.SH NAME', `outlast \\- ${roff(ABOUT)}`],
    ['.SH SYNOPSIS', '.B outlast', roff('[COMMAND [OPTIONS]]')],
    [
      '.SH DESCRIPTION',
      text(`${ABOUT}. Sessions live in a daemon that starts with the first command that needs it.`),
      '.PP',
      text('Without a command, at a terminal: what runs, what needs you, and what to type next. Else the help.'),
      '.PP',
      text(known.join(' ')),
    ],
    [
      '.SH COMMANDS',
      ...GROUPS.flatMap(({ title, rows }) => [
        `.SS ${roff(title)}`,
        ...Object.entries(rows).flatMap(([name, { summary }]) => term(name, summary)),
      ]),
    ],
    [
      '.SH EXIT STATUS',
      text('Of every command except exec, which exits with the status of its command.'),
      ...STATUS.flatMap(([status, what]) => term(status, what)),
    ],
    ['.SH ENVIRONMENT', ...VARIABLES.flatMap(([name, what]) => term(name, what))],
    seeAlso(
      Object.keys(TABLE)
        .filter((name) => !name.includes(' '))
        .map((name) => `outlast-${name}`),
    ),
  );
}

/** The other commands of two words with the same first one. */
function neighbours(name: string): string[] {
  const [first = ''] = name.split(' ');
  const all = Object.keys(TABLE).filter((each) => each !== name && each.split(' ')[0] === first);
  return all.map((each) => `outlast-${each.replaceAll(' ', '-')}`);
}

function header(name: string, { version, date }: Release): string[] {
  return [
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 "${date}" "Outlast ${version}" "Outlast"`,
    '.nh',
    '.ad l',
  ];
}

function seeAlso(names: readonly string[]): string[] {
  return ['.SH SEE ALSO', ...names.map((name, i) => `.BR ${roff(name)} (1)${i < names.length - 1 ? ',' : ''}`)];
}

function term(word: string, what: string): string[] {
  return ['.TP', `.B ${roff(word).replace(/^(?=[.'])/, '\\&')}`, text(what)];
}

/** A line of text: nothing in it is a request. */
function text(line: string): string {
  return roff(line).replace(/^(?=[.'])/, '\\&');
}

/** A text in roff: ASCII, with nothing that roff would read as its own. */
function roff(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(
      /[^\0-\x7f]/gu,
      (char) => `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

function withoutDot(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

function lines(...sections: readonly (readonly string[])[]): string {
  return `${sections.flat().join('\n')}\n`;
}
