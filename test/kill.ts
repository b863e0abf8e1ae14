/** Sends a signal to a process. Throws without a valid pid: 0 would signal our own process group. */
export function kill(pid: number | null | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === null || pid === undefined || pid <= 1) throw new Error(`there is no process to kill: ${pid}`);
  process.kill(pid, signal);
}
