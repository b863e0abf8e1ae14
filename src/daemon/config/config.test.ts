import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, readSettings, shellOf, stateFolder } from './config.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'outlast-config-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function writeFile(content: unknown): string {
  const folder = join(home, '.config/outlast');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'config.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('order', () => {
  test('without settings, the defaults apply', () => {
    const config = readConfig({ HOME: home });
    expect(config).toMatchObject({ state: join(home, '.local/state/outlast'), runsMax: 500, notices: [] });
    expect(config.retention).toEqual({
      ageMsMax: 30 * 24 * 3_600_000,
      outputBytesMax: 10 * 1024 ** 3,
      everyMs: 3_600_000,
    });
  });

  test('the file overrides the default, a variable overrides the file, a flag overrides the variable', () => {
    writeFile({ runsMax: 1, graceMs: 1, outputBytesMax: 100_000, retention: { everyMs: 1_000, ageMsMax: 1 } });
    const env = {
      HOME: home,
      OUTLAST_GRACE_MS: '2',
      OUTLAST_RETENTION_EVERY_MS: '2000',
      OUTLAST_OUTPUT_BYTES_MAX: '200000',
    };
    const config = readConfig(env, { outputBytesMax: 300_000 });
    expect(config).toMatchObject({ runsMax: 1, graceMs: 2, outputBytesMax: 300_000 });
    expect(config.retention).toMatchObject({ everyMs: 2_000, ageMsMax: 1, outputBytesMax: 10 * 1024 ** 3 });
  });

  test('an empty variable and a missing flag change nothing', () => {
    writeFile({ runsMax: 7 });
    const flags = { runsMax: undefined } as unknown as { runsMax: number };
    expect(readConfig({ HOME: home, OUTLAST_RUNS_MAX: '' }, flags).runsMax).toBe(7);
  });

  test('OUTLAST_CONFIG names another file, and it must exist', () => {
    const path = join(home, 'other.json');
    expect(() => readConfig({ HOME: home, OUTLAST_CONFIG: path })).toThrow(
      `${path}: cannot be read: no such file or folder (ENOENT)`,
    );
    writeFileSync(path, '{"runsMax": 3}');
    expect(readConfig({ HOME: home, OUTLAST_CONFIG: path }).runsMax).toBe(3);
  });

  test('the state folder is OUTLAST_STATE, else below XDG_STATE_HOME, else below home', () => {
    expect(stateFolder({ HOME: home, XDG_STATE_HOME: '/x', OUTLAST_STATE: '/y' })).toBe('/y');
    expect(stateFolder({ HOME: home, XDG_STATE_HOME: '/x' })).toBe('/x/outlast');
    expect(stateFolder({ HOME: home, XDG_STATE_HOME: 'relative' })).toBe(join(home, '.local/state/outlast'));
    expect(readConfig({ HOME: home, OUTLAST_STATE: '/y' }).state).toBe('/y');
    expect(readConfig({ HOME: home, OUTLAST_STATE: '/y' }, { state: '~/z' }).state).toBe(join(home, 'z'));
  });
});

test('a state folder that is only the default comes from no variable', () => {
  const origin = (folder: string): string => readSettings({ HOME: home, OUTLAST_STATE: folder }).origin(['state']);
  expect(origin(join(home, '.local/state/outlast'))).toBe('default');
  expect(origin('/y')).toBe('variable');
});

describe('refused settings', () => {
  const hook = (webhook: unknown): unknown => ({ notices: [{ name: 'a', webhook }] });
  test.each([
    ['a text for a number', { runsMax: 'many' }, 'key "runsMax": Invalid input: expected number, received string'],
    ['a number out of bounds', { runsMax: 0 }, 'key "runsMax": Too small: expected number to be >=1'],
    ['an unknown key', { runMax: 1 }, 'unknown key "runMax"; known here: state, runsMax'],
    [
      'an unknown key inside',
      { retention: { days: 1 } },
      '"retention.days"; known here: ageMsMax, outputBytesMax, everyMs',
    ],
    [
      'an unknown key of a webhook',
      hook({ url: 'http://a', secret: 'x' }),
      '"notices.0.webhook.secret"; known here: url, secretFile',
    ],
    [
      'models of an unknown agent',
      { models: { claud: { big: 'x' } } },
      'key "models.claud": is not an agent; available: claude, ',
    ],
    ['a model without an id', { models: { claude: { big: 1 } } }, 'key "models.claude'],
    ['a folder that the command line would not find', { state: '/x' }, 'set OUTLAST_STATE instead'],
    [
      'an address that is not http',
      hook({ url: 'file:///etc/passwd' }),
      'key "notices.0.webhook.url": must be an http',
    ],
    ['a password in an address', hook({ url: 'http://a:b@c/' }), 'without a user or password'],
    ['a secret in a header', hook({ url: 'http://a', headers: { Authorization: 'x' } }), 'a secret belongs in a file'],
    ['a header of two lines', hook({ url: 'http://a', headers: { x: 'a\nb' } }), 'notices.0.webhook.headers.x'],
    ['a notice without a route', { notices: [{ name: 'a' }] }, 'has 0 of command, webhook, desktop, ntfy, slack'],
    ['a notice with two', { notices: [{ name: 'a', desktop: true, command: ['x'] }] }, 'has 2 of command'],
    [
      'a notice for nothing known',
      { notices: [{ name: 'a', desktop: true, on: ['end'] }] },
      'expected one of "announced"|"ended"|"failed"',
    ],
    ['an empty command', { notices: [{ name: 'a', command: [] }] }, 'notices.0.command'],
    ['two of the same name', { notices: [1, 2].map(() => ({ name: 'a', desktop: true })) }, 'same name'],
    ['a list', [], 'must hold one JSON object'],
    ['no JSON', '{"runsMax": 1,}', 'is not JSON'],
  ])('%s', (_, content, message) => {
    const path = writeFile(content);
    expect(() => readConfig({ HOME: home })).toThrow(expect.objectContaining({ code: 'config_invalid' }));
    expect(() => readConfig({ HOME: home })).toThrow(message);
    expect(() => readConfig({ HOME: home })).toThrow(path);
  });

  test('the error for a wrong variable names the variable', () => {
    expect(() => readConfig({ HOME: home, OUTLAST_RETENTION_EVERY_MS: '5m' })).toThrow(
      'environment: OUTLAST_RETENTION_EVERY_MS:',
    );
    expect(() => readConfig({ HOME: home, OUTLAST_STATE: 'here' })).toThrow(
      'OUTLAST_STATE: must be a path that begins with /',
    );
  });
});

test('a notice becomes one route with its defaults, and ~ is expanded', () => {
  writeFile({
    notices: [{ name: 'a', webhook: { url: 'http://a', secretFile: '~/s', headers: { 'x-key': { file: '~/k' } } } }],
  });
  expect(readConfig({ HOME: home }).notices).toEqual([
    {
      name: 'a',
      gapMs: 0,
      quiet: false,
      on: ['ended'],
      triesMax: 8,
      timeoutMs: 10_000,
      route: {
        kind: 'webhook',
        url: 'http://a',
        secretFile: join(home, 's'),
        headers: { 'x-key': { file: join(home, 'k') } },
      },
    },
  ]);
});

test('the config is immutable', () => {
  writeFile({ notices: [{ name: 'a', command: ['x'] }] });
  const config = readConfig({ HOME: home });
  for (const part of [config, config.retention, config.notices, config.notices[0], config.notices[0]?.route]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test('the shell is that of the user, unless it is fish or cannot log in', () => {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const put = (name: string): void => {
    writeFileSync(join(bin, name), '');
    chmodSync(join(bin, name), 0o755);
  };
  expect(shellOf({ SHELL: ' /bin/zsh ' })).toBe('/bin/zsh');
  expect(shellOf({})).toBe('/bin/sh');
  expect(shellOf({ SHELL: '/usr/bin/fish', PATH: bin })).toBe('/usr/bin/fish');
  put('sh');
  expect(shellOf({ SHELL: '/usr/bin/fish', PATH: bin })).toBe(join(bin, 'sh'));
  expect(shellOf({ SHELL: '/usr/sbin/nologin', PATH: bin })).toBe(join(bin, 'sh'));
  put('bash');
  expect(shellOf({ SHELL: '/usr/bin/fish', PATH: bin })).toBe(join(bin, 'bash'));
  expect(readConfig({ HOME: home, SHELL: '/bin/zsh', OUTLAST_SHELL: '/bin/dash' }).shell).toBe('/bin/dash');
});
