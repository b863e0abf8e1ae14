import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mendEvents } from './events.ts';

test.each([10, 70_000, 400_000])('a last line of %d characters is found, and nothing is rewritten', (chars) => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-mend-'));
  try {
    const path = join(folder, 'events.jsonl');
    const whole = `{"seq":1}\n${JSON.stringify({ seq: 2, text: 'ü'.repeat(chars) })}\n`;
    writeFileSync(path, `${whole}{"seq":3,`);
    expect(mendEvents(path, 5)).toBe(2);
    expect(statSync(path).size).toBe(Buffer.byteLength(whole));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
