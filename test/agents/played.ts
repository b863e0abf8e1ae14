import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTS, type Part } from './agent-suite.ts';
import { AGENTS_UNDER_TEST } from './under-test/all.ts';

const ROOT = join(import.meta.dirname, '../..');
const CALL = /^agentSuite\(\s*(\w+)((?:\s*,\s*'[^']+')*)\s*,?\s*\);$/gm;

/** The name of an agent in the calls of test files. */
export type AgentKey = keyof typeof AGENTS_UNDER_TEST;

/** The parts of the suite that the test files run for each agent, read from their text. */
export async function playedParts(): Promise<ReadonlyMap<AgentKey, readonly Part[]>> {
  const texts: string[] = [];
  for await (const path of glob('test/{contract,e2e,e2e-real}/*.test.ts', { cwd: ROOT }))
    texts.push(readFileSync(join(ROOT, path), 'utf8'));
  return partsIn(texts);
}

/** The parts of the suite that these test files run. */
export function partsIn(texts: readonly string[]): ReadonlyMap<AgentKey, readonly Part[]> {
  const calls = texts.flatMap((text) => [...text.matchAll(CALL)]).map(([, key = '', parts = '']) => ({ key, parts }));
  return new Map(
    (Object.keys(AGENTS_UNDER_TEST) as AgentKey[]).map((key) => [
      key,
      inOrder(calls.filter((call) => call.key === key).flatMap(({ parts }) => (parts === '' ? PARTS : namesIn(parts)))),
    ]),
  );
}

function namesIn(words: string): Part[] {
  return [...words.matchAll(/'([^']+)'/g)].map(([, name]) => name as Part);
}

/** Sorts parts, so that the names of the test files do not matter. */
function inOrder(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => PARTS.indexOf(a) - PARTS.indexOf(b));
}
