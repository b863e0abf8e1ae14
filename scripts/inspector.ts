// Installs the official inspector of the Model Context Protocol, at a pinned version, into the cache outside the checkout.
//   node scripts/inspector.ts
import { pinnedIsHere, pinnedProgram } from './pinned-program.ts';

const INSPECTOR = {
  name: '@modelcontextprotocol/inspector',
  version: '2.12.0',
  short: 'inspector',
  megabytes: 110,
  script: 'clients/launcher/build/index.js',
};

/** The program of the inspector; installs it if needed. Throws when it cannot. */
export function inspectorProgram(): string {
  return pinnedProgram(INSPECTOR);
}

/** Is it installed? */
export function inspectorIsHere(): boolean {
  return pinnedIsHere(INSPECTOR);
}

if (import.meta.main) process.stdout.write(`${inspectorProgram()}\n`);
