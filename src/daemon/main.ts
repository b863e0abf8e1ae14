// The daemon as a process: what it was started with, one daemon, and its end.
import './config/schemas-plain.ts';
import { buildDaemon, type Ending } from './build/daemon.ts';
import { ENVIRONMENT, readSettings, stateFolder } from './config/config.ts';
import { stateCommand } from './journal/commands.ts';
import { checkOnly } from './machine/check-only.ts';
import { giveUp } from './machine/give-up.ts';
import { closeInheritedFds } from './machine/inherited-fds.ts';

process.on('uncaughtException', giveUp);
closeInheritedFds();
if (process.argv[2] === 'state') process.exit(await stateCommand(process.argv.slice(3), stateFolder(ENVIRONMENT)));
if (process.argv[2] === 'config')
  process.exit(await (await import('./config/program.ts')).configCommand(process.argv.slice(3), ENVIRONMENT));
const settings = readSettings();
// Only whether the config can be used, and the agents.
if (process.argv.includes('--check')) await checkOnly(settings.config);
const signalled = Promise.withResolvers<Ending>();
const serving = (): void => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => signalled.resolve({ why: signal }));
  process.on('SIGHUP', () => {}); // The terminal it was started from may close.
};
const waits = process.argv.includes('--wait');
const daemon = await buildDaemon({ settings, env: ENVIRONMENT, waits, giveUp, serving });
await daemon.stop(await Promise.race([signalled.promise, daemon.asked]));
process.exit(0);
