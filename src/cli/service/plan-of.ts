import { OutlastError } from '../../client/index.ts';
import { cronPlan } from './cron.ts';
import { launchdPlan } from './launchd.ts';
import type { Facts, Plan, ServiceOptions, Starter } from './plan.ts';
import { systemdPlan } from './systemd.ts';

/** The plan for this machine. */
export function planOf(facts: Facts, options: ServiceOptions): Plan {
  const starter = options.starter ?? starterOf(facts);
  const after = options.after.map(unitName);
  if (after.length > 0 && starter !== 'systemd')
    throw new OutlastError(
      'not_supported',
      `--after needs systemd: ${starter} cannot run something when a service starts`,
    );
  const web = options.web ?? null;
  if (web !== null && starter !== 'systemd')
    throw new OutlastError('not_supported', `--web needs systemd, which keeps the port: ${starter} cannot`);
  switch (starter) {
    case 'systemd':
      return systemdPlan(facts, after, web);
    case 'launchd':
      return launchdPlan(facts);
    case 'cron':
      return cronPlan(facts);
  }
}

function starterOf({ platform, systemd, crontab }: Facts): Starter {
  if (platform === 'darwin') return 'launchd';
  if (systemd === true) return 'systemd';
  if (crontab) return 'cron';
  throw new OutlastError('not_supported', `no service manager found: ${systemd}; there is no crontab either`);
}

function unitName(word: string): string {
  const name = /\.[a-z]+$/.test(word) ? word : `${word}.service`;
  if (/^[\w:.@-]+\.service$/.test(name)) return name;
  throw new OutlastError('input_invalid', `--after: "${word}" is not the name of a service`);
}
