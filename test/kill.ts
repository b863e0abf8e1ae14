/** Sends a signal to a process that is known. Without one it would go to our own group. */
export function kill(pid: number | null | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === null || pid === undefined || pid <= 1) throw new Error(`there is no process to kill: ${pid}`);
  process.kill(pid, signal);
}
