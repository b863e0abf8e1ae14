import type { CallOutput } from '../../api/contract.ts';
import { placeAt } from '../journal/cursor.ts';
import { lastAway } from '../machine/away.ts';
import { VERSION } from '../machine/version.ts';
import type { Parts } from '../serve/parts.ts';

/** How the daemon is. */
export function daemonStatus({ config, journal, notices, boot, startedAtMs }: Parts): CallOutput<'daemon.status'> {
  const { live, all } = journal.count();
  return {
    version: VERSION,
    pid: process.pid,
    state: config.state,
    startedAtMs,
    live,
    sessions: all,
    journal: journal.id,
    ...placeAt(journal, journal.head()),
    rssBytes: rssBytes(),
    away: lastAway(journal),
    interrupted: boot.pending(),
    notices: notices.status().map((notice) => ({ ...notice })),
  };
}

/** To read it takes a file. Where none is left, the most there ever was has to do: whoever asks wants an answer. */
function rssBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
