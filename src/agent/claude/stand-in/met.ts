import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, writeWhole } from '../../../base/files.ts';
import { fieldsOf, numberOf, readJson } from './json.ts';

/** How often steps without an answer were reached. It outlives the process: such a step may have killed it. */
export interface Met {
  count(key: string): number;
  add(key: string): void;
}

/** The counts of one conversation, in a file of the stand-in. */
export function metSteps(config: string, conversation: string): Met {
  const folder = join(config, 'scripted');
  const path = join(folder, `${conversation}.json`);
  const counts = new Map(Object.entries(fieldsOf(readJson(read(path)))).map(([key, n]) => [key, numberOf(n) ?? 0]));
  const count = (key: string): number => counts.get(key) ?? 0;
  return {
    count,
    add: (key) => {
      counts.set(key, count(key) + 1);
      makeFolder(folder);
      writeWhole(path, JSON.stringify(Object.fromEntries(counts)));
    },
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '{}';
  }
}
