import { causeText } from '../../base/system-errors.ts';
import { serviceFile } from '../../client/bring.ts';
import { OutlastError } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { tableWith, tableWithout } from './cron.ts';
import { keepNode } from './own-node.ts';
import { type Argv, type Facts, MARK, type Plan } from './plan.ts';
import { runQuietly } from './run-quietly.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The state of a planned file on this machine. */
export type Standing = 'fine' | 'stale' | 'foreign' | 'missing';

/** Writes everything; nothing when one of the files is not ours. */
export function writePlan(plan: Plan, facts: Facts, env: Environment): void {
  const foreign = [...plan.files, ...plan.links].find((file) => standingOf(file.path, facts) === 'foreign');
  if (foreign !== undefined)
    throw new OutlastError('not_supported', `${foreign.path} was not written by outlast; move it away`);
  keepNode(facts, env);
  for (const { path: file, text } of plan.files) write(file, text);
  for (const { path: link, to } of plan.links) {
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.rmSync(link, { force: true });
    fs.symlinkSync(to, link);
  }
  if (plan.table !== null) setTable(env, (table) => tableWith(table, plan.table ?? '', facts.suffix));
  if (plan.bring !== null) write(serviceFile(facts.state), `${JSON.stringify({ made: MARK, bring: plan.bring })}\n`);
}

/** Removes what an install wrote, and nothing else; returns the paths. */
export function removeAll(plan: Plan, facts: Facts, env: Environment): string[] {
  const ours = [...plan.files, ...plan.links, ...dropIns(facts, plan), { path: serviceFile(facts.state) }]
    .map((file) => file.path)
    .filter((file) => ['fine', 'stale'].includes(standingOf(file, facts)));
  // Links first: their target shows that they are ours.
  for (const file of ours.toSorted((a, b) => Number(isLink(b)) - Number(isLink(a)))) {
    fs.rmSync(file, { force: true });
    removeIfEmpty(path.dirname(file));
  }
  if (plan.table !== null && setTable(env, (table) => tableWithout(table, facts.suffix))) ours.push('crontab');
  return ours;
}

/** fine: ours, and for the programs that run now. stale: ours, of another version or place. */
export function standingOf(file: string, { node, daemon, cli }: Facts): Standing {
  const text = read(file);
  if (text === null) return isLink(file) ? 'stale' : 'missing';
  if (!text.includes(MARK)) return 'foreign';
  const starts = text.split('\n').filter((line) => /^ExecStart=|<array>/.test(line));
  const isOurs = (line: string): boolean => line.includes(node) && (line.includes(daemon) || line.includes(cli));
  return starts.every(isOurs) ? 'fine' : 'stale';
}

/** Runs a command that must succeed. */
export function must(argv: Argv, env: Environment): void {
  const { status, stderr, stdout } = runQuietly(argv, env);
  if (status === 0) return;
  throw new OutlastError('not_supported', `${argv.join(' ')} failed (${status}): ${(stderr || stdout).trim()}`);
}

/** The current crontab. None is the same as an empty one. */
export function readTable(env: Environment): string {
  return runQuietly(['crontab', '-l'], env).stdout;
}

/** Changes the crontab; false when that changes nothing. */
export function setTable(env: Environment, change: (table: string) => string): boolean {
  const before = readTable(env);
  const after = change(before);
  if (after === before) return false;
  const { status, stderr } = runQuietly(['crontab', '-'], env, after);
  if (status !== 0) throw new OutlastError('not_supported', `crontab - failed (${status}): ${stderr.trim()}`);
  return true;
}

/** Drop-ins of earlier installs, for any unit. */
function dropIns(facts: Facts, plan: Plan): { path: string }[] {
  if (plan.starter !== 'systemd') return [];
  const folder = path.join(facts.configHome, 'systemd', 'user');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const folders = names.filter((name) => name.endsWith('.service.d'));
  const known = new Set(plan.files.map((file) => file.path));
  const all = folders.map((name) => path.join(folder, name, `outlast${facts.suffix}.conf`));
  return all.filter((file) => !known.has(file)).map((file) => ({ path: file }));
}

function write(file: string, text: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(`${file}.tmp`, text, { mode: 0o600 });
    fs.renameSync(`${file}.tmp`, file);
  } catch (cause) {
    throw new OutlastError('not_supported', `cannot write ${file}: ${causeText(cause)}`, { cause });
  }
}

function read(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function removeIfEmpty(folder: string): void {
  try {
    if (/\.(wants|d)$/.test(folder)) fs.rmdirSync(folder);
  } catch {
    // The folder has other files.
  }
}
