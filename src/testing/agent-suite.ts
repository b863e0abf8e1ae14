import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capability } from '../agent/seam/capabilities.ts';

/** One kind of output or file of an agent, and how its adapter reads it. */
export interface GoldenKind {
  /** The file that is read in the folder of each case. */
  readonly file: string;
  /** The capabilities that a case of this kind proves. */
  readonly proves: readonly Capability[];
  read(text: string): unknown;
}

/** The golden cases of an agent: files shortened from the real program, or made by hand in its format. */
export interface GoldenSet {
  readonly agent: string;
  /** The folder with a folder for each kind, which has one for each case. */
  readonly folder: string;
  readonly kinds: Readonly<Record<string, GoldenKind>>;
}

/** One golden file, and its expected reading. */
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
