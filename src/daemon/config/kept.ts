import * as z from 'zod';
import { LIMITS } from '../../base/limits.ts';

const DAY_MS = 24 * 3_600_000;
const count = z.number().int();

/** When ended sessions are removed. */
export const configRetention = z.strictObject({
  ageMsMax: count
    .min(0)
    .default(30 * DAY_MS)
    .describe('Ended sessions older than this are removed.'),
  outputBytesMax: count
    .min(0)
    .default(10 * 1024 ** 3)
    .describe('Disk space of all ended sessions together. Above it the oldest are removed.'),
  everyMs: count.min(1_000).default(3_600_000).describe('How often this is checked.'),
});

/** Backups of the journal. */
export const configBackup = z.strictObject({
  everyMs: count
    .min(60_000)
    .default(6 * 3_600_000)
    .describe('How often the journal is backed up.'),
  keep: count.min(1).max(1_000).default(LIMITS.backupsMax).describe('How many backups are kept.'),
});
