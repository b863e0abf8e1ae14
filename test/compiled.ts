import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A cache folder that all tests share, so that our programs are compiled once and not in the empty home of each test.
 * Nothing but compiled code is kept there.
 */
export const COMPILED = join(import.meta.dirname, '../.cache/tests');
mkdirSync(COMPILED, { recursive: true });
