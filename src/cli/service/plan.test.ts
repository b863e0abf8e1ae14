import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableWith, tableWithout } from './cron.ts';
import type { Facts, Plan, Starter } from './plan.ts';
import { planOf } from './plan-of.ts';

const FACTS: Facts = {
  platform: 'linux',
  user: 'ana',
  uid: 1000,
  home: '/home/ana',
  configHome: '/home/ana/.config',
  state: '/home/ana/.local/state/outlast',
  suffix: '',
  node: '/opt/node 24/bin/node',
  daemon: '/opt/outlast/dist/daemon.js',
  cli: '/opt/outlast/bin/outlast.cjs',
  env: { HOME: '/home/ana', LANG: 'C.UTF-8', OUTLAST_SHELL: `/bin/100%"$\\'<sh>&`, PATH: '/usr/bin:/bin' },
  systemd: true,
  lingers: false,
  busMonitor: 'dbus-monitor',
  crontab: true,
  ipv6: true,
  webPort: 7717,
};

const plan = (more: Partial<Facts> = {}, starter?: Starter, ...after: string[]): Plan =>
  planOf({ ...FACTS, ...more }, { starter, after });

/** Everything that a person sees with --print. */
function shown({ files, links, table, start, stop, last, bring, says }: Plan): string {
  const commands = { start, stop, last, bring: bring === null ? [] : [bring] };
  return [
    ...files.map(({ path, text }) => `==> ${path} <==\n${text}`),
    ...links.map(({ path, to }) => `==> ${path} -> ${to}\n`),
    ...(table === null ? [] : [`==> crontab <==\n${table}`]),
    ...Object.entries(commands).flatMap(([name, all]) => all.map((argv) => `${name}: ${argv.join(' ')}`)),
    ...says.map((line) => `says: ${line}`),
    '',
  ].join('\n');
}

describe('what is written for each service manager', () => {
  test.each([
    ['systemd', () => plan({}, undefined, 'openclaw-gateway')],
    ['systemd-web', () => planOf({ ...FACTS, suffix: '-0a1b2c3d' }, { after: [], web: ['desk.tail1234.ts.net'] })],
    ['systemd-other', () => plan({ suffix: '-0a1b2c3d', lingers: true, busMonitor: null })],
    ['systemd-gdbus', () => plan({ lingers: true, busMonitor: 'gdbus' })],
    [
      'launchd',
      () => plan({ platform: 'darwin', systemd: 'systemctl is not installed', home: '/Users/ana', uid: 501 }),
    ],
    ['cron', () => plan({ systemd: 'systemctl is not installed' })],
  ] as const)('is the same as in cases/%s.txt', (name, make) => {
    expect(shown(make())).toBe(readFileSync(join(import.meta.dirname, 'cases', `${name}.txt`), 'utf8'));
  });
});

describe('the service manager', () => {
  test('is the first that the system has: launchd, systemd, then cron', () => {
    expect(plan({ platform: 'darwin' }).starter).toBe('launchd');
    expect(plan().starter).toBe('systemd');
    expect(plan({ systemd: 'no bus' }).starter).toBe('cron');
    expect(plan({ systemd: 'no bus' }, 'systemd').starter).toBe('systemd');
  });

  test('is refused with the reason if the system has none', () => {
    expect(() => plan({ systemd: 'no bus', crontab: false })).toThrow(
      'no service manager found: no bus; there is no crontab either',
    );
  });

  test('must be systemd to start after another service', () => {
    expect(() => plan({}, 'cron', 'x.service')).toThrow('--after needs systemd');
  });

  test('must be systemd to keep the port of the web page', () => {
    expect(() => planOf(FACTS, { starter: 'cron', after: [], web: [] })).toThrow('--web needs systemd');
  });

  test.each(['../x.service', 'a/b', 'x.timer', 'a b.service', ''])('"%s" is not the name of a service', (name) => {
    expect(() => plan({}, 'systemd', name)).toThrow('is not the name of a service');
  });
});

describe('the crontab', () => {
  const ours = plan({}, 'cron').table ?? '';
  const theirs = '# mine\n0 4 * * * backup';

  test('has our lines once, at its end, however often they are written', () => {
    const once = tableWith(theirs, ours, '');
    expect(once).toBe(`${theirs}\n${ours}`);
    expect(tableWith(once, ours, '')).toBe(once);
    expect(tableWith('', ours, '')).toBe(ours);
  });

  test('is as before when our lines are removed', () => {
    expect(tableWithout(tableWith(`${theirs}\n`, ours, ''), '')).toBe(`${theirs}\n`);
    expect(tableWithout(theirs, '')).toBe(theirs);
  });

  test('is left alone if our lines are of another state folder, or incomplete', () => {
    const other = tableWith(theirs, ours, '');
    expect(tableWithout(other, '-0a1b2c3d')).toBe(other);
    const torn = other.replace('# outlast: end\n', '');
    expect(tableWithout(torn, '')).toBe(torn);
  });
});
