import { expect } from 'vitest';
import { isShown, type Step } from './page.ts';
import { stepsFor, typeOf, worldOf } from './worlds.ts';

/** Types every command of a page, in order, and fails at the first that prints something else than the page shows. */
export async function expectTrue(page: string): Promise<void> {
  const steps = stepsFor(page);
  expect(steps.length).toBeGreaterThan(0);
  await using world = await worldOf(page);
  const type = typeOf(page, world);
  for (const step of steps) expectShown(step, await type(step.command));
}

/** Fails if a command printed something else than its page shows. */
export function expectShown({ command, printed }: Step, output: string): void {
  if (!isShown(printed, output)) expect(`$ ${command}\n${output}`).toBe(`$ ${command}\n${printed}`);
}
