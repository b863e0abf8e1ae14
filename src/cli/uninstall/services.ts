import { serviceFile } from '../../client/bring.ts';
import { fs, path } from '../../client/node.ts';
import { readTable, setTable } from '../service/apply.ts';
import { suffixesIn, tableWithout } from '../service/cron.ts';
import { type Argv, MARK } from '../service/plan.ts';
import { runQuietly } from '../service/run-quietly.ts';
import { type Found, namesIn, type Places, readText, removeIfEmpty } from './found.ts';

/** Units, agents of launchd and crontab lines of every state folder of this user: each has our mark. */
export function servicesFound(places: Places): Found[] {
  return [...unitsFound(places), ...launchdFound(places), ...cronFound(places), ...bringFound(places)];
}

function unitsFound({ config, env }: Places): Found[] {
  const folder = path.join(config, 'systemd', 'user');
  const all = namesIn(folder);
  const isOurs = (file: string): boolean => readText(file)?.includes(MARK) === true;
  const units = all.filter((name) => /^outlast.*\.(?:service|socket)$/.test(name) && isOurs(path.join(folder, name)));
  const dropIns = all
    .filter((name) => name.endsWith('.service.d'))
    .flatMap((name) => namesIn(path.join(folder, name)).map((file) => path.join(folder, name, file)))
    .filter((file) => /^outlast.*\.conf$/.test(path.basename(file)) && isOurs(file));
  const links = all
    .filter((name) => name.endsWith('.wants'))
    .flatMap((name) => units.map((unit) => path.join(folder, name, unit)))
    .filter((link) => fs.lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink());
  const file = (at: string, ...before: Argv[]): Found => ({
    kind: 'service',
    what: at,
    remove: () => {
      for (const argv of before) runQuietly(argv, env);
      fs.rmSync(at, { force: true });
      if (/\.(wants|d)$/.test(path.dirname(at))) removeIfEmpty(path.dirname(at));
      if (path.dirname(at) === folder) runQuietly(['systemctl', '--user', 'daemon-reload'], env);
    },
  });
  // Links first: a link without its unit is one that nobody can tell.
  return [
    ...links.map((link) => file(link)),
    ...dropIns.map((dropIn) => file(dropIn)),
    ...units.map((unit) => file(path.join(folder, unit), ['systemctl', '--user', 'stop', unit])),
  ];
}

function launchdFound({ home, env }: Places): Found[] {
  const folder = path.join(home, 'Library', 'LaunchAgents');
  return namesIn(folder)
    .filter((name) => /^outlast\.daemon.*\.plist$/.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => readText(file)?.includes(MARK))
    .map((file) => ({
      kind: 'service',
      what: file,
      remove: () => {
        const label = path.basename(file, '.plist');
        runQuietly(['launchctl', 'bootout', `gui/${process.getuid?.()}/${label}`], env);
        fs.rmSync(file, { force: true });
      },
    }));
}

function cronFound({ env }: Places): Found[] {
  return suffixesIn(readTable(env)).map((suffix) => ({
    kind: 'service',
    what: `crontab: the lines "# outlast${suffix}: …" to "# outlast${suffix}: end"`,
    remove: () => void setTable(env, (table) => tableWithout(table, suffix)),
  }));
}

/** Says how a service manager starts the daemon; without the unit, every command would ask for it in vain. */
function bringFound({ state }: Places): Found[] {
  const file = serviceFile(state);
  if (!readText(file)?.includes(MARK)) return [];
  return [{ kind: 'service', what: file, remove: () => fs.rmSync(file, { force: true }) }];
}
