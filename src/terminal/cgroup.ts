// Finds the cgroups of a process from the text of /proc. Pure: nothing is read or written here.

/** The cgroup folder of a process in each kind of hierarchy that can limit memory. */
export interface OwnGroups {
  readonly v1: string | null;
  readonly v2: string | null;
}

/** The control files of a cgroup of one kind. */
export interface GroupFiles {
  /** The memory limit of the whole group. */
  readonly limit: string;
  /** The file that limits memory together with swap, and the value to write into it. */
  readonly swap: { readonly file: string; readonly value: (bytes: number) => string };
  /** The file that counts out-of-memory kills. */
  readonly events: string;
}

/** The names of the control files in each kind of hierarchy. */
export const GROUP_FILES: Readonly<Record<keyof OwnGroups, GroupFiles>> = {
  v1: {
    limit: 'memory.limit_in_bytes',
    swap: { file: 'memory.memsw.limit_in_bytes', value: String },
    events: 'memory.oom_control',
  },
  v2: { limit: 'memory.max', swap: { file: 'memory.swap.max', value: () => '0' }, events: 'memory.events' },
};

/** Finds the own cgroups from the text of /proc/self/cgroup and /proc/self/mountinfo. */
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

/** Does this list of cgroup controls, as the kernel prints it, include memory? */
export function hasMemory(words: string): boolean {
  return words.split(/\s+/).includes('memory');
}

/** The arguments that start a command in a systemd scope with its own memory limit. */
export function scopeArgv(systemdRun: string, scope: { unit: string; bytes: number; isUser: boolean }): string[] {
  return [
    systemdRun,
    ...(scope.isUser ? ['--user'] : []),
    '--scope',
    '--quiet',
    '--collect',
    `--unit=${scope.unit}`,
    `--property=MemoryMax=${scope.bytes}`,
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

/** mountinfo escapes blanks and the like in octal. */
function unescaped(path: string): string {
  return path.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** A mount may show only a part of the hierarchy; then only the rest of the path lies below it. */
function below({ root, point }: Mount, path: string): string | null {
  const base = root === '/' ? '' : root;
  if (path !== base && !path.startsWith(`${base}/`)) return null;
  const rest = path.slice(base.length);
  return rest === '' || rest === '/' ? point : `${point}${rest}`;
}
