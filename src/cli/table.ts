import type { Row, Rows } from './base/row.ts';
import { AGENTS } from './table-agents.ts';
import { APPROVALS } from './table-approvals.ts';
import { COMMANDS } from './table-commands.ts';
import { CONTROL } from './table-control.ts';
import { HELP } from './table-help.ts';
import { LOOK } from './table-look.ts';
import { MACHINE } from './table-machine.ts';
import { PROGRAMS } from './table-programs.ts';
import { SCHEDULES } from './table-schedule.ts';

/** The groups of the help, in its order. A new command is a row in the file of its group. */
export const GROUPS: readonly { readonly title: string; readonly rows: Rows }[] = [
  { title: 'Agents', rows: AGENTS },
  { title: 'Commands', rows: COMMANDS },
  { title: 'Schedules', rows: SCHEDULES },
  { title: 'Look and wait', rows: LOOK },
  { title: 'Take control', rows: CONTROL },
  { title: 'Approvals', rows: APPROVALS },
  { title: 'This machine', rows: MACHINE },
  { title: 'For other programs', rows: PROGRAMS },
  { title: 'Help', rows: HELP },
];

/** Every command, in the order of the help. Each file is loaded only when its command is used. */
export const TABLE: Rows = Object.assign({}, ...GROUPS.map(({ rows }) => rows));

/** Hidden commands, called by the completion scripts. */
export const HIDDEN: Rows = {
  __complete: { summary: 'Complete a command line.', load: async () => (await import('./complete.ts')).complete },
};

/** Words that people know from other tools: what the command line is then, given what is behind the word. */
export const KNOWN_WORDS: Readonly<Record<string, (rest: readonly string[]) => readonly string[]>> = {
  ls: (rest) => ['list', ...rest],
  ps: (rest) => ['list', ...(rest.some((word) => /^--(ended|state)\b/.test(word)) ? [] : ['--live']), ...rest],
  rm: (rest) => ['remove', ...rest],
  kill: (rest) => killed(rest),
};

/** As with `kill`, a signal may come first. `stop` sends TERM, and KILL after a while. */
function killed([first = '', ...rest]: readonly string[]): readonly string[] {
  if (/^-(9|KILL|SIGKILL)$/.test(first)) return ['stop', '--now', ...rest];
  if (/^-(15|TERM|SIGTERM)$/.test(first)) return ['stop', ...rest];
  return ['stop', ...(first === '' ? [] : [first]), ...rest];
}

/** The command at the beginning of a command line; null when there is none of that name. */
export function findCommand(line: readonly string[]): { name: string; row: Row; rest: readonly string[] } | null {
  const [first = '', ...behind] = line;
  const words = own(KNOWN_WORDS, first)?.(behind) ?? line;
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const row = words.length >= count ? (own(TABLE, name) ?? own(HIDDEN, name)) : undefined;
    if (row !== undefined) return { name, row, rest: words.slice(count) };
  }
  return null;
}

/** The commands of a group, such as `process`; empty when it is not a group. */
export function commandsOf(group: string): string[] {
  return Object.keys(TABLE).filter((name) => name.startsWith(`${group} `));
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
