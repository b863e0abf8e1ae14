import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openclawConversations } from '../../src/agent/openclaw/openclaw.ts';
import { openclawStored } from '../../src/agent/openclaw/store.ts';
import { realClock } from '../../src/base/clock.ts';
import { scan } from '../../src/daemon/boot/scan.ts';
import { realFiles } from '../../src/supervisor/process-facts.ts';
import { openStage } from '../agents/stage.ts';
import { STAND_IN } from '../agents/under-test/stand-in.ts';
import { clawStore, keepClaw, lockClaw } from '../openclaw-files.ts';

const MINUTE_MS = 60_000;
let root = '';
let home = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ol-claw-'));
  home = join(root, '.openclaw');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The verdict on each, by its key. */
async function verdicts(): Promise<Record<string, string>> {
  const { seen } = await scan({
    clock: realClock(),
    files: realFiles,
    conversations: [openclawConversations],
    env: { HOME: root },
    folders: [],
    windowMs: 60 * MINUTE_MS,
    aliveAtMs: null,
    sleptAtMs: null,
    ours: () => null,
    isWanted: () => true,
  });
  return Object.fromEntries(seen.map(({ listed, is, why }) => [listed.key ?? listed.id, `${is}: ${why}`]));
}

const KILLED = ['mid-text', 'in-exec', 'after-tool', 'in-mcp-call'].map((name) => ({
  key: `agent:main:${name}`,
  events: `killed.${name}`,
  agoMs: 5 * MINUTE_MS,
}));

const each = (verdict: RegExp) => Object.fromEntries(KILLED.map(({ key }) => [key, expect.stringMatching(verdict)]));

test('T-CLAW-1 a killed gateway may resume its own work; only what it leaves undone is interrupted', async () => {
  keepClaw(home, KILLED);
  expect(await verdicts()).toEqual(each(/^handled: .*when its gateway starts$/));
  lockClaw(home, { pid: process.pid, agoMs: 1_000 });
  expect(await verdicts()).toEqual(each(/^handled: OpenClaw is about to continue it$/));
  lockClaw(home, { pid: process.pid, agoMs: 4 * MINUTE_MS });
  expect(await verdicts()).toEqual(each(/^interrupted: .*, and the gateway has not continued it$/));
  // It has been running since before: it is working.
  lockClaw(home, { pid: process.pid, agoMs: 10 * MINUTE_MS });
  expect(await verdicts()).toEqual(each(/^alive: the gateway/));
  lockClaw(home, { pid: 4_000_000, agoMs: 4 * MINUTE_MS });
  expect(await verdicts()).toEqual(each(/^handled/));
});

test('T-CLAW-2 what OpenClaw finished, gave up or manages itself is left alone, compressed or not', async () => {
  lockClaw(home, { pid: process.pid, agoMs: 4 * MINUTE_MS });
  const common = { agoMs: 5 * MINUTE_MS };
  keepClaw(home, [
    { ...common, key: 'agent:main:a', events: 'finished.tool-then-text', status: 'done' },
    { ...common, key: 'agent:main:b', events: 'finished.after-model-error', status: null },
    { ...common, key: 'agent:main:c', events: 'finished.recovered-by-openclaw-mid-text', isCompressed: true },
    { ...common, key: 'agent:main:d', events: 'killed.in-exec', status: 'killed' },
    { ...common, key: 'agent:main:e', events: 'killed.in-exec', status: 'failed' },
    { ...common, key: 'agent:main:f', events: 'killed.in-exec', isCompressed: true },
    { ...common, key: 'agent:main:subagent:1', events: 'killed.in-exec' },
    { key: 'agent:main:old', events: 'killed.in-exec', agoMs: 400 * 24 * 60 * MINUTE_MS },
  ]);
  const words = Object.entries(await verdicts()).map(([key, is]) => [
    key.slice('agent:main:'.length),
    is.split(':')[0],
  ]);
  expect(Object.fromEntries(words)).toEqual({
    a: 'complete',
    b: 'complete',
    c: 'complete',
    d: 'complete',
    e: 'failed',
    f: 'interrupted',
    'subagent:1': 'system',
  });
});

test('T-CLAW-3 a locked, damaged or unknown database is reported, and never treated as empty', async () => {
  keepClaw(home, KILLED);
  const db = new DatabaseSync(clawStore(home));
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM session_nodes;');
  const locked = await verdicts();
  db.close();
  expect(locked).toEqual({ 'store-of-main': expect.stringMatching(/^unknown: its store cannot be read: .*locked/) });
  rmSync(`${clawStore(home)}-wal`, { force: true });
  writeFileSync(clawStore(home), 'no database '.repeat(500));
  expect(await verdicts()).toEqual({ 'store-of-main': expect.stringMatching(/^unreadable: its store cannot be read/) });
  rmSync(clawStore(home));
  new DatabaseSync(clawStore(home)).exec('CREATE TABLE other (x)');
  expect(await verdicts()).toEqual({ 'store-of-main': expect.stringMatching(/^unknown: .*no such table/) });
});

test('T-CLAW-4 no query reads a whole table', () => {
  keepClaw(home, KILLED);
  const [store] = openclawStored.stores(realFiles, home);
  using db = new DatabaseSync(clawStore(home), { readOnly: true });
  const plans = [store?.newest, store?.one, store?.end, store?.size].map((sql) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; '),
  );
  expect(plans).toEqual([
    expect.stringMatching(/^SEARCH session_nodes USING INDEX idx_agent_session_nodes_updated_at/),
    expect.stringMatching(/^SEARCH session_nodes USING INDEX idx_agent_session_nodes_current_session_id/),
    expect.stringMatching(/^SEARCH transcript_events USING INDEX sqlite_autoindex_transcript_events_1/),
    expect.stringMatching(/^SEARCH transcript_events USING INDEX sqlite_autoindex_transcript_events_1/),
  ]);
});

test('T-CLAW-5 the gateway is asked once for exactly that conversation; when it grows, it is resumed', async () => {
  await using stage = await openStage(STAND_IN, { config: { boot: { delayMs: 0 } } });
  const claw = join(stage.root, 'home/.openclaw');
  const [id = ''] = keepClaw(claw, [{ key: 'agent:main:telegram:1', events: 'killed.in-exec', agoMs: 5 * MINUTE_MS }]);
  lockClaw(claw, { pid: process.pid, agoMs: 4 * MINUTE_MS });
  const grow = `const db = new (require('node:sqlite').DatabaseSync)('${clawStore(claw)}');
    db.exec("INSERT INTO transcript_events VALUES ('${id}', 99, '{}', 1, NULL, 2)")`;
  const calls = join(stage.root, 'calls');
  const body = `printf '%s\\n' "$@" >>'${calls}'\nexec '${process.execPath}' -e "$GROW"\n`;
  writeFileSync(join(stage.root, 'bin/openclaw'), `#!/bin/sh\n${body}`, { mode: 0o755 });
  const ran = await stage.cli(['boot', '--resume', id, '--only', 'openclaw'], { env: { GROW: grow } });
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('1 resumed')]);
  const words = existsSync(calls) ? readFileSync(calls, 'utf8').split('\n') : [];
  expect(words.slice(0, 7)).toEqual([
    'system',
    'event',
    '--mode',
    'now',
    '--session-key',
    'agent:main:telegram:1',
    '--text',
  ]);
  expect(words.filter((word) => word === 'event').length).toBe(1);
  expect(words.join('\n')).toContain('You were interrupted');
  expect(words.join('\n')).toContain('- exec {"command"');
});
