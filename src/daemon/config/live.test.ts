import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realClock } from '../../base/clock.ts';
import { readSettings } from './config.ts';
import { LiveConfig } from './live.ts';
import { configSchema } from './schema.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlast-live-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function live(first: object): { file: (content: unknown) => void; live: LiveConfig } {
  const path = join(folder, 'config.json');
  const file = (content: unknown): void =>
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  file(first);
  const env = { HOME: folder, OUTLAST_CONFIG: path, OUTLAST_GRACE_MS: '7' };
  return { file, live: new LiveConfig(readSettings(env), env, realClock()) };
}

test('a reload changes what applies at once, and names what waits for the next start', () => {
  const { file, live: of } = live({ runsMax: 1, memoryCap: 'auto' });
  const { config } = of;
  file({ runsMax: 2, memoryCap: 'watch', graceMs: 9 });
  expect(of.state()).toMatchObject({ fault: null, unread: ['runsMax'], waiting: ['memoryCap'] });
  expect(config.runsMax).toBe(1);
  expect(of.reload()).toMatchObject({ changed: ['runsMax'], unread: [], waiting: ['memoryCap'] });
  // The variable wins over the file, also in a reload.
  expect(config).toMatchObject({ runsMax: 2, memoryCap: 'auto', graceMs: 7 });
  expect(of.settings.origin(['memoryCap'])).toBe('file');
  expect(of.settings.origin(['graceMs'])).toBe('variable');
});

test('a broken file changes nothing, and the state says why', () => {
  const { file, live: of } = live({ runsMax: 1 });
  for (const broken of ['{', '{"runsMax": "many"}']) {
    file(broken);
    expect(() => of.reload()).toThrow(expect.objectContaining({ code: 'config_invalid' }));
    expect(of.config.runsMax).toBe(1);
    expect(of.state()).toMatchObject({ fault: expect.stringContaining('config file'), unread: [], waiting: [] });
  }
  rmSync(join(folder, 'config.json'));
  expect(of.state().fault).toContain('no such file');
});

test('another text with the same settings is no change', () => {
  const { file, live: of } = live({ runsMax: 1 });
  file('{\n  "$schema": "./s.json",\n  "runsMax": 1\n}');
  expect(of.state()).toMatchObject({ fault: null, unread: [], waiting: [] });
});

test('readers are called with the keys that changed, and only then', () => {
  const { file, live: of } = live({ runsMax: 1 });
  const calls: unknown[] = [];
  of.onChange((changed) => calls.push(changed));
  of.reload();
  file({ runsMax: 3, agent: 'codex' });
  of.reload();
  expect(calls).toEqual([['runsMax', 'agent']]);
});

test.each(Object.entries(configSchema.shape))('the key %s says when a change of it applies', (_, schema) => {
  expect(schema.meta()?.applies, "add .meta({ applies: 'at once' }) or 'next start', see schema.ts").toMatch(
    /^(at once|next start)$/,
  );
});
