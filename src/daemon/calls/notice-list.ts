import type { CallOutput } from '../../api/contract.ts';
import { configFile, ENVIRONMENT } from '../config/config.ts';
import { wordFor } from '../config/quiet-hours.ts';
import { findDesktop } from '../notices/desktop.ts';
import { quietUntil } from '../notices/quiet.ts';
import type { Parts } from '../serve/parts.ts';

/** The notices, and how their last deliveries went. */
export async function noticeList({ config, clock, notices }: Parts): Promise<CallOutput<'notice.list'>> {
  const desktop = await findDesktop(clock);
  const status = new Map(notices.status().map((each) => [each.name, each]));
  const listed = notices.current().map(({ name, on, route, quiet }) => {
    const { behind = 0, failed = 0, lastError = null, deliveredAtMs = null } = status.get(name) ?? {};
    const isDefault = !status.has(name);
    return {
      name,
      kind: route.kind,
      on: on.map(wordFor),
      isDefault,
      keepsQuietHours: quiet,
      behind,
      failed,
      lastError,
      deliveredAtMs,
    };
  });
  return {
    // Where there is no desktop, the notice for it tells nobody.
    notices: listed.filter(({ isDefault }) => !isDefault || desktop.is),
    desktop: desktop.is ? null : desktop.why,
    quietUntilMs: quietUntil(config.quietHours, clock.wallMs()),
    file: configFile(ENVIRONMENT),
  };
}
