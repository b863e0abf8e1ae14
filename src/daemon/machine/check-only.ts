import { allAgents } from '../../agent/all.ts';
import { knownAgents } from '../../agent/known.ts';
import { realClock } from '../../base/clock.ts';
import { ENVIRONMENT } from '../config/config.ts';
import { programCheck } from '../gate/hook-probe.ts';
import { ownProgram } from './terminals.ts';

/** Says which agents are there, for a caller that has no daemon to ask, and ends. The config was read by then. */
export async function checkOnly(): Promise<never> {
  const parts = { clock: realClock(), path: ENVIRONMENT.PATH ?? '' };
  const checks = [];
  for (const agent of knownAgents(allAgents(process.execPath, ownProgram)))
    checks.push((await programCheck(parts, agent)).check);
  process.stdout.write(`${JSON.stringify({ checks })}\n`, () => process.exit(0));
  return new Promise(() => {});
}
