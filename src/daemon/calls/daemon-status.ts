import type { CallOutput } from '../../api/contract.ts';
import type { LiveConfig } from '../config/live.ts';
import { placeAt } from '../journal/cursor.ts';
import { lastAway } from '../machine/away.ts';
import { VERSION } from '../machine/version.ts';
import type { Parts } from '../serve/parts.ts';

/** The status of the daemon. */
export function daemonStatus({
  config,
  liveConfig,
  journal,
  notices,
  otel,
  boot,
  startedAtMs,
}: Parts): CallOutput<'daemon.status'> {
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
    config: configStateOf(liveConfig),
    otel: otel().status(),
    notices: notices.status().map(({ deliveredAtMs: _, ...notice }) => notice),
  };
}

function configStateOf(liveConfig: LiveConfig): CallOutput<'daemon.status'>['config'] {
  const { unread, waiting, ...rest } = liveConfig.state();
  return { ...rest, unread: [...unread], waiting: [...waiting] };
}

/** The memory in use. If no file descriptor is left to read it, the peak is returned instead of an error. */
function rssBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
