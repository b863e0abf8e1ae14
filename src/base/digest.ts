import { createHash } from 'node:crypto';

/** A short hash that stands for a long text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
