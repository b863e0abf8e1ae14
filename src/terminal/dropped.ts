import { readdirSync, statSync } from 'node:fs';
import { errnoOf } from '../base/errors.ts';

/** A payload that a hook dropped into its spool. */
export interface Dropped {
  /** The file whose presence says that the payload is complete. */
  readonly path: string;
  readonly payload: string;
  /** Distinguishes this payload from every other, also from a later one under the same name. */
  readonly id: string;
  readonly order: bigint;
}

/** Files that belong to another payload: a part in progress, a question or its answer. */
const ASIDE = /\.(tmp|ask|answer)$/;

/** The complete payloads in a spool, oldest first. */
export function droppedIn(folder: string): Dropped[] {
  return namesIn(folder)
    .filter((name) => !ASIDE.test(name))
    .flatMap((name): Dropped[] => {
      const path = `${folder}/${name}`;
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) return [];
      // The hooks of older versions left the payload itself under this name.
      const payload = stat.size > 0n ? path : `${path}.tmp`;
      return [{ path, payload, id: `${name}@${stat.mtimeNs}`, order: stat.mtimeNs }];
    })
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
