import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scripted } from '../../src/agent/scripted/scripted.ts';
import { type Clock, realClock } from '../../src/base/clock.ts';
import { scan } from '../../src/daemon/boot/scan.ts';
import { realFiles } from '../../src/supervisor/process-facts.ts';
import { keep } from '../boot-files.ts';

const MANY = 20;
const BUSY_MS = 50;

test('a scan of many conversations does not block other work, also while it finds them', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ol-scan-'));
  try {
    for (let i = 0; i < MANY; i += 1) keep('done', { config: join(root, 'config'), cwd: root });
    let [nowMs, rests] = [0, 0];
    // Every clock reading takes as long as the limit for one slice of work.
    const slow: Clock = {
      ...realClock(),
      steadyMs() {
        nowMs += BUSY_MS;
        return nowMs;
      },
      async sleep() {
        rests += 1;
      },
    };
    const { conversations } = scripted('node', 'none');
    const { counts } = await scan({
      clock: slow,
      files: realFiles,
      conversations: conversations === undefined ? [] : [conversations],
      env: { HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') },
      folders: [],
      windowMs: Number.POSITIVE_INFINITY,
      aliveAtMs: null,
      sleptAtMs: null,
      ours: () => null,
      isWanted: () => true,
    });
    expect([counts, rests]).toEqual([{ complete: MANY }, 2 * MANY]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
