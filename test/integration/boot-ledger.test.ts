import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BootView } from '../../src/api/contract-boot.ts';
import { Ledger } from '../../src/daemon/boot/ledger.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'ol-ledger-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const boot = (atMs: number, summary = 'nothing'): BootView => ({
  atMs,
  why: 'boot',
  foreign: 'ask',
  dryRun: false,
  tookMs: 1,
  counts: {},
  conversations: [],
  summary,
});

test('tries are counted over restarts, and forgotten when one succeeds or after a month', () => {
  const ledger = new Ledger(state);
  ledger.charge('a', 1);
  ledger.charge('a', 2);
  ledger.charge('b', 2);
  expect([new Ledger(state).tries('a'), new Ledger(state).tries('b')]).toEqual([2, 1]);
  ledger.clear('a');
  expect([ledger.tries('a'), ledger.tries('b')]).toEqual([0, 1]);
  ledger.charge('c', 40 * 24 * 3_600_000);
  expect(ledger.tries('b')).toBe(0);
});

test('the log keeps the newest fifty, and no more than its bytes', () => {
  const ledger = new Ledger(state);
  for (let i = 1; i <= 60; i += 1) ledger.add(boot(i));
  expect(ledger.last(100).map(({ atMs }) => atMs)).toEqual(Array.from({ length: 50 }, (_, i) => 60 - i));
  for (let i = 61; i <= 70; i += 1) ledger.add(boot(i, 'x'.repeat(1_000_000)));
  expect(ledger.last(100).map(({ atMs }) => atMs)).toEqual([70, 69, 68, 67]);
  expect(statSync(join(state, 'boot/log.jsonl')).size).toBeLessThan(4 * 1024 ** 2);
});

test('a report stays pending until it was delivered', () => {
  new Ledger(state).setUnsent(boot(7));
  expect(new Ledger(state).unsent()?.atMs).toBe(7);
  new Ledger(state).setUnsent(null);
  expect(new Ledger(state).unsent()).toBe(null);
});
