import { fs, path } from '../../client/node.ts';

/** The version of this package, from the nearest package.json that is ours. */
export function version(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    const found = fs.existsSync(file)
      ? (JSON.parse(fs.readFileSync(file, 'utf8')) as { name?: string; version?: string })
      : {};
    if (found.name === 'outlast') return found.version ?? 'unknown';
    if (folder === path.dirname(folder)) return 'unknown';
  }
}
