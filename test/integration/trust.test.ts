import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { trustOf } from '../../src/daemon/start/trust.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function trustWorld() {
  const root = mkdtempSync(join(tmpdir(), 'ol-trust-'));
  folders.push(root);
  const workspace = join(root, 'workspace');
  mkdirSync(join(workspace, '.claude'), { recursive: true });
  const settle = (text: string): void => writeFileSync(join(workspace, '.claude', 'settings.json'), text);
  const ask = (more: { says?: boolean; asks?: boolean; workspace?: string } = {}): boolean =>
    trustOf({
      state: join(root, 'state'),
      workspace,
      ownFiles: ['.claude', '.mcp.json'],
      says: false,
      asks: false,
      nowMs: 0,
      ...more,
    }).trusted;
  return { root, workspace, settle, ask };
}

test('a folder without agent settings needs no trust, and has none', () => {
  const { ask } = trustWorld();
  expect(ask()).toBe(false);
});

test('a folder with settings needs trust, once, until they change', () => {
  const { settle, ask, workspace } = trustWorld();
  settle('{}');
  expect(() => ask()).toThrow(/is not trusted/);
  expect(ask({ says: true })).toBe(true);
  expect(ask()).toBe(true);
  settle('{"hooks":{}}');
  expect(() => ask()).toThrow(/has changed/);
  expect(ask({ says: true })).toBe(true);
  writeFileSync(join(workspace, '.mcp.json'), '{}');
  expect(() => ask()).toThrow(/has changed/);
});

test('an agent that asks by itself is started without trust, but not if the trust was revoked', () => {
  const { settle, ask } = trustWorld();
  settle('{}');
  expect(ask({ asks: true })).toBe(false);
  ask({ says: true });
  settle('{"env":{}}');
  expect(() => ask({ asks: true })).toThrow(/has changed/);
});

test('trust is for the real path: a link leads to it, a copy elsewhere has none', () => {
  const { root, settle, ask, workspace } = trustWorld();
  settle('{}');
  ask({ says: true });
  symlinkSync(workspace, join(root, 'link'));
  expect(ask({ workspace: join(root, 'link') })).toBe(true);
  mkdirSync(join(root, 'other', '.claude'), { recursive: true });
  writeFileSync(join(root, 'other', '.claude', 'settings.json'), '{}');
  expect(() => ask({ workspace: join(root, 'other') })).toThrow(/is not trusted/);
});
