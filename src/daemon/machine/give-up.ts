import { CODES, OutlastError } from '../../base/errors.ts';

/**
 * The end of a daemon that cannot go on: the reason in words, and a status that says whose fault it is. It never limps
 * on.
 */
export function giveUp(error: unknown): never {
  if (error instanceof OutlastError) {
    process.stderr.write(`outlast: ${error.message}\n  ${error.hint}\n`);
    process.exit(CODES[error.code].exit);
  }
  process.stderr.write(`outlast: our bug: ${error instanceof Error ? error.stack : error}\n`);
  process.exit(CODES.internal.exit);
}
