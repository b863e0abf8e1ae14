import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentDocs, proofsOf } from '../../scripts/agent-docs.ts';
import { CAPABILITY_NAMES } from '../../src/agent/seam/capabilities.ts';
import { PARTS } from '../agents/agent-suite.ts';
import { FAMILIES, type FamilyName } from '../agents/families.ts';
import { planOf } from '../agents/plan.ts';
import { partsIn, playedParts } from '../agents/played.ts';
import { AGENTS_UNDER_TEST } from '../agents/under-test/all.ts';
import { allSupport } from '../agents/under-test/needs.ts';
import { ROOT } from './tree.ts';

test('docs/agents.md is what scripts/agent-docs.ts writes', () => {
  expect(readFileSync(join(ROOT, 'docs/agents.md'), 'utf8')).toBe(agentDocs());
});

test('every capability of every agent and version has a proof, or a reason why it is absent', () => {
  const open = allSupport().flatMap(({ name, versions, has, lacks }) =>
    (versions.length === 0 ? [null] : versions).flatMap((version) =>
      CAPABILITY_NAMES.filter((each) =>
        has.includes(each) ? proofsOf(name, version, each).length === 0 : lacks[each] === undefined,
      ).map((each) => `${name} ${version}: ${each}`),
    ),
  );
  expect(open).toEqual([]);
});

test('every file that is named as a proof exists', () => {
  const files = [...readFileSync(join(ROOT, 'docs/agents.md'), 'utf8').matchAll(/\]\(\.\.\/([^)]+)\)/g)];
  const paths = [...files.map(([, path = '']) => path), ...Object.values(FAMILIES).map(({ file }) => file)];
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('for every agent under test, the test files run every part of the suite once', async () => {
  const open = [...(await playedParts())].flatMap(([key, parts]) => {
    const missing = PARTS.filter((part) => !parts.includes(part));
    const twice = parts.filter((part, i) => parts.indexOf(part) !== i);
    const unknown = parts.filter((part) => !PARTS.includes(part));
    return [...missing, ...twice, ...unknown].map((part) => `${key}: ${part}`);
  });
  expect(open).toEqual([]);
});

test('the parts that a test file runs are read from its calls', () => {
  const played = partsIn([
    "agentSuite(ECHO, 'turns', 'live on a pty');\n",
    "agentSuite(\n  STAND_IN,\n  'gate',\n);\n",
  ]);
  expect(played.get('ECHO')).toEqual(['turns', 'live on a pty']);
  expect(played.get('STAND_IN')).toEqual(['gate']);
  expect(partsIn(['// agentSuite(ECHO);\n']).get('ECHO')).toEqual([]);
  expect(partsIn(['agentSuite(ECHO);\n']).get('ECHO')).toEqual(PARTS);
});

test('a title is in one family only, and the quick stories of an agent exist', () => {
  const all = Object.values(FAMILIES).flatMap(({ stories }) => Object.keys(stories));
  expect(all.filter((sentence, i) => all.indexOf(sentence) !== i)).toEqual([]);
  const quick = Object.values(AGENTS_UNDER_TEST).flatMap((agent) => {
    const stories = (Object.keys(FAMILIES) as FamilyName[]).flatMap((name) => planOf(agent, name).stories);
    const sentences = stories.map(({ sentence }) => sentence);
    return (agent.quick ?? []).filter((sentence) => !sentences.includes(sentence));
  });
  expect(quick).toEqual([]);
});

test('a family or a story that an agent cannot run is skipped with the reason', () => {
  const { stories, skipped } = planOf(AGENTS_UNDER_TEST.ECHO, 'gate');
  expect([stories, skipped.map(({ sentence, lack }) => [sentence, lack.need])]).toEqual([[], [[null, 'gate']]]);
  const threads = planOf(AGENTS_UNDER_TEST.ECHO, 'threads');
  const why = 'its conversations cannot be copied';
  expect(threads.skipped.map(({ lack }) => lack)).toContainEqual({ need: 'fork', why });
  expect(planOf(AGENTS_UNDER_TEST.ECHO_SERVER, 'threads').stories.every(({ needs }) => !needs.includes('turns'))).toBe(
    true,
  );
});
