import { readdirSync, readFileSync } from 'node:fs';

/** The process that keeps the search index of this state folder up to date, by its command line; null: none runs. */
export function indexerPid(state: string): number | null {
  const isIt = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${state}/search/`);
    } catch {
      return false;
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return Number(pids.find(isIt) ?? 0) || null;
}
