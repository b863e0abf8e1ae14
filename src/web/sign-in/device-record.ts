import type { LinkView } from '../../api/page-shape.ts';
import type { Log } from '../../base/log.ts';
import type { Outlast } from '../../client/index.ts';
import type { Device } from './devices.ts';

/** Who made a link or signed a browser out, when it was a person at the command line. */
export const COMMAND_LINE = 'caller';
/** Who signed a browser out that nobody used for a month. */
export const DISUSE = 'disuse';

type Known = Pick<Device, 'id' | 'name' | 'grants'>;

/** Has the daemon record who got access and who lost it: in its audit, which outlives this server. */
export class DeviceRecord {
  readonly #outlast: Pick<Outlast, 'approvals'>;
  readonly #log: Log;

  constructor(outlast: Pick<Outlast, 'approvals'>, log: Log) {
    this.#outlast = outlast;
    this.#log = log;
  }

  /** Records a link. One that cannot be recorded is not handed out. */
  async linked(link: LinkView, by: string): Promise<LinkView> {
    await this.#outlast.approvals.recordDevice({
      did: 'linked',
      device: null,
      browser: null,
      grants: [...link.grants],
      by,
    });
    return link;
  }

  /** Records that a browser got access. */
  async signedIn({ id, name, grants }: Known, by: string): Promise<void> {
    await this.#outlast.approvals.recordDevice({
      did: 'signed_in',
      device: id,
      browser: name,
      grants: [...grants],
      by,
    });
  }

  /** Records that a browser lost its access. It has lost it already, also if this fails. */
  async signedOut({ id, name, grants }: Known, by: string): Promise<void> {
    try {
      await this.#outlast.approvals.recordDevice({
        did: 'signed_out',
        device: id,
        browser: name,
        grants: [...grants],
        by,
      });
    } catch (error) {
      this.#log('the audit could not record a sign-out', { device: id, error: String(error) });
    }
  }
}
