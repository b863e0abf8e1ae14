import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scripted } from '../../src/agent/scripted/scripted.ts';
import type { BootView } from '../../src/api/contract-boot.ts';
import { realClock } from '../../src/base/clock.ts';
import { Boot } from '../../src/daemon/boot/boot.ts';
import { readConfig } from '../../src/daemon/config.ts';
import { keep } from '../boot-files.ts';

const SECOND_MS = 1_000;

test('after a sleep the window is counted from when the machine fell asleep, and people are told', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ol-wake-'));
  try {
    mkdirSync(join(root, 'state'));
    const told: BootView[] = [];
    const agent = scripted('node', 'none');
    const env = { HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') };
    const boot = new Boot({
      state: join(root, 'state'),
      config: readConfig({ HOME: root }, { boot: { agents: ['scripted'], windowMs: 5 * SECOND_MS } }),
      journal: { list: () => [] },
      clock: realClock(),
      sessions: { start: () => expect.fail('nobody asked for it'), find: () => expect.fail('nothing was started') },
      isModelId: () => true,
      conversations: agent.conversations === undefined ? [] : [agent.conversations],
      log: () => {},
      caller: { env, umask: 0o022 },
      tell: async (seen) => told.push(seen) > 0,
    });
    const sleptAtMs = Date.now() - 30 * SECOND_MS;
    const where = { config: join(root, 'config'), cwd: root };
    const [asleep, before] = [
      keep('asked', { ...where, agoMs: 32 * SECOND_MS }),
      keep('asked', { ...where, agoMs: 50 * SECOND_MS }),
    ];
    expect(await boot.interrupted('wake', sleptAtMs)).toBe(true);
    expect(told.map(({ why }) => why)).toEqual(['wake']);
    expect(told[0]?.conversations.map(({ id }) => id)).toEqual([asleep.id]);
    expect([told[0]?.counts.stale, before.id]).toEqual([1, expect.any(String)]);
    await boot.stop();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
