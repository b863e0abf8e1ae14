import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentDocs, allSupport, proofsOf } from '../../scripts/agent-docs.ts';
import { CAPABILITY_NAMES } from '../../src/agent/seam/capabilities.ts';
import { FAMILIES } from '../agents/families.ts';
import { ROOT } from './tree.ts';

test('docs/agents.md is what scripts/agent-docs.ts writes', () => {
  expect(readFileSync(join(ROOT, 'docs/agents.md'), 'utf8')).toBe(agentDocs());
});

test('every capability of every agent is proven by something, or absent with its reason', () => {
  const open = allSupport().flatMap(({ name, has, lacks }) =>
    CAPABILITY_NAMES.filter((each) =>
      has.includes(each) ? proofsOf(name, each).length === 0 : lacks[each] === undefined,
    ).map((each) => `${name}: ${each}`),
  );
  expect(open).toEqual([]);
});

test('what proves something is there', () => {
  const proofs = allSupport().flatMap(({ name, has }) => has.flatMap((each) => proofsOf(name, each)));
  const files = [...proofs, ...Object.values(FAMILIES).map(({ file }) => file)];
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
