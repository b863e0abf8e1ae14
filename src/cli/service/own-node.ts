import { fs, path } from '../../client/node.ts';
import { type Facts, MARK } from './plan.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The Node that a service runs: this one, or a copy of it where no cleaner of caches comes. */
export function lastingNode(env: Environment): string {
  return isPassing(process.execPath, env) ? keptNode(env) : process.execPath;
}

/** Copies this Node to where the service expects it. The old copy is replaced in one step: it may be running. */
export function keepNode({ node }: Facts, env: Environment): void {
  if (node === process.execPath || node !== keptNode(env)) return;
  const fresh = `${node}.${process.pid}`;
  fs.mkdirSync(path.dirname(node), { recursive: true });
  fs.copyFileSync(process.execPath, fresh, fs.constants.COPYFILE_FICLONE);
  fs.renameSync(fresh, node);
}

/** Is this file in a folder that is cleaned without asking: a cache, or one for temporary files? */
export function isPassing(file: string, env: Environment): boolean {
  const home = env.HOME || process.getBuiltinModule('node:os').homedir();
  const caches = [env.XDG_CACHE_HOME || path.join(home, '.cache'), '/tmp', '/var/tmp', '/dev/shm'];
  return caches.some((folder) => file.startsWith(`${folder}/`)) || file.includes('/_npx/');
}

/** What is wrong with the programs that installed units start; empty when nothing is. */
export function unitMistakes({ configHome, suffix }: Pick<Facts, 'configHome' | 'suffix'>, env: Environment): string[] {
  const folder = path.join(configHome, 'systemd', 'user');
  return ['', '-wake', '-boot', '-web'].flatMap((part) => {
    const file = path.join(folder, `outlast${suffix}${part}.service`);
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (!text.includes(MARK)) return [];
    const programs = [...text.matchAll(/^ExecStart=.*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/"(\/[^"]*\/(?:node|daemon\.js|outlast\.cjs))"/g)].map(([, program = '']) => program),
    );
    const gone = programs.find((program) => !fs.existsSync(program));
    if (gone !== undefined) return [`${file} starts ${gone}, which does not exist`];
    const passing = programs.find((program) => isPassing(program, env));
    return passing === undefined ? [] : [`${file} starts ${passing}, which a cleaner of caches may delete`];
  });
}

function keptNode(env: Environment): string {
  const home = env.HOME || process.getBuiltinModule('node:os').homedir();
  return path.join(env.XDG_DATA_HOME || path.join(home, '.local', 'share'), 'outlast', 'node', 'bin', 'node');
}
