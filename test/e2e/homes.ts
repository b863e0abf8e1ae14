import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.ts';

/** A new home, and so a new account, with the faults of the scripted agent in it. */
export function newHome(world: World, faults: object = {}): string {
  const home = mkdtempSync(join(world.state, 'home-'));
  mkdirSync(join(home, '.outlast-scripted'));
  writeFileSync(join(home, '.outlast-scripted', 'manners.json'), JSON.stringify(faults));
  return home;
}
