import { shellWord } from '../../base/shell-word.ts';
import { type Facts, MARK, type Plan } from './plan.ts';

/** A crontab line: the last resort, which only starts the daemon at boot. */
export function cronPlan(facts: Facts): Plan {
  const { begin, end } = marksOf(facts.suffix);
  return {
    starter: 'cron',
    files: [],
    links: [],
    table: `${begin}\n${tableLine(facts)}\n${end}\n`,
    start: [],
    stop: [],
    last: [],
    isActive: null,
    bring: null,
    says: [
      ...(facts.systemd === true ? [] : [`There is no systemd for this user: ${facts.systemd}.`]),
      'cron starts the daemon at boot only: if it dies, the next command starts it.',
    ],
  };
}

/** The crontab without our lines. Other lines are not touched. */
export function tableWithout(table: string, suffix: string): string {
  const { begin, end } = marksOf(suffix);
  const lines = table.split('\n');
  const from = lines.indexOf(begin);
  const to = lines.indexOf(end, from);
  // Without the end line it was changed by hand, and our part is not known.
  return from < 0 || to < 0 ? table : [...lines.slice(0, from), ...lines.slice(to + 1)].join('\n');
}

/** The crontab with our lines at its end, once. */
export function tableWith(table: string, ours: string, suffix: string): string {
  const rest = tableWithout(table, suffix);
  return `${rest}${rest === '' || rest.endsWith('\n') ? '' : '\n'}${ours}`;
}

/** The suffixes of the state folders that have lines in this crontab. */
export function suffixesIn(table: string): string[] {
  const found = [...table.matchAll(/^# outlast(-[0-9a-f]+|): (.*)$/gm)].filter(([, , text]) => text === MARK);
  return found.map(([, suffix = '']) => suffix).filter((suffix) => tableWithout(table, suffix) !== table);
}

function marksOf(suffix: string): { begin: string; end: string } {
  return { begin: `# outlast${suffix}: ${MARK}`, end: `# outlast${suffix}: end` };
}

function tableLine({ node, cli, env }: Facts): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const words = ['env', ...variables, shellWord(node), shellWord(cli), 'daemon', 'start'];
  // cron reads a bare % as the end of the line.
  return `@reboot ${words.join(' ').replaceAll('%', '\\%')} >/dev/null 2>&1`;
}
