import { allAgents } from '../../agent/all.ts';
import { knownAgents } from '../../agent/known.ts';
import { realClock } from '../../base/clock.ts';
import { ENVIRONMENT } from '../config/config.ts';
import { programCheck } from '../gate/hook-probe.ts';
import { ownProgram } from './terminals.ts';

/** Prints the installed agents for a caller without a daemon, and exits. The config is valid at this point. */
export async function checkOnly(): Promise<never> {
  const parts = { clock: realClock(), path: ENVIRONMENT.PATH ?? '' };
  const checks = [];
  for (const agent of knownAgents(allAgents(process.execPath, ownProgram)))
    checks.push((await programCheck(parts, agent)).check);
  process.stdout.write(`${JSON.stringify({ checks })}\n`, () => process.exit(0));
  return new Promise(() => {});
}
