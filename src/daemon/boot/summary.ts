import type { BootView } from '../../api/contract-boot.ts';

/** The results of a scan in one line. */
export function summaryOf({ counts, conversations, foreign, dryRun }: Omit<BootView, 'summary'>): string {
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const interrupted = counts.interrupted ?? 0;
  if (all === 0) return 'No conversation was found';
  const found = `${interrupted} of ${all} conversations ${interrupted === 1 ? 'was' : 'were'} interrupted`;
  const times = (did: string): number => conversations.filter((one) => one.did === did).length;
  const done = [
    ...part(times('resumed'), 'resumed'),
    ...part(times('held'), times('held') === 1 ? 'needs a person' : 'need a person'),
    ...part(times('failed'), 'could not be resumed'),
  ];
  if (done.length > 0) return `${found}; ${done.join(', ')}`;
  if (interrupted === 0 || dryRun) return found;
  return foreign === 'auto' ? found : `${found}; to continue: outlast boot --resume all`;
}

function part(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
