import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isShown, stepsOf } from './page.ts';
import { worldOf } from './worlds.ts';

/** Types every command of a page, in order, and fails at the first that prints something else than the page shows. */
export async function expectTrue(page: string): Promise<void> {
  const steps = stepsOf(readFileSync(join(import.meta.dirname, '../..', page), 'utf8'));
  expect(steps.length).toBeGreaterThan(5);
  await using world = await worldOf(page);
  for (const { command, printed } of steps) {
    const output = await world.type(command);
    if (!isShown(printed, output)) expect(`$ ${command}\n${output}`).toBe(`$ ${command}\n${printed}`);
  }
}
