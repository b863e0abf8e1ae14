import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { GateOpeners, OpenedPlace } from '../../agent/seam/gate-openers.ts';
import { readIfThere } from '../../terminal/small-file.ts';

/** Writes the files that would open a gate. */
export function writeOpeners({ files }: Pick<GateOpeners, 'files'>, place: OpenedPlace): void {
  for (const { path, text } of files?.(place) ?? []) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof text === 'string' ? text : text(readIfThere(path)?.toString() ?? null));
  }
}
