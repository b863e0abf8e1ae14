import { fs, path } from '../../client/node.ts';
import { type Found, namesIn, type Places, removeIfEmpty } from './found.ts';

/** What we keep in the cache folder: compiled code, and what `npm start` and `npm test` of a clone fetch. */
const CACHED = /^(?:compiled|agents|node-\d[\d.]*|(?:acpx|inspector)-\d[\w.]*)$/;

/** Everything that a daemon makes in its state folder. */
const STORED = new RegExp(
  `^(?:${[
    '(?:outlast|lock)\\.db(?:-wal|-shm|-journal)?|daemon\\.(?:log|pid|sock)|.*\\.tmp',
    'beat|boot|bin|backups|damaged|exits|fallback|images|mcp-token|news|planned|programs|rules|service\\.json',
    'schedules|search|sessions|shells|spool|tmux|trust|worktrees',
  ].join('|')})$`,
);

/** The caches, and the Node that `service install` put aside. */
export function cachesFound({ cache, data }: Places): Found[] {
  const folder = path.join(cache, 'outlast');
  const node = path.join(data, 'outlast', 'node');
  return [
    ...namesIn(folder)
      .filter((name) => CACHED.test(name))
      .map((name) => removal('cache', path.join(folder, name))),
    ...(fs.existsSync(node) ? [removal('node', node)] : []),
  ];
}

/** The config is written by its user, so it stays. */
export function configFound({ config, env }: Places): Found[] {
  const file = env.OUTLAST_CONFIG || path.join(config, 'outlast', 'config.json');
  if (!fs.existsSync(file)) return [];
  return [{ kind: 'config', what: file, remove: null, stays: 'you wrote it: remove it yourself' }];
}

/** The state folder: sessions, their output, the journal. Only what a daemon makes there is removed. */
export function stateFound({ state }: Places, isWanted: boolean): Found[] {
  const names = namesIn(state);
  if (names.length === 0) return [];
  const stays = (why: string): Found[] => [{ kind: 'state', what: state, remove: null, stays: why }];
  if (!isWanted) return stays('your sessions and their output: --state removes them too');
  if (!names.some((name) => /^(?:outlast\.db|lock\.db|daemon\.log)$/.test(name))) return stays('not a state folder');
  if (namesIn(path.join(state, 'worktrees')).length > 0)
    return stays('it has worktrees, which may contain work: run `outlast remove S` for those sessions first');
  const known = names.filter((name) => STORED.test(name));
  const remove = (): void => {
    for (const name of known) fs.rmSync(path.join(state, name), { recursive: true, force: true });
    // The daemon has ended since, and may have left a last file.
    for (const name of namesIn(state).filter((each) => STORED.test(each)))
      fs.rmSync(path.join(state, name), { recursive: true, force: true });
    removeIfEmpty(state);
  };
  const others = names.filter((name) => !STORED.test(name));
  const rest = others.length === 0 ? '' : ` (not ${others.join(', ')}, which we did not make)`;
  return [{ kind: 'state', what: `${state}${rest}`, remove }];
}

function removal(kind: Found['kind'], what: string): Found {
  return {
    kind,
    what,
    remove: () => {
      fs.rmSync(what, { recursive: true, force: true });
      removeIfEmpty(path.dirname(what));
    },
  };
}
