import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mounts another boot id, starts the programs of this machine, and reaps their processes. */
const INIT = `[ -z "$1" ] || mount --bind "$1" /proc/sys/kernel/random/boot_id || exit 9
shift; agents=$1; shift
"$@" &
[ -e "$agents" ] && sh "$agents"
while :; do wait; sleep 1; done`;

/** The command prefix that runs a daemon on its own simulated machine, which ends with the daemon. */
export function machine(root: string, agents: string): string[] {
  const boot = join(root, `boot-${randomUUID()}`);
  writeFileSync(boot, `${randomUUID()}\n`);
  return [...APART, 'sh', '-c', INIT, 'init', boot, agents];
}

/** The command prefix that runs a daemon in a container, with the boot id of the host's kernel. */
export function container(agents: string): string[] {
  return [...APART, 'sh', '-c', INIT, 'init', '', agents];
}

const APART = ['unshare', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];
