import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { eventually } from '../eventually.ts';
import { makeWebWorld, type WebDevice, type WebWorld } from './web-world.ts';

// Who gets access to the page, and who loses it, is in the audit; people are told of a new browser.

let world: WebWorld;
let owner: WebDevice;

beforeAll(async () => {
  world = await makeWebWorld();
  const command = ['sh', '-c', `cat >> ${join(world.state, 'told')}`];
  await world.client.setNotice({ notice: { name: 'told', on: ['device'], command } });
  await world.client.setNotice({ notice: { name: 'untold', on: ['boot'], command } });
  owner = await world.device('read', 'prompt', 'admin');
});

afterAll(() => world[Symbol.asyncDispose]());

async function audited(): Promise<string[]> {
  const { stdout } = await world.cli(['audit']);
  const lines = stdout.trim().split('\n');
  return lines.map((line) => line.split(' ').slice(2).join(' '));
}

test('S12: a link, a new login and a revocation are in the audit, and people are told of the login', async () => {
  const before = (await audited()).length;
  const { body } = await owner.post(PAGE_PATHS.link, { grants: ['read'] });
  const other = await world.signIn((JSON.parse(body) as { url: string }).url, 'Firefox on Android');
  await owner.post(PAGE_PATHS.revoke, { id: other.device.id });
  const byOwner = `${owner.device.name} (web)`;
  await eventually(async () => (await audited()).length === before + 3, { what: 'three rows' });
  expect((await audited()).slice(before)).toEqual([
    `web a link was made by ${byOwner} (read)`,
    `web Firefox on Android signed in (read), by a link of ${byOwner}`,
    `web Firefox on Android signed out, by ${byOwner}`,
  ]);
  const told = (): string => readFileSync(join(world.state, 'told'), 'utf8');
  const headline = 'Firefox on Android: signed in to the web page, with the grants read\n';
  await eventually(() => told().includes(headline), { what: 'a notice' });
  expect(told()).toContain(`The link was made by ${byOwner}.`);
  // Only the notice that is for devices told it, and once.
  expect(told().split(headline)).toHaveLength(2);
  expect((await world.client.approvals.verify()).ok).toBe(true);
});

test('a link of the command line and a revocation without a server are in the audit too', async () => {
  const { device } = await world.signIn(await world.link('--allow', 'read'), 'Chrome on Linux');
  const expected = [
    'web a link was made by caller (read)',
    'web Chrome on Linux signed in (read), by a link of caller',
  ];
  expect((await audited()).slice(-2)).toEqual(expected);
  await world.unserve();
  expect((await world.cli(['web', 'revoke', device.id])).status).toBe(0);
  expect((await audited()).at(-1)).toBe('web Chrome on Linux signed out, by caller');
  await world.serve();
  expect((await audited()).at(-1)).toMatch(/^web a link was made by caller/);
});

test('no page records devices, whatever it may do', async () => {
  const given = { did: 'signed_in', device: 'x', browser: 'Forged', grants: ['read'] };
  const answer = await owner.post(`${PAGE_PATHS.api}/devices/record`, given);
  expect([answer.status, answer.body.includes('not for pages')]).toEqual([403, true]);
});

test('a sign-in that cannot be recorded does not happen', async () => {
  const link = await world.link();
  const journal = new DatabaseSync(join(world.state, 'outlast.db'));
  journal.exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no room'); END");
  await expect(world.signIn(link, 'Unrecorded')).rejects.toThrow('sign in: ');
  journal.exec('DROP TRIGGER full');
  journal.close();
  expect(readFileSync(join(world.state, 'web/devices.json'), 'utf8')).not.toContain('Unrecorded');
});
