import { fitsPath } from './glob.ts';
import type { Call } from './rules.ts';

type Places = Pick<Call, 'workspace' | 'home' | 'cwd'>;

/** The absolute path that a tool would use, without looking at the disk; null when it is not certain. */
export function absolutePath(path: string, { workspace, home, cwd }: Places): string | null {
  if (path === '' || /[\0-\x1f\x7f]/.test(path) || path.includes('\\')) return null;
  if (/^~(?!\/|$)/.test(path)) return null;
  const base = path.startsWith('~') ? home : path.startsWith('/') ? '' : (cwd ?? workspace);
  if (!path.startsWith('/') && !base.startsWith('/')) return null;
  return normal(`${base}/${path.startsWith('~') ? path.slice(1) : path}`);
}

/** True when an allow rule matches the path exactly as it is written. */
export function pathFitsNarrowly(pattern: string, path: string, places: Places): boolean {
  const [glob = '/'] = globsOf(pattern, places);
  // `src/**` matches what is in the folder, not the folder.
  return fitsPath(namesOf(glob.replace(/\/\*\*$/, '/*/**')), namesOf(path));
}

/** True when a deny or ask rule may match the path: in any letter case, at any depth, or a folder above it. */
export function pathFitsWidely(pattern: string, path: string, places: Places): boolean {
  const plain = (text: string): string[] => namesOf(text.normalize('NFKC').toLowerCase());
  const open = pattern.replaceAll(/\[[^\]/]*\]|\{[^}/]*\}/g, '*');
  return globsOf(open, places, 'wide').some((glob) => fitsPath([...plain(glob), '**'], plain(path)));
}

/** True when the rule may match something below the folder. */
export function mayBeBelow(pattern: string, folder: string, places: Places): boolean {
  const inside = folder === '/' ? '/' : `${folder}/`.toLowerCase();
  return globsOf(pattern, places, 'wide').some((glob) => {
    const fixed = (/^[^*?[]*/.exec(glob)?.[0] ?? '').toLowerCase();
    return fixed.startsWith(inside) || inside.startsWith(fixed);
  });
}

/**
 * The absolute patterns of a rule; none when they cannot be determined. `/x` and `//x` are absolute. In a settings file
 * of the agent `/x` is relative to the workspace: a deny rule means both, an allow rule only the first.
 */
function globsOf(pattern: string, places: Places, width: 'narrow' | 'wide' = 'narrow'): string[] {
  const { workspace, home } = places;
  const body = pattern.endsWith('/') ? `${pattern}**` : pattern;
  if (body.startsWith('//')) return [normal(body)];
  if (body.startsWith('/')) return width === 'wide' ? [normal(body), normal(`${workspace}/${body}`)] : [normal(body)];
  if (body === '~' || body.startsWith('~/')) return [normal(`${home}/${body.slice(1)}`)];
  if (!body.includes('/')) return [normal(width === 'wide' ? `/**/${body}` : `${workspace}/**/${body}`)];
  return [normal(`${workspace}/${body}`)];
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function namesOf(path: string): string[] {
  return path.split('/').slice(1);
}
