import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDocs } from '../../scripts/config-docs.ts';
import { configSchema } from '../../src/daemon/config/schema.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/config.md'), 'utf8');

test('docs/config.md is what scripts/config-docs.ts writes', () => {
  expect(page).toBe(configDocs());
});

test('every key of the config has a description', () => {
  for (const line of page.split('\n').filter((text) => text.startsWith('| `'))) {
    expect(line).toMatch(/[.:)] \|$/);
  }
});

test('the example in docs/config.md is a valid config', () => {
  const example = JSON.parse(page.split('```json')[1]?.split('```')[0] ?? '');
  expect(configSchema.safeParse({ state: '/state', shell: '/bin/sh', ...example }).error).toBeUndefined();
});
