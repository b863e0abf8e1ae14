import { OutlastError } from '../../client/index.ts';
import { cronPlan } from './cron.ts';
import { launchdPlan } from './launchd.ts';
import type { Facts, Keeper, Plan, Wish } from './plan.ts';
import { systemdPlan } from './systemd.ts';

/** The plan for this machine. */
export function planOf(facts: Facts, wish: Wish): Plan {
  const keeper = wish.keeper ?? keeperOf(facts);
  const after = wish.after.map(unitName);
  if (after.length > 0 && keeper !== 'systemd')
    throw new OutlastError('not_supported', `--after needs systemd: ${keeper} does not tell when a service starts`);
  switch (keeper) {
    case 'systemd':
      return systemdPlan(facts, after);
    case 'launchd':
      return launchdPlan(facts);
    case 'cron':
      return cronPlan(facts);
  }
}

function keeperOf({ platform, systemd, crontab }: Facts): Keeper {
  if (platform === 'darwin') return 'launchd';
  if (systemd === true) return 'systemd';
  if (crontab) return 'cron';
  throw new OutlastError('not_supported', `nothing here can start the daemon: ${systemd}; there is no crontab either`);
}

function unitName(word: string): string {
  const name = /\.[a-z]+$/.test(word) ? word : `${word}.service`;
  if (/^[\w:.@-]+\.service$/.test(name)) return name;
  throw new OutlastError('input_invalid', `--after: "${word}" is not the name of a service`);
}
