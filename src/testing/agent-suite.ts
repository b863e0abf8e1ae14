import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capability } from '../agent/seam/capabilities.ts';

/** One kind of things that an agent says or writes down, and how its adapter reads them. */
export interface GoldenKind {
  /** What is read, in the folder of each case. */
  readonly file: string;
  /** What is proven when it is read as expected. */
  readonly proves: readonly Capability[];
  read(text: string): unknown;
}

/** The golden cases of an agent: files shortened from the real program, or made by hand in its shape. */
export interface GoldenSet {
  readonly agent: string;
  /** The folder in which each kind has a folder, and each case one in that. */
  readonly folder: string;
  readonly kinds: Readonly<Record<string, GoldenKind>>;
}

/** One file, and what it means. */
export interface GoldenCase {
  readonly kind: string;
  readonly name: string;
  readonly proves: readonly Capability[];
  run(): void;
}

/** The golden cases of an agent. A test file registers them with its runner. */
export function goldenCases({ folder, kinds }: GoldenSet): GoldenCase[] {
  assert.deepEqual(readdirSync(folder).sort(), Object.keys(kinds).sort(), 'every kind of case is known');
  return Object.entries(kinds).flatMap(([kind, { file, proves, read }]) =>
    readdirSync(join(folder, kind)).map((name) => ({
      kind,
      name,
      proves,
      run: () => {
        const at = join(folder, kind, name);
        const found = JSON.parse(JSON.stringify(read(readFileSync(join(at, file), 'utf8'))));
        assert.deepEqual(found, JSON.parse(readFileSync(join(at, 'expected.json'), 'utf8')));
      },
    })),
  );
}
