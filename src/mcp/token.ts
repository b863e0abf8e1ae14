import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { OutlastError } from '../base/errors.ts';
import { causeText } from '../base/system-errors.ts';

/** The token in a file; created, readable by its owner alone, when there is none yet. */
export function tokenIn(file: string): string {
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw unusable(file, error);
  }
  const token = read(file).trim();
  if (token.length < 16) throw unusable(file, new Error('a token has at least 16 characters'));
  return token;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, cause: unknown): OutlastError {
  const why = causeText(cause);
  return new OutlastError('input_invalid', `--token-file: ${file} cannot be used: ${why}`, { cause });
}
