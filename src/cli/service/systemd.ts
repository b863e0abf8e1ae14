import { path } from '../../client/node.ts';
import { type Argv, type Facts, MARK, type Plan } from './plan.ts';

/**
 * The daemon notifies the watchdog three times in this period; without a notification for this long, systemd restarts
 * it.
 */
const WATCHDOG_SEC = 30;

/** Units for the systemd of one user. */
export function systemdPlan(facts: Facts, after: readonly string[], web: readonly string[] | null): Plan {
  const folder = path.join(facts.configHome, 'systemd', 'user');
  const name = `outlast${facts.suffix}`;
  const webUnits = web === null ? [] : [webSocketUnit(facts), `${name}-web.service`];
  const units = [`${name}.service`, ...(facts.busMonitor === null ? [] : [`${name}-wake.service`]), ...webUnits];
  const file = (unit: string, ...lines: string[]) => ({
    path: path.join(folder, unit),
    text: `# ${MARK}\n${lines.join('\n')}\n`,
  });
  const isActive: Argv = ['systemctl', '--user', 'is-active', `${name}.service`];
  return {
    starter: 'systemd',
    files: [
      file(`${name}.service`, ...daemonUnit(facts)),
      ...(facts.busMonitor === null ? [] : [file(`${name}-wake.service`, ...wakeUnit(facts, facts.busMonitor))]),
      file(`${name}-boot.service`, ...bootUnit(facts)),
      ...(web === null
        ? []
        : [file(webSocketUnit(facts), ...webSocket(facts)), file(`${name}-web.service`, ...webUnit(facts, web))]),
      ...after.map((unit) => file(`${unit}.d/${name}.conf`, ...dropIn(name))),
    ],
    links: units.map((unit) => ({
      path: path.join(folder, 'default.target.wants', unit),
      to: path.join(folder, unit),
    })),
    table: null,
    start: [systemctl('daemon-reload'), systemctl('restart', ...units)],
    stop: [systemctl('stop', ...units)],
    last: [systemctl('daemon-reload')],
    isActive,
    bring: systemctl('start', '--no-block', `${name}.service`),
    says: says(facts),
  };
}

function systemctl(...words: string[]): Argv {
  return ['systemctl', '--user', ...words];
}

function daemonUnit({ node, daemon, env, state }: Facts): string[] {
  return [
    '[Unit]',
    'Description=Outlast: sessions that outlast crashes, restarts and reboots',
    'StartLimitIntervalSec=300',
    'StartLimitBurst=20',
    '',
    '[Service]',
    'Type=notify',
    '# Notified by a program that the daemon starts for it.',
    'NotifyAccess=all',
    `ExecStart=${command(node, daemon, '--wait')}`,
    ...Object.entries(env).map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}`),
    'UMask=0077',
    `StandardOutput=append:${literal(path.join(state, 'daemon.log'))}`,
    'StandardError=inherit',
    '# Sessions are in the same control group: only the daemon itself is ended, whatever happens to one of them.',
    'KillMode=process',
    'OOMPolicy=continue',
    'TasksMax=infinity',
    'Restart=on-failure',
    'RestartSec=1',
    '# A restart does not fix an invalid config.',
    'RestartPreventExitStatus=2',
    'TimeoutStartSec=60',
    'TimeoutStopSec=30',
    `WatchdogSec=${WATCHDOG_SEC}`,
    'WatchdogSignal=SIGKILL',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
}

const LISTEN = {
  'dbus-monitor': `dbus-monitor --system "type=signal,interface=org.freedesktop.login1.Manager,member=PrepareForSleep"`,
  gdbus: 'gdbus monitor --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1',
};

/** The user's manager has no sleep.target, and that one is reached before the machine sleeps: logind signals both. */
function wakeUnit({ node, cli, env, suffix }: Facts, monitor: keyof typeof LISTEN): string[] {
  const script = `${LISTEN[monitor]} | while read -r line; do case $$line in
    *PrepareForSleep*false*|*boolean?false*) "$$@" daemon wake;; esac; done`.replaceAll(/\n\s+/g, ' ');
  return [
    '[Unit]',
    'Description=Outlast: notifies the daemon that the machine woke up',
    `After=outlast${suffix}.service`,
    '',
    '[Service]',
    `ExecStart=/bin/sh -c '${script}' sh ${words(node, cli)}`,
    ...Object.entries(env).map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}`),
    'Restart=always',
    'RestartSec=30',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
}

function bootUnit({ node, cli, env, suffix }: Facts): string[] {
  return [
    '[Unit]',
    'Description=Outlast: resumes what was interrupted',
    `After=outlast${suffix}.service`,
    '',
    '[Service]',
    'Type=oneshot',
    `ExecStart=${command(node, cli, 'boot', '--tell')}`,
    ...Object.entries(env).map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}`),
    '# It may have to start the daemon.',
    'KillMode=process',
  ];
}

function webSocketUnit({ suffix }: Facts): string {
  return `outlast${suffix}-web.socket`;
}

function webSocket({ webPort, ipv6 }: Facts): string[] {
  return [
    '[Unit]',
    'Description=Outlast: keeps the port of the web page',
    '',
    '[Socket]',
    '# Browsers trust the program that has this port: systemd keeps it also while the server restarts.',
    `ListenStream=127.0.0.1:${webPort}`,
    ...(ipv6 ? [`ListenStream=[::1]:${webPort}`] : []),
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
}

function webUnit(facts: Facts, hosts: readonly string[]): string[] {
  const { node, cli, env, suffix } = facts;
  const named = hosts.flatMap((host) => ['--host', host]);
  return [
    '[Unit]',
    'Description=Outlast: serves the web page',
    `Requires=${webSocketUnit(facts)}`,
    `After=${webSocketUnit(facts)} outlast${suffix}.service`,
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `ExecStart=${command(node, cli, 'web', '--service', ...named)}`,
    ...Object.entries(env).map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}`),
    'UMask=0077',
    '# It may have to start the daemon.',
    'KillMode=process',
    'Restart=always',
    'RestartSec=5',
    '# A restart does not fix wrong options.',
    'RestartPreventExitStatus=2',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
}

/** The names of proxies in a unit that an install wrote before. */
export function hostsIn(unit: string): string[] {
  return [...unit.matchAll(/"--host" "([^"]*)"/g)].map(([, host = '']) => host);
}

function dropIn(name: string): string[] {
  return ['[Unit]', `Wants=${name}-boot.service`, `Before=${name}-boot.service`];
}

function says({ lingers, user, busMonitor }: Facts): string[] {
  const lines: string[] = [];
  if (!lingers) {
    lines.push(
      `systemd starts this when ${user} logs in, and ends all processes of ${user} after the last logout.`,
      'To start it at boot and keep it after a logout, run: loginctl enable-linger',
    );
  }
  if (busMonitor === null)
    lines.push('Neither dbus-monitor nor gdbus is installed: the daemon detects a wake-up by itself.');
  return lines;
}

/** systemd does not accept a program with such a name; as an argument of another one it does. */
function command(program: string, ...rest: string[]): string {
  const isPlain = /^[\w/.@+ -]+$/.test(program);
  return isPlain ? words(program, ...rest) : `/bin/sh -c 'exec "$$@"' sh ${words(program, ...rest)}`;
}

function words(...all: string[]): string {
  return all.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ');
}

/** One word quoted for systemd, with nothing that it would expand. */
function quoted(word: string): string {
  return `"${literal(word).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function literal(word: string): string {
  return word.replaceAll('%', '%%');
}
