// The variables of the earlier system, which some shells still set; docs/guides/recovery.md says what each means.

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'MONITOR_';
const KNOWN = ['BASE_INTERVAL', 'MAX_INTERVAL', 'DEADLINE', 'GRACE_PERIOD', 'MAX_RETRIES'].map((name) => PREFIX + name);
const WITHOUT_EFFECT = 'MONITOR_DISPATCH_WAIT';

/** The values of the variables; undefined where a variable is not set. */
export interface MonitorSettings {
  readonly deadlineMs: number | undefined;
  readonly resumesMax: number | undefined;
  readonly backoffMsMin: number | undefined;
  readonly backoffMsMax: number | undefined;
  readonly interruptMsMax: number | undefined;
}

/** Reads the variables. */
export function monitorSettings(env: Environment): MonitorSettings {
  return {
    deadlineMs: secondsOf(env, 'MONITOR_DEADLINE'),
    resumesMax: numberOf(env, 'MONITOR_MAX_RETRIES'),
    backoffMsMin: secondsOf(env, 'MONITOR_BASE_INTERVAL'),
    backoffMsMax: secondsOf(env, 'MONITOR_MAX_INTERVAL'),
    interruptMsMax: secondsOf(env, 'MONITOR_GRACE_PERIOD'),
  };
}

/** One line about variables that change nothing; null when there are none. */
export function monitorWarning(env: Environment): string | null {
  const unread = KNOWN.filter((name) => isSet(env, name) && numberOf(env, name) === undefined);
  const vain = isSet(env, WITHOUT_EFFECT) ? [`${WITHOUT_EFFECT} has no effect: nothing is resumed on a timer`] : [];
  const wrong = unread.length === 0 ? [] : [`${unread.join(', ')} ignored: not a whole number`];
  const both = [...vain, ...wrong];
  return both.length === 0 ? null : both.join('; ');
}

/** The environment without them. */
export function withoutMonitor(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(PREFIX)));
}

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '';
}

function numberOf(env: Environment, name: string): number | undefined {
  const word = env[name] ?? '';
  return /^\d{1,9}$/.test(word) ? Number(word) : undefined;
}

function secondsOf(env: Environment, name: string): number | undefined {
  const seconds = numberOf(env, name);
  return seconds === undefined ? undefined : seconds * 1_000;
}
