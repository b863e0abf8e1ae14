// Where the kernel keeps groups of processes, by what /proc says. Pure: nothing is read or written here.

/** The group that a process is in, as a folder, of each kind of hierarchy that can bound memory. */
export interface OwnGroups {
  readonly v1: string | null;
  readonly v2: string | null;
}

/** The files of a group of one kind. */
export interface GroupFiles {
  /** What all in it may use. */
  readonly limit: string;
  /** The file that limits memory together with swap, and the value to write into it. */
  readonly swap: { readonly file: string; readonly value: (bytes: number) => string };
  /** Where it says how many it killed. */
  readonly events: string;
}

/** How each kind calls its files. */
export const GROUP_FILES: Readonly<Record<keyof OwnGroups, GroupFiles>> = {
  v1: {
    limit: 'memory.limit_in_bytes',
    swap: { file: 'memory.memsw.limit_in_bytes', value: String },
    events: 'memory.oom_control',
  },
  v2: { limit: 'memory.max', swap: { file: 'memory.swap.max', value: () => '0' }, events: 'memory.events' },
};

/** Finds the groups in the words of /proc/self/cgroup and /proc/self/mountinfo. */
export function ownGroups(cgroup: string, mountinfo: string): OwnGroups {
  const lines = cgroup.split('\n').map((line) => /^\d+:([^:]*):(.*)$/.exec(line));
  const pathOf = (isWanted: (names: string) => boolean): string | null =>
    lines.find((found) => found !== null && isWanted(found[1] ?? ''))?.[2] ?? null;
  const mounts = mountinfo.split('\n').flatMap(mountOf);
  const folderOf = (kind: string, option: string | null, path: string | null): string | null => {
    const mount = mounts.find((each) => each.kind === kind && (option === null || each.options.includes(option)));
    return mount === undefined || path === null ? null : below(mount, path);
  };
  return {
    v1: folderOf(
      'cgroup',
      'memory',
      pathOf((names) => names.split(',').includes('memory')),
    ),
    v2: folderOf(
      'cgroup2',
      null,
      pathOf((names) => names === ''),
    ),
  };
}

/** Is memory among what a group can bound, by the words of the kernel? */
export function hasMemory(words: string): boolean {
  return words.split(/\s+/).includes('memory');
}

/** The words that start a command in a scope of systemd with a bound of its own. */
export function scopeArgv(systemdRun: string, wish: { unit: string; bytes: number; isUser: boolean }): string[] {
  return [
    systemdRun,
    ...(wish.isUser ? ['--user'] : []),
    '--scope',
    '--quiet',
    '--collect',
    `--unit=${wish.unit}`,
    `--property=MemoryMax=${wish.bytes}`,
    '--property=MemorySwapMax=0',
    '--',
  ];
}

interface Mount {
  readonly root: string;
  readonly point: string;
  readonly kind: string;
  readonly options: readonly string[];
}

function mountOf(line: string): Mount[] {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, point] = before.split(' ');
  const [kind, , options = ''] = after.split(' ');
  if (root === undefined || point === undefined || kind === undefined) return [];
  return [{ root: unescaped(root), point: unescaped(point), kind, options: options.split(',') }];
}

/** Blanks and the like are octal there. */
function unescaped(path: string): string {
  return path.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Of a mount that shows only a part of the hierarchy, the rest of the path counts. */
function below({ root, point }: Mount, path: string): string | null {
  const base = root === '/' ? '' : root;
  if (path !== base && !path.startsWith(`${base}/`)) return null;
  const rest = path.slice(base.length);
  return rest === '' || rest === '/' ? point : `${point}${rest}`;
}
