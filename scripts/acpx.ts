// Installs acpx, a client of the Agent Client Protocol for the command line, at a pinned version, into the cache.
//   node scripts/acpx.ts
import { pinnedIsHere, pinnedProgram } from './pinned-program.ts';

const ACPX = { name: 'acpx', version: '0.19.1', short: 'acpx', megabytes: 40, script: 'dist/cli.js' };

/** The program of acpx; installs it if needed. Throws when it cannot. */
export function acpxProgram(): string {
  return pinnedProgram(ACPX);
}

/** Is it installed? */
export function acpxIsHere(): boolean {
  return pinnedIsHere(ACPX);
}

if (import.meta.main) process.stdout.write(`${acpxProgram()}\n`);
