import { createHash } from 'node:crypto';

/** A short word that stands for a long text: no other text has it. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
