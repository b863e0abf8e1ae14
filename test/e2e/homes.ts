import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.ts';

/** A home of somebody's own, and so an account of their own, where the scripted agent finds its manners. */
export function newHome(world: World, manners: object = {}): string {
  const home = mkdtempSync(join(world.state, 'home-'));
  mkdirSync(join(home, '.outlast-scripted'));
  writeFileSync(join(home, '.outlast-scripted', 'manners.json'), JSON.stringify(manners));
  return home;
}
