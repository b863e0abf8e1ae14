import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scripted } from '../../src/agent/scripted/scripted.ts';
import type { BootView } from '../../src/api/contract-boot.ts';
import { realClock } from '../../src/base/clock.ts';
import { Boot } from '../../src/daemon/boot/boot.ts';
import { readConfig } from '../../src/daemon/config/config.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { keep } from '../boot-files.ts';

const SECOND_MS = 1_000;

const DRY = {
  why: 'asked',
  dryRun: true,
  windowMs: 5_000,
  delayMs: 0,
  only: [],
  limit: 1,
  resume: [],
  tell: false,
} as const;

const envOf = (root: string) => ({ HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') });

function bootOf(root: string, foreign: 'ask' | 'off', reported: BootView[] = []): Boot {
  mkdirSync(join(root, 'state'), { recursive: true });
  const agent = scripted('node', 'none');
  return new Boot({
    state: join(root, 'state'),
    config: readConfig({ HOME: root }, { boot: { foreign, agents: ['scripted'], windowMs: 5 * SECOND_MS } }),
    journal: memoryJournal(),
    clock: realClock(),
    sessions: { start: () => expect.fail('nothing may be started'), find: () => expect.fail('nothing was started') },
    isModelId: () => true,
    conversations: agent.conversations === undefined ? [] : [agent.conversations],
    log: () => {},
    caller: { env: envOf(root), umask: 0o022 },
    tell: async (seen) => reported.push(seen) > 0,
  });
}

test('after a sleep the window is counted from when the machine fell asleep, and people are notified', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ol-wake-'));
  try {
    const reported: BootView[] = [];
    const boot = bootOf(root, 'ask', reported);
    const sleptAtMs = Date.now() - 30 * SECOND_MS;
    const where = { config: join(root, 'config'), cwd: root };
    const [asleep, before] = [
      keep('asked', { ...where, agoMs: 32 * SECOND_MS }),
      keep('asked', { ...where, agoMs: 50 * SECOND_MS }),
    ];
    expect(await boot.interrupted('wake', sleptAtMs)).toBe(true);
    expect(reported.map(({ why }) => why)).toEqual(['wake']);
    expect(reported[0]?.conversations.map(({ id }) => id)).toEqual([asleep.id]);
    expect([reported[0]?.counts.stale, before.id]).toEqual([1, expect.any(String)]);
    await boot.stop();
    // A person may ask much later, and another daemon.
    const later = await bootOf(root, 'ask').run({ ...DRY, caller: { env: envOf(root), umask: 0o022 } });
    expect(later.conversations.map(({ id }) => id)).toEqual([asleep.id]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('the time when the machine went down is stored with the policy off, too: a person may ask later', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ol-off-'));
  try {
    expect(await bootOf(root, 'off').interrupted('boot', 12_345)).toBe(true);
    expect(readFileSync(join(root, 'state/boot/down.json'), 'utf8')).toBe('12345');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('a scan that fails is not finished', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ol-fail-'));
  try {
    const boot = bootOf(root, 'ask');
    // The folder cannot be written any more.
    rmSync(join(root, 'state'), { recursive: true });
    writeFileSync(join(root, 'state'), '');
    expect(await boot.interrupted('boot', 12_345)).toBe(false);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
