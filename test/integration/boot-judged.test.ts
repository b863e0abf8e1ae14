import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openclawConversations } from '../../src/agent/openclaw/openclaw.ts';
import { scripted } from '../../src/agent/scripted/scripted.ts';
import type { Conversations } from '../../src/agent/seam/conversations.ts';
import { realClock } from '../../src/base/clock.ts';
import { type Scan, scan } from '../../src/daemon/boot/scan.ts';
import { judgeFile, PIECE_BYTES } from '../../src/daemon/boot/tail.ts';
import { realFiles } from '../../src/supervisor/process-facts.ts';
import { keep } from '../boot-files.ts';

const HOUR_MS = 3_600_000;
/** Longer than the uptime of any test machine: what counts is the time before its boot. */
const AGES_MS = 20_000 * HOUR_MS;
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ol-judged-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function look(keeper: Conversations | undefined, windowMs = HOUR_MS): Promise<Scan> {
  return scan({
    clock: realClock(),
    files: realFiles,
    conversations: keeper === undefined ? [] : [keeper],
    env: { HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') },
    folders: [],
    windowMs,
    aliveAtMs: null,
    sleptAtMs: null,
    ours: () => null,
    isWanted: () => true,
  });
}

const { conversations = openclawConversations } = scripted('node', 'none');
const lookAtClaude = (windowMs?: number): Promise<Scan> => look(conversations, windowMs);
const at = (): { config: string; cwd: string } => ({ config: join(root, 'config'), cwd: root });

test('T-BOOT-9 what a crash left empty or zeroed is unreadable, also behind bookkeeping', async () => {
  const [empty, zeroes] = [keep('done', at()), keep('done', at())];
  writeFileSync(empty.path, '');
  writeFileSync(zeroes.path, Buffer.alloc(9_000));
  const record = `{"type":"mode","mode":"x","y":"${'y'.repeat(300)}`;
  const holed = keep('done', { ...at(), after: `${record}${'\0'.repeat(4_096)}"}\n` });
  const { seen } = await lookAtClaude();
  const verdicts = Object.fromEntries(seen.map(({ listed, is, why }) => [listed.id, `${is}: ${why}`]));
  expect(verdicts).toEqual({
    [empty.id]: 'unreadable: its file is empty',
    [zeroes.id]: 'unreadable: nothing in it can be read',
    [holed.id]: 'unknown: a line after the last message cannot be read',
  });
});

test('T-BOOT-10 an index that cannot be read is reported, and does not count as no conversations', async () => {
  const folder = join(root, '.openclaw/agents/main/sessions');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'sessions.json');
  writeFileSync(path, '{"agent:main:main":{"sessionId":"x","upda');
  const { seen, counts } = await look(openclawConversations);
  expect(counts).toEqual({ unreadable: 1 });
  expect(seen[0]).toMatchObject({ why: 'the index of the conversations cannot be read', listed: { path } });
});

test('T-BOOT-11 a conversation is as old as what is in it, however new its file is', async () => {
  const { path } = keep('asked', { ...at(), saidAgoMs: AGES_MS });
  utimesSync(path, new Date(), new Date());
  expect((await lookAtClaude()).counts).toEqual({ stale: 1 });
  expect((await lookAtClaude(2 * AGES_MS)).counts).toEqual({ interrupted: 1 });
});

test('T-BOOT-12 megabytes without a message at the end of a conversation do not block other work', async () => {
  const pieces = 20;
  const noise = `{"type":"mode","mode":"x","y":"${'y'.repeat(1_000)}"}\n`;
  const kept = keep('done', { ...at(), after: noise.repeat((pieces * PIECE_BYTES) / noise.length) });
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const judged = await judgeFile(kept.path, statSync(kept.path).size, conversations);
  isOver = true;
  expect(judged).toMatchObject({ is: 'complete', skipped: 0 });
  // Each piece is read, and then parsed.
  expect(turns).toBeGreaterThan(2 * pieces);
});
