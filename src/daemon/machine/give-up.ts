import { CODES, OutlastError } from '../../base/errors.ts';

/**
 * Ends a daemon that cannot continue: prints the reason, and exits with a status that says whether it is our fault. It
 * never continues in a broken state.
 */
export function giveUp(error: unknown): never {
  if (error instanceof OutlastError) {
    process.stderr.write(`outlast: ${error.message}\n  ${error.hint}\n`);
    process.exit(CODES[error.code].exit);
  }
  process.stderr.write(`outlast: our bug: ${error instanceof Error ? error.stack : error}\n`);
  process.exit(CODES.internal.exit);
}
