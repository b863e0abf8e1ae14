import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAMILIES, SCRIPTS } from './stories.ts';

test('every family of stories has a test file, and every story has a unique name', () => {
  const files = readdirSync(import.meta.dirname).flatMap((name) => /^sim-(\w+)\.test\.ts$/.exec(name)?.[1] ?? []);
  expect(files.sort()).toEqual(Object.keys(FAMILIES).sort());
  expect(new Set(SCRIPTS.map(({ name }) => name)).size).toBe(SCRIPTS.length);
});
