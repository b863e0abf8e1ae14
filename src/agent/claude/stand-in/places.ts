import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The version that is imitated, except for the tags that it puts around long pastes. */
export const VERSION = '2.1.328';

const NAME_CHARS_MAX = 200;
const HASH_CHARS = 6;

/** The path of a new conversation's transcript. */
export function transcriptPath(config: string, cwd: string, id: string): string {
  return join(config, 'projects', encoded(realpathSync(cwd)), `${id}.jsonl`);
}

/** The transcript of a known conversation, in any project folder; null when there is none. */
export function findTranscript(config: string, idOrPath: string): string | null {
  if (idOrPath.endsWith('.jsonl')) return hasText(idOrPath) ? idOrPath : null;
  const projects = join(config, 'projects');
  if (!existsSync(projects)) return null;
  const paths = readdirSync(projects).map((folder) => join(projects, folder, `${idOrPath}.jsonl`));
  return paths.find(hasText) ?? null;
}

/** The id of a conversation from the name of its transcript. */
export function idOfTranscript(path: string): string {
  return basename(path, '.jsonl');
}

/** When a process started, in kernel ticks: field 22 of its stat. */
export function procStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may contain spaces and brackets; the fields after it are counted from the last bracket.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function hasText(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function encoded(path: string): string {
  const name = path.replaceAll(/[^A-Za-z0-9]/g, '-');
  if (name.length <= NAME_CHARS_MAX) return name;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, HASH_CHARS);
  return `${name.slice(0, NAME_CHARS_MAX)}-${hash}`;
}
