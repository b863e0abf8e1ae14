import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { listen } from '../integration/notice-world.ts';
import { makeWorld } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const world = await makeWorld({ config: { graceMs: 1_234, models: { claude: { mine: 'a-model' } } } });
afterAll(() => world[Symbol.asyncDispose]());
const config = join(world.state, 'config.json');
const read = () => JSON.parse(readFileSync(config, 'utf8'));

test('`notify setup` adds a notice, keeps the rest of the file, and it is in use at once', async () => {
  await using server = await listen();
  // A link into a folder of dotfiles stays one.
  const real = join(world.state, 'dotfile.json');
  renameSync(config, real);
  symlinkSync(real, config);
  chmodSync(real, 0o640);
  const made = await world.cli(['notify', 'setup', 'ntfy', `${server.url}/my-topic`, '--secret-file', '-'], {
    input: 'tk_123\n',
  });
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toMatch(/^Added the notice ntfy to .*config\.json\. It is in use\.\nIts secret is in .*\nA test/);
  const test = await eventually(() => server.received[0]);
  expect([test.path, test.headers.authorization]).toEqual(['/my-topic', 'Bearer tk_123']);
  expect(test.headers.title).toBe('Outlast: a test of the notice ntfy: this is how you will be notified');
  const secret = join(world.state, 'notices/ntfy.secret');
  expect(read()).toEqual({
    graceMs: 1_234,
    models: { claude: { mine: 'a-model' } },
    notices: [{ name: 'ntfy', on: ['announced'], ntfy: { url: server.url, topic: 'my-topic', tokenFile: secret } }],
  });
  expect(lstatSync(config).isSymbolicLink()).toBe(true);
  expect([statSync(real).mode & 0o777, statSync(secret).mode & 0o777]).toEqual([0o640, 0o600]);
  await world.cli(['start', '--agent', 'scripted', '--name', 'fix', 'hello']);
  const told = await eventually(() => server.received[1]);
  expect([told.headers.title, told.body]).toEqual([
    'scripted "hello" (fix) answered',
    expect.stringMatching(/^You said/),
  ]);
  await world.restart();
  const again = await world.cli(['notify', 'test', 'ntfy']);
  expect([again.status, again.stdout]).toEqual([0, 'A test message was sent to ntfy.\n']);
});

test('a second notice of a kind gets a name of its own, and what is wrong changes nothing', async () => {
  await using server = await listen(() => ({ status: 404, body: 'no_service' }));
  const file = join(world.state, 'hook');
  writeFileSync(file, `${server.url}/services/x\n`, { mode: 0o644 });
  const first = await world.cli(['notify', 'setup', 'slack', '--secret-file', file]);
  expect(first.status).toBe(1);
  expect(first.stderr).toMatch(
    /other users can read .*hook[\s\S]*test message to slack failed: .* answered 404: no_service/,
  );
  const second = await world.cli([
    'notify',
    'setup',
    'slack',
    '--secret-file',
    file,
    '--no-test',
    '--on',
    'held,failed',
  ]);
  expect(second.stdout).toContain('Try it with: outlast notify test slack-2');
  const before = readFileSync(config, 'utf8');
  const wrong = [
    ['setup', 'pager'],
    ['setup', 'slack', 'https://hooks.slack.com/services/x'],
    ['setup', 'email'],
    ['setup', 'email', 'nobody'],
    ['setup', 'ntfy', 'two words'],
    ['setup', 'webhook', 'ftp://x'],
    ['setup', 'desktop', '--on', 'everything'],
    ['setup', 'desktop', '--name', 'slack'],
    ['setup', 'telegram', '1', '--secret-file', '/nonexistent'],
    ['test', 'nothing'],
  ];
  for (const words of wrong) {
    const { status, stderr } = await world.cli(['notify', ...words]);
    expect([status, words, stderr]).toEqual([2, words, expect.stringMatching(/^outlast: /)]);
  }
  expect(readFileSync(config, 'utf8')).toBe(before);
  const listed = (await world.cli(['notify', 'list'])).stdout;
  expect(listed).toMatch(/^NAME +HOW +WHEN +STATUS\nntfy .*\nslack +slack +announced.*\nslack-2 +slack +held,failed/);
  expect(listed).toContain('No desktop notifications: there is no session bus.');
  expect(JSON.stringify(await world.client.notices())).not.toContain('services/x');
});

test('a config file that cannot be read is left alone', async () => {
  const before = readFileSync(config, 'utf8');
  writeFileSync(config, '{ "notices": [ // mine\n');
  const { status, stderr } = await world.cli(['notify', 'setup', 'desktop', '--no-test']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('is not JSON; correct it first')]);
  expect(readFileSync(config, 'utf8')).toContain('// mine');
  writeFileSync(config, before);
});

test('at a terminal it asks two questions, and never shows the secret', async () => {
  await using server = await listen();
  const env = { ...world.env, TERM: 'xterm' };
  const pty = spawn(process.execPath, [BIN, 'notify', 'setup', '--name', 'asked'], { cols: 80, rows: 24, env });
  let shown = '';
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  pty.onData((text) => {
    shown += text;
  });
  const sees = (text: string) =>
    eventually(() => shown.includes(text), { what: `${text} on ${JSON.stringify(shown)}` });
  await sees('Number or name: ');
  expect(shown).toContain('How should Outlast notify you?');
  pty.write('4\r');
  await sees('Discord webhook address');
  pty.write(`${server.url}/api/webhooks/1/hush-hush\r`);
  expect(await ended).toBe(0);
  expect(shown).toContain('A test message was sent to asked.');
  expect(shown).not.toContain('hush-hush');
  expect((await eventually(() => server.received[0])).path).toBe('/api/webhooks/1/hush-hush?wait=true');
});

test('`notify remove` takes a notice and its secret away, keeps the rest, and nothing more is sent', async () => {
  await using server = await listen();
  const own = join(world.state, 'own-token');
  writeFileSync(own, 'tk_own\n', { mode: 0o600 });
  const text = '{\n    "graceMs": 1234,\n\n    "models": {\n        "claude": {}\n    }\n}\n';
  writeFileSync(config, text);
  const setup = (name: string, secret: string) =>
    world.cli(
      ['notify', 'setup', 'ntfy', `${server.url}/${name}`, '--name', name, '--no-test', '--secret-file', secret],
      {
        input: 'tk_1\n',
      },
    );
  expect([(await setup('one', '-')).status, (await setup('two', own)).status]).toEqual([0, 0]);
  expect(readFileSync(config, 'utf8')).toContain('\n    "graceMs": 1234,\n\n    "models": {');
  const secret = join(world.state, 'notices/one.secret');
  expect(existsSync(secret)).toBe(true);
  const unknown = await world.cli(['notify', 'remove', 'three']);
  expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('no notice "three"; it has: one, two')]);
  const one = await world.cli(['notify', 'remove', 'one']);
  expect([one.status, one.stderr]).toEqual([0, '']);
  expect(one.stdout).toMatch(/^Removed the notice one from .*config\.json\.\nDeleted its secret: .*one\.secret\n$/);
  expect([existsSync(secret), read().notices.map(({ name }: { name: string }) => name)]).toEqual([false, ['two']]);
  await world.cli(['start', '--agent', 'scripted', '--name', 'told', 'hello']);
  const told = await eventually(() => server.received[0]);
  expect(told.path).toBe('/two');
  const two = await world.cli(['notify', 'remove', 'two', '--json']);
  expect(JSON.parse(two.stdout)).toEqual({ name: 'two', file: config, secretFile: null });
  expect([readFileSync(config, 'utf8'), existsSync(own)]).toEqual([text, true]);
  const { notices } = await world.client.notices();
  expect(notices.filter(({ isDefault }) => !isDefault)).toEqual([]);
  // The daemon has read what it wrote.
  expect((await world.client.config()).unread).not.toContain('notices');
  expect(server.received.map(({ path }) => path)).toEqual(['/two']);
});
