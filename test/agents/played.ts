import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTS, type Part } from './agent-suite.ts';
import { AGENTS_UNDER_TEST } from './under-test/all.ts';

const ROOT = join(import.meta.dirname, '../..');
const CALL = /^agentSuite\(\s*(\w+)((?:\s*,\s*'[^']+')*)\s*,?\s*\);$/gm;

/** A name by which test files call an agent. */
export type AgentKey = keyof typeof AGENTS_UNDER_TEST;

/** Which parts of the suite the test files take for each agent, read from their text: what is not there is not run. */
export async function playedParts(): Promise<ReadonlyMap<AgentKey, readonly Part[]>> {
  const texts: string[] = [];
  for await (const path of glob('test/{contract,e2e,e2e-real}/*.test.ts', { cwd: ROOT }))
    texts.push(readFileSync(join(ROOT, path), 'utf8'));
  return partsIn(texts);
}

/** Which parts of the suite these test files take. */
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

/** However the test files are named. */
function inOrder(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => PARTS.indexOf(a) - PARTS.indexOf(b));
}
