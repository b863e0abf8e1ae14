import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { allAgents } from '../../agent/all.ts';
import { defaultAgent } from './default-agent.ts';

const AGENTS = allAgents(process.execPath, (own) => `/${own}.js`);
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** A folder of a PATH with these programs. */
function pathWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'ol-path-'));
  folders.push(folder);
  for (const name of names) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const chosen = (agent: string, ...installed: string[]) =>
  defaultAgent({ agents: AGENTS, config: { agent } }, pathWith(...installed));

test('the agent of the config is used, installed or not', () => {
  expect(chosen('codex', 'claude')).toEqual({ name: 'codex', notes: [] });
});

test('without a config the only installed agent is used, and the caller is told so', () => {
  expect(chosen('', 'codex')).toEqual({ name: 'codex', notes: ['using codex, the only agent on your PATH'] });
});

test('with several agents, with none, or with the usual one, it is the usual one', () => {
  for (const installed of [['claude', 'codex'], [], ['claude']])
    expect(chosen('', ...installed)).toEqual({ name: 'claude', notes: [] });
});
