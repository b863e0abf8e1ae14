import { allAgents } from '../../agent/all.ts';
import { configuredAgents } from '../../agent/configured.ts';
import { knownAgents } from '../../agent/known.ts';
import { realClock } from '../../base/clock.ts';
import { configFile, ENVIRONMENT } from '../config/config.ts';
import type { Config } from '../config/schema.ts';
import { programCheck } from '../gate/hook-probe.ts';
import { ownProgram } from './terminals.ts';

/** Prints the installed agents for a caller without a daemon, and exits. The config is valid at this point. */
export async function checkOnly({ agents }: Pick<Config, 'agents'>): Promise<never> {
  const parts = { clock: realClock(), path: ENVIRONMENT.PATH ?? '' };
  const checks = [];
  const named = configuredAgents(agents, configFile(ENVIRONMENT));
  for (const agent of knownAgents({ ...named, ...allAgents(process.execPath, ownProgram) }))
    checks.push((await programCheck(parts, agent)).check);
  process.stdout.write(`${JSON.stringify({ checks })}\n`, () => process.exit(0));
  return new Promise(() => {});
}
