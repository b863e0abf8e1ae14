import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Wire } from '../../agent/seam/server.ts';
import type { Launch } from '../../core/launch.ts';
import { loginHeaders, withPassword } from './password.ts';

const WIRE: Wire = { over: 'http', events: '/e', login: { user: 'me', variable: 'PASSWORD' }, port: () => null };
const LAUNCH: Launch = { argv: ['x'], env: { HOME: '/h' }, cwd: '/', umask: 0, stdin: 'empty', split: true };

test('a run has one password, in a file for the user alone; it is passed in the environment and in a header', () => {
  const root = mkdtempSync(join(tmpdir(), 'ol-password-'));
  try {
    const place = { folder: join(root, '1'), password: join(root, '1/password') };
    const { env } = withPassword(LAUNCH, WIRE, place);
    expect(env).toEqual({ HOME: '/h', PASSWORD: readFileSync(place.password, 'utf8') });
    expect([env.PASSWORD?.length, statSync(place.password).mode & 0o777]).toEqual([32, 0o600]);
    expect(withPassword(LAUNCH, WIRE, place).env).toEqual(env);
    const { authorization = '' } = loginHeaders(WIRE, place);
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe(`me:${env.PASSWORD}`);
    const other = { folder: join(root, '2'), password: join(root, '2/password') };
    expect(withPassword(LAUNCH, WIRE, other).env.PASSWORD).not.toBe(env.PASSWORD);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a server without a login, or over another wire, has no password', () => {
  const place = { folder: '/nowhere', password: '/nowhere/password' };
  expect(withPassword(LAUNCH, { over: 'stdio' }, place)).toBe(LAUNCH);
  expect(loginHeaders({ over: 'http', events: '/e', port: () => null }, place)).toEqual({});
});
