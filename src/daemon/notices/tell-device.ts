import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { NoticeConfig } from '../config/schema.ts';
import type { NoticeItem } from './item.ts';
import { send } from './routes.ts';

/** A browser that signed in. */
export interface NewDevice {
  readonly browser: string;
  readonly grants: readonly string[];
  /** Who made its link. */
  readonly by: string;
  readonly atMs: number;
}

interface TellParts {
  readonly clock: Clock;
  readonly log: Log;
}

const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 300_000;

/**
 * Tells people that a browser may now use the web page, by the notices for what is announced or for devices. It does
 * not wait for the end of quiet hours: a person who did not expect it should know at once.
 */
export async function tellDevice(
  { clock, log }: TellParts,
  notices: readonly NoticeConfig[],
  device: NewDevice,
  stopping: AbortSignal,
): Promise<void> {
  const meant = notices.filter(({ on }) => on.some((word) => word === 'device' || word === 'announced'));
  const delivery = { id: `device-${device.atMs}`, items: [itemOf(device)] };
  await Promise.all(
    meant.map(async (notice) => {
      for (let tries = 1; tries <= notice.triesMax && !stopping.aborted; tries += 1) {
        const sent = await send(notice, delivery, clock, stopping);
        if (sent.ok || stopping.aborted) return;
        log(`notice ${notice.name}: try ${tries} of ${notice.triesMax} about a device failed: ${sent.why}`);
        if (sent.isFinal) return;
        await clock.sleep(Math.min(BACKOFF_MS_MIN * 2 ** (tries - 1), BACKOFF_MS_MAX), stopping);
      }
    }),
  );
}

function itemOf({ browser, grants, by, atMs }: NewDevice): NoticeItem {
  return {
    session: '',
    name: null,
    event: 'device.signed_in',
    position: 0,
    at: new Date(atMs).toISOString(),
    exit: null,
    outcome: null,
    failed: false,
    why: `signed in to the web page, with the grants ${grants.join(', ')}`,
    command: browser,
    snippet: `The link was made by ${by}.`,
    read: 'outlast web devices',
    tookMs: 0,
  };
}
