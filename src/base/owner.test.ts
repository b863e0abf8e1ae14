import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerFile, ownerOf, signOwner } from './owner.ts';

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'outlast-owner-'));
});

afterEach(() => rmSync(state, { recursive: true, force: true }));

test('T-START-1: the owner of the lock is found by its pid, its start time and its boot', () => {
  expect(ownerOf(state)).toBeNull();
  signOwner(state);
  expect(ownerOf(state)).toEqual({ pid: process.pid, isStopped: false });
});

test('T-START-1: a process with the reused pid of a dead owner is not mistaken for it', () => {
  signOwner(state);
  const [pid, start, boot] = readFileSync(ownerFile(state), 'utf8').trim().split(' ');
  const others = [`${pid} ${Number(start) + 1} ${boot}\n`, `${pid} ${start} another-boot\n`, `1 ${start} ${boot}\n`];
  for (const text of [...others, `${pid} ${start} ${boot}`, '', '\0\0\0\n', `-1 ${start} ${boot}\n`]) {
    writeFileSync(ownerFile(state), text);
    expect(ownerOf(state)).toBeNull();
  }
});
