import { shellWord } from '../../base/shell-word.ts';
import { type Facts, MARK, type Plan } from './plan.ts';

/** A line for cron: the last resort, which starts the daemon with the machine and does nothing else. */
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

/** The table without our lines. Those of others are not touched. */
export function tableWithout(table: string, suffix: string): string {
  const { begin, end } = marksOf(suffix);
  const lines = table.split('\n');
  const from = lines.indexOf(begin);
  const to = lines.indexOf(end, from);
  // Without its end it is not what we wrote, and nobody can tell what is ours.
  return from < 0 || to < 0 ? table : [...lines.slice(0, from), ...lines.slice(to + 1)].join('\n');
}

/** The table with our lines at its end, once. */
export function tableWith(table: string, ours: string, suffix: string): string {
  const rest = tableWithout(table, suffix);
  return `${rest}${rest === '' || rest.endsWith('\n') ? '' : '\n'}${ours}`;
}

function marksOf(suffix: string): { begin: string; end: string } {
  return { begin: `# outlast${suffix}: ${MARK}`, end: `# outlast${suffix}: end` };
}

function tableLine({ node, cli, env }: Facts): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const words = ['env', ...variables, shellWord(node), shellWord(cli), 'daemon', 'start'];
  // cron takes a bare % for the end of the line.
  return `@reboot ${words.join(' ').replaceAll('%', '\\%')} >/dev/null 2>&1`;
}
