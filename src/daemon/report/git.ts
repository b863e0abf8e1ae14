import { masked } from '../../api/mask.ts';
import type { Clock } from '../../base/clock.ts';
import { type Ran, run } from '../../base/spawn.ts';
import { toText } from '../../terminal/text.ts';
import { ENVIRONMENT } from '../config/config.ts';

const GIT_MS_MAX = 2_000;
const GIT_BYTES_MAX = 1024 * 1024;
const LINES_MAX = 40;
const LINE_CHARS_MAX = 200;
/** No file monitor, diff or filter program from the repository's settings, and no lock that could block an agent. */
const GIT = ['git', '--no-optional-locks', '--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=true'];
const DIFF = ['diff', '--stat=100', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];
const UNTRACKED = ['ls-files', '--others', '--exclude-standard', '--directory', '--no-empty-directory'];

/** The changes in a workspace since its last commit; null when it is not a git repository or git fails. */
export async function changesIn(workspace: string, clock: Clock): Promise<string | null> {
  const [diff, others] = await Promise.all([
    git([...DIFF, '--relative', 'HEAD', '--', '.'], workspace, clock),
    git(UNTRACKED, workspace, clock),
  ]);
  if (diff === null && others === null) return null;
  const lines = (diff ?? '').split('\n').filter((line) => line.trim() !== '');
  const total = lines.pop();
  const files = (others ?? '').split('\n').filter((line) => line !== '');
  const untracked = files.length === 0 ? [] : [` not in git: ${files.length}`, ...files.map((name) => `   ${name}`)];
  const parts = [...some(lines), ...(total === undefined ? [] : [total]), ...some(untracked)];
  return parts.length === 0 ? 'nothing has changed' : parts.join('\n');
}

async function git(words: readonly string[], cwd: string, clock: Clock): Promise<string | null> {
  const [program = 'git', ...first] = GIT;
  const { PATH = '/usr/bin:/bin', HOME = '/nonexistent' } = ENVIRONMENT;
  const env = { PATH, HOME, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  const limits = { msMax: GIT_MS_MAX, bytesMax: GIT_BYTES_MAX };
  const ran: Ran = await run([program, ...first, ...words], { clock, env, cwd, ...limits });
  return ran.end === 'exited' && ran.status === 0 ? toText(ran.stdout) : null;
}

function some(lines: readonly string[]): string[] {
  const shown = lines
    .slice(0, LINES_MAX)
    .map((line) => masked(line.slice(0, 2 * LINE_CHARS_MAX)).slice(0, LINE_CHARS_MAX));
  return lines.length > LINES_MAX ? [...shown, ` … and ${lines.length - LINES_MAX} more`] : shown;
}
