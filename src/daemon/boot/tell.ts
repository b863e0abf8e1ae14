import type { BootView } from '../../api/contract-boot.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { NoticeItem } from '../notices/item.ts';
import type { Notices } from '../notices/notices.ts';
import { send } from '../notices/routes.ts';

interface TellParts {
  readonly notices: Pick<Notices, 'current'>;
  readonly clock: Clock;
  readonly log: Log;
}

const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 300_000;
const LINES_MAX = 10;
const AFTER = { boot: 'Outlast after the boot', wake: 'Outlast after the sleep', asked: 'Outlast' } as const;

/**
 * Sends the notices about a scan: to those for boots, and to those for what needs a person if something does. Returns
 * whether that is finished: each was delivered or given up.
 */
export async function tellBoot(
  { notices: all, clock, log }: TellParts,
  boot: BootView,
  stopping: AbortSignal,
): Promise<boolean> {
  if ((boot.counts.interrupted ?? 0) === 0) return true;
  const needsPerson = boot.conversations.some(({ verdict, did }) => verdict === 'interrupted' && did !== 'resumed');
  const notices = all
    .current()
    .filter(
      ({ on }) => on.some((word) => word === 'boot') || (needsPerson && on.some((word) => word === 'session.held')),
    );
  const delivery = { id: `boot-${boot.atMs}`, items: [itemOf(boot)] };
  await Promise.all(
    notices.map(async (notice) => {
      for (let tries = 1; tries <= notice.triesMax && !stopping.aborted; tries += 1) {
        const sent = await send(notice, delivery, clock, stopping);
        if (sent.ok) return;
        log(`notice ${notice.name}: try ${tries} of ${notice.triesMax} to report a scan failed: ${sent.why}`);
        await clock.sleep(Math.min(BACKOFF_MS_MIN * 2 ** (tries - 1), BACKOFF_MS_MAX), stopping);
      }
    }),
  );
  return !stopping.aborted;
}

function itemOf(boot: BootView): NoticeItem {
  const interrupted = boot.conversations.filter(({ verdict }) => verdict === 'interrupted');
  const lines = interrupted.map(({ agent, id, did, why, detail }) => {
    const what = did === 'nothing' ? why : `${did}${detail === null ? '' : `: ${detail}`}`;
    return `${agent} ${id}: ${what}`;
  });
  return {
    session: '',
    name: null,
    event: 'boot',
    position: 0,
    at: new Date(boot.atMs).toISOString(),
    exit: null,
    outcome: null,
    failed: interrupted.some(({ did }) => did === 'failed'),
    why: boot.summary,
    command: AFTER[boot.why],
    snippet: lines.slice(0, LINES_MAX).join('\n'),
    read: 'outlast boot --last',
    tookMs: boot.tookMs,
  };
}
