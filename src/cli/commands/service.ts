import { OutlastError } from '../../client/index.ts';
import { fs } from '../../client/node.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { must, removeAll, standingOf, writePlan } from '../service/apply.ts';
import { readFacts } from '../service/facts.ts';
import { askForeign, configFile, foreignWord, keepForeign } from '../service/foreign.ts';
import { allPlans, installedWeb, isInstalled } from '../service/installed.ts';
import type { Facts, Plan, Starter } from '../service/plan.ts';
import { planOf } from '../service/plan-of.ts';
import { runQuietly } from '../service/run-quietly.ts';
import { spin } from '../views/spinner.ts';

const STARTERS: readonly string[] = ['systemd', 'launchd', 'cron'] satisfies Starter[];
const WITH = {
  type: 'string',
  value: 'WHAT',
  sentence: `One of ${STARTERS.join(', ')}.`,
  otherwise: 'depends on the system',
} as const;

/** `outlast service install` */
export const install = command({
  name: 'service install',
  summary: 'Start the daemon at boot, and restart it if it dies.',
  usage: 'service install [OPTIONS]',
  words: { ...NO_WORDS, are: 'Sessions keep running when the daemon restarts. Installing twice is harmless.' },
  options: {
    print: { type: 'boolean', sentence: 'Dry run: print the files and commands.' },
    with: WITH,
    after: {
      type: 'string',
      multiple: true,
      value: 'UNIT',
      sentence: 'Also scan for interrupted conversations whenever this service starts.',
    },
    foreign: {
      type: 'string',
      value: 'HOW',
      sentence: 'Interrupted conversations not started with Outlast: auto, ask or off.',
      otherwise: 'asks once',
    },
    web: { type: 'boolean', sentence: 'Also serve the web page, on a port that nobody else can take; needs systemd.' },
    host: {
      type: 'string',
      multiple: true,
      value: 'NAME[:PORT]',
      sentence: 'With --web: a name of an https proxy that leads to the page.',
    },
    auto: { type: 'boolean', sentence: 'Same as --foreign auto.' },
  },
  examples: [
    ['outlast service install --print', 'Look first, change nothing.'],
    ['outlast service install --auto', 'Everything that a restart interrupts is resumed.'],
    ['outlast service install --web', 'Also keeps the web page up; then `outlast web link`.'],
    ['outlast service install --after openclaw-gateway.service', 'With a drop-in for that service.'],
  ],
  async run(context) {
    const { values, env, print, json } = context;
    const facts = readFacts(env);
    const plan = planOf(facts, { starter: starterWord(values.with), after: values.after, web: webOf(values, facts) });
    const said = foreignWord(values.auto ? 'auto' : values.foreign);
    if (values.print) return show(context, plan);
    const config = configFile(env, facts);
    const foreign = said ?? (json ? null : await askForeign(config, print));
    writePlan(plan, facts, env);
    if (foreign !== null) keepForeign(config, foreign);
    const before = await pidNow(context);
    await spin(context, 'moving the daemon to the service', handOver(context, plan, facts));
    const status = await context.connect().daemonStatus();
    if (json)
      await print.json({ starter: plan.starter, pid: status.pid, files: pathsOf(plan), says: plan.says, foreign });
    else {
      for (const path of pathsOf(plan)) await print.line(`wrote ${path}`);
      const still = before === status.pid ? 'still runs' : 'runs';
      await print.line(`The daemon ${still} with pid ${status.pid}; ${plan.starter} starts it from now on.`);
      for (const line of plan.says) await print.line(line);
    }
    return EXIT.fine;
  },
});

/** `outlast service uninstall` */
export const uninstall = command({
  name: 'service uninstall',
  summary: 'Undo `service install`.',
  usage: 'service uninstall [OPTIONS]',
  words: { ...NO_WORDS, are: 'Removes only files that `service install` wrote. Sessions keep running.' },
  options: { with: WITH },
  examples: [['outlast service uninstall', 'The next command starts the daemon, as before.']],
  async run({ values, env, print, json }) {
    const facts = readFacts(env);
    const removed: string[] = [];
    for (const plan of allPlans(facts, starterWord(values.with)).filter((each) => isInstalled(each, facts, env))) {
      for (const argv of plan.stop) runQuietly(argv, env);
      removed.push(...removeAll(plan, facts, env));
      for (const argv of plan.last) runQuietly(argv, env);
    }
    if (json) await print.json({ removed });
    else if (removed.length === 0) await print.line('Nothing is installed.');
    else for (const path of removed) await print.line(`removed ${path}`);
    return EXIT.fine;
  },
});

/** `outlast service status` */
export const serviceStatus = command({
  name: 'service status',
  summary: 'Show whether a service manager runs the daemon.',
  usage: 'service status [OPTIONS]',
  words: { ...NO_WORDS, are: 'Exit status: 0 installed and running, 5 not.' },
  options: { with: WITH },
  examples: [['outlast service status', 'Also reports files of another version.']],
  async run({ values, env, print, json }) {
    const facts = readFacts(env);
    const plan = allPlans(facts, starterWord(values.with)).find((each) => isInstalled(each, facts, env));
    const files = (plan?.files ?? []).map(({ path }) => ({ path, is: standingOf(path, facts) }));
    const starter = plan?.starter ?? null;
    const active = plan !== undefined && (plan.isActive === null || runQuietly(plan.isActive, env).status === 0);
    const lingers = starter === 'systemd' ? facts.lingers : null;
    if (json) await print.json({ installed: plan !== undefined, starter, active, lingers, files });
    else if (plan === undefined) await print.line('Not installed: the daemon starts with the first command.');
    else {
      await print.line(`${starter} manages the daemon${active ? '' : ', which is not running'}.`);
      for (const { path, is } of files) await print.line(`${is.padEnd(8)} ${path}`);
      if (files.some(({ is }) => is === 'stale'))
        await print.line('Some files are for another path or version: run `outlast service install` again.');
      for (const line of plan.says) await print.line(line);
    }
    return active ? EXIT.fine : EXIT.nobody;
  },
});

/** Serves the page if that is asked for, or was before: an install removes nothing. */
function webOf(values: { readonly web: boolean; readonly host: readonly string[] }, facts: Facts): string[] | null {
  if (!values.web && values.host.length > 0) throw new OutlastError('input_invalid', '--host needs --web');
  const wrong = values.host.find((host) => !/^[a-z0-9.-]+(?::\d{1,5})?$/.test(host));
  if (wrong !== undefined)
    throw new OutlastError('input_invalid', `--host: "${wrong}" is not NAME or NAME:PORT, in small letters`);
  return values.web ? [...values.host] : installedWeb(facts);
}

async function show({ json, print }: Context, plan: Plan): Promise<number> {
  if (json) await print.json(plan);
  else {
    for (const { path, text } of plan.files) await print.line(`==> ${path} <==\n${text}`);
    for (const { path, to } of plan.links) await print.line(`==> ${path} <==\na link to ${to}\n`);
    if (plan.table !== null) await print.line(`==> crontab <==\n${plan.table}`);
    for (const argv of plan.start) await print.line(`$ ${argv.join(' ')}`);
    for (const line of plan.says) await print.line(line);
  }
  return EXIT.fine;
}

/** The pid of the daemon of this state folder; null: none is running. */
async function pidNow({ connect }: Context): Promise<number | null> {
  return connect({ start: false })
    .daemonStatus()
    .then(({ pid }) => pid)
    .catch(() => null);
}

/** Hands the daemon over to the service manager, from whatever runs it now. */
async function handOver({ connect, env }: Context, plan: Plan, { state }: Facts): Promise<void> {
  fs.mkdirSync(state, { recursive: true, mode: 0o700 });
  if (plan.starter === 'cron') return;
  // launchd refuses to load what it already has.
  for (const argv of plan.stop) runQuietly(argv, env);
  await connect({ start: false })
    .stopDaemon()
    .catch(() => null);
  for (const argv of plan.start) must(argv, env);
}

function pathsOf({ files, links, table }: Plan): string[] {
  return [...[...files, ...links].map(({ path }) => path), ...(table === null ? [] : ['crontab'])];
}

function starterWord(word: string | undefined): Starter | undefined {
  if (word === undefined || STARTERS.includes(word)) return word as Starter | undefined;
  throw new OutlastError('input_invalid', `--with: "${word}" is not one of ${STARTERS.join(', ')}`);
}
