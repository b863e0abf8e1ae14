import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mounts another boot id, starts the programs of this machine, and waits for them. Its first process reaps. */
const INIT = `[ -z "$1" ] || mount --bind "$1" /proc/sys/kernel/random/boot_id || exit 9
shift; agents=$1; shift
"$@" &
[ -e "$agents" ] && sh "$agents"
while :; do wait; sleep 1; done`;

/** The command prefix that runs a daemon on its own machine, which ends with it. */
export function machine(root: string, agents: string): string[] {
  const boot = join(root, `boot-${randomUUID()}`);
  writeFileSync(boot, `${randomUUID()}\n`);
  return [...APART, 'sh', '-c', INIT, 'init', boot, agents];
}

/** The same for a container: its kernel is that of the machine. */
export function container(agents: string): string[] {
  return [...APART, 'sh', '-c', INIT, 'init', '', agents];
}

const APART = ['unshare', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];
