import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';

const MAIN = join(import.meta.dirname, '../../bin/outlast.cjs');
let world: World;
let file: string;

beforeAll(async () => {
  world = await makeWorld();
  file = join(world.state, 'config.json');
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  writeFileSync(file, '{}\n');
  await world.client.reloadConfig();
});

function outlast(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const ran = spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8', env: { ...world.env, ...env } });
  return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

const saved = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

test('set changes the file and the running daemon, and get says where a value comes from', async () => {
  expect(outlast(['config', 'set', 'retention.ageMsMax', '7d'])).toMatchObject({
    status: 0,
    out: `retention.ageMsMax = 604800000 (${file})\nThe daemon now uses: retention.\n`,
  });
  expect(saved()).toEqual({ retention: { ageMsMax: 604_800_000 } });
  expect(outlast(['config', 'get', 'retention.ageMsMax'])).toEqual({
    ...{ status: 0, out: '604800000\n', err: `from the file ${file}\n` },
  });
  expect((await world.client.config({ key: 'graceMs' })).keys).toEqual([
    { key: 'graceMs', value: 3000, from: 'default', variable: null, applies: 'at once' },
  ]);
  expect(outlast(['config', 'unset', 'retention']).out).toContain('retention is no longer set');
  expect(saved()).toEqual({});
  // A running daemon limits new sessions by what was set.
  expect(outlast(['config', 'set', 'shell', '/bin/sh']).status).toBe(0);
  expect(outlast(['exec', '-c', 'echo $0']).out).toBe('/bin/sh\n');
});

test('what is wrong is refused with what is allowed, and changes nothing', () => {
  const before = readFileSync(file, 'utf8');
  for (const [words, says] of [
    [['runsMax', 'many'], 'runsMax: is "many"; allowed: 1 to 100000'],
    [['runMax', '1'], 'did you mean "runsMax"?'],
    [['notices', '[{"name": "a"}]'], 'exactly one is allowed'],
  ] as const) {
    const ran = outlast(['config', 'set', ...words]);
    expect(ran.status).toBe(2);
    expect(ran.err).toContain(says);
  }
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a mode and a link are kept, and a link to nothing is filled', () => {
  const target = join(world.state, 'dotfiles/config.json');
  const link = join(world.state, 'linked.json');
  mkdirSync(join(world.state, 'dotfiles'));
  symlinkSync('dotfiles/config.json', link);
  const env = { OUTLAST_CONFIG: link };
  expect(outlast(['config', 'set', 'agent', 'codex'], env).status).toBe(0);
  chmodSync(target, 0o640);
  const ran = outlast(['config', 'set', 'agent', 'pi'], env);
  expect(ran.out).toContain(`The daemon reads another file: ${file}`);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(target).mode & 0o777).toBe(0o640);
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ agent: 'pi' });
});

test('changes at the same time are all kept', async () => {
  const keys = ['runsMax', 'graceMs', 'policy.idleMsMax', 'boot.limit', 'backup.keep'];
  const commands = keys.map((key) => `'${process.execPath}' '${MAIN}' config set ${key} 60 &`).join('\n');
  spawnSync('sh', ['-c', `${commands}\nwait`], { env: world.env });
  expect(saved()).toEqual({
    ...{ runsMax: 60, graceMs: 60, policy: { idleMsMax: 60 }, boot: { limit: 60 }, backup: { keep: 60 } },
  });
  expect((await world.client.daemonStatus()).config).toMatchObject({ unread: [], waiting: [] });
});

test('a file that is edited or broken changes nothing until it is reloaded, and every look says so', async () => {
  const { pid } = await world.client.daemonStatus();
  writeFileSync(file, '{"graceMs": 5, "memoryCap": "watch"}');
  expect(outlast(['daemon', 'status']).out).toMatch(
    /has changed since .*: graceMs\. To use it: `outlast config reload`/,
  );
  expect(outlast(['config', 'get', 'graceMs']).err).toContain('outlast config reload');
  expect(outlast(['config', 'reload']).out).toMatch(/now uses: graceMs\.\nUsed when .* restarts: memoryCap\./);
  writeFileSync(file, '{\n  "graceMs": "x"\n}');
  const refused = outlast(['config', 'reload']);
  expect(refused).toMatchObject({ status: 2 });
  expect(refused.err).toContain(`${file}:2:3: graceMs: is "x"; allowed: 0 to 600000`);
  expect(outlast(['config', 'get', 'graceMs'])).toMatchObject({
    out: '5\n',
    err: expect.stringContaining('keeps using'),
  });
  expect(outlast(['daemon', 'status']).out).toContain('keeps using the config that it read');
  expect(outlast(['config', 'set', 'graceMs', '6']).status).toBe(0);
  expect(await world.client.daemonStatus()).toMatchObject({ pid, config: { fault: null, waiting: [] } });
});

test('a notice that is set is sent by the running daemon', async () => {
  const told = join(world.state, 'told');
  const notice = [{ name: 'log', on: ['session.ended'], command: ['sh', '-c', `cat > '${told}'`] }];
  expect(outlast(['config', 'set', 'notices', JSON.stringify(notice)]).status).toBe(0);
  await eventually(async () => (await world.client.daemonStatus()).notices.length === 1, { what: 'the notice' });
  await world.client.start({ argv: ['true'] });
  await eventually(() => existsSync(told) && readFileSync(told, 'utf8') !== '', { what: 'a notice' });
});

test('no session may change the config', () => {
  const env = { OUTLAST_RUN: '01234567890123456789.1' };
  for (const words of [['set', 'agent', 'x'], ['unset', 'agent'], ['edit']])
    expect(outlast(['config', ...words], env)).toMatchObject({ status: 4, err: expect.stringContaining('may not') });
});

test('edit saves only what has no mistakes, and asks again', async () => {
  writeFileSync(file, '{"runsMax": 20}\n');
  // An editor that makes a mistake the first time.
  const editor = join(world.state, 'editor.sh');
  writeFileSync(editor, `if grep -q many "$1"; then sed -i s/many/30/ "$1"; else sed -i s/20/many/ "$1"; fi\n`);
  const quit = await edited(editor, 'q');
  expect(quit).toContain('1:13: this is not a value: a string needs double quotes');
  expect(saved()).toEqual({ runsMax: 20 });
  rmSync(dirname(/your text is in (\S+)/.exec(quit)?.[1] ?? '/nonexistent/x'), { recursive: true });
  expect(await edited(editor, 'e')).toContain('The daemon now uses: runsMax.');
  expect(saved()).toEqual({ runsMax: 30 });
});

/** Runs `config edit` on a terminal, and gives one answer when it asks. */
async function edited(editor: string, answer: string): Promise<string> {
  const env = { ...world.env, EDITOR: `sh ${editor}`, VISUAL: '' };
  const pty = spawn(process.execPath, [MAIN, 'config', 'edit'], { env, cols: 200, rows: 24 });
  const ended = Promise.withResolvers<void>();
  let shown = '';
  let isAsked = false;
  pty.onData((text) => {
    shown += text;
    if (!isAsked && shown.includes('[e/q]')) pty.write(`${answer}\r`);
    isAsked ||= shown.includes('[e/q]');
  });
  pty.onExit(() => ended.resolve());
  await ended.promise;
  return shown;
}

test('the schema is one that a file can name, and the path is printed', () => {
  expect(outlast(['config', 'path']).out).toBe(`${file}\n`);
  const schema = JSON.parse(outlast(['config', 'schema']).out);
  expect(schema.properties.runsMax).toMatchObject({ minimum: 1, maximum: 100_000 });
  expect(outlast(['config', 'set', '$schema', './schema.json']).status).toBe(0);
  expect(outlast(['config', 'check'])).toMatchObject({ status: 0, out: `${file}: no mistakes\n` });
});
