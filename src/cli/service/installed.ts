import { fs, path } from '../../client/node.ts';
import { readTable, standingOf } from './apply.ts';
import { tableWithout } from './cron.ts';
import { readFacts } from './facts.ts';
import { type Facts, MARK, type Plan, type Starter } from './plan.ts';
import { planOf } from './plan-of.ts';
import { hostsIn } from './systemd.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What starts the daemon at boot; null: nothing does. */
export function installedStarter(env: Environment): Starter | null {
  const facts = readFacts(env);
  return allPlans(facts).find((plan) => isInstalled(plan, facts, env))?.starter ?? null;
}

/** The plans of every manager that may have been used: the install may have run in another environment. */
export function allPlans(facts: Facts, starter?: Starter): Plan[] {
  const all: Starter[] = ['systemd', 'launchd', ...(facts.crontab ? (['cron'] as const) : [])];
  return (starter === undefined ? all : [starter]).map((each) => {
    return planOf(facts, { starter: each, after: [], web: each === 'systemd' ? installedWeb(facts) : null });
  });
}

/** The names of proxies for the web page that an install serves; null: none serves it. */
export function installedWeb({ configHome, suffix }: Facts): string[] | null {
  const file = path.join(configHome, 'systemd', 'user', `outlast${suffix}-web.service`);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return text.includes(MARK) ? hostsIn(text) : null;
}

/** Has `service install` done this? */
export function isInstalled({ files, table }: Plan, facts: Facts, env: Environment): boolean {
  if (files.some(({ path }) => ['fine', 'stale'].includes(standingOf(path, facts)))) return true;
  if (table === null) return false;
  const before = readTable(env);
  return tableWithout(before, facts.suffix) !== before;
}
