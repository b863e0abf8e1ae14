import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, type Ran } from '../world.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

const cat = (await world.cli(['exec', '-b', '--name', 'cat', '--', 'cat'])).stdout.trim();
await eventually(async () => (await world.client.session(cat).show()).session.phase === 'working');

const folders = (): string[] => readdirSync(join(world.state, 'sessions')).sort();

/** Refused with a sentence and nothing else: no output, no session, no stack trace. */
async function refused(args: readonly string[], status: number, says: RegExp): Promise<Ran> {
  const before = folders();
  const ran = await world.cli(args);
  expect({ args, status: ran.status, stdout: ran.stdout }).toEqual({ args, status, stdout: '' });
  expect(ran.stderr).toMatch(/^outlast: /);
  expect(ran.stderr).toMatch(says);
  expect(ran.stderr).not.toMatch(/ {4}at |node:internal|undefined|\[object/);
  expect(folders()).toEqual(before);
  return ran;
}

/** Refused in the form for programs. */
async function refusedForPrograms(args: readonly string[], status: number, code: string): Promise<void> {
  const ran = await world.cli([...args.slice(0, 1), '--json', ...args.slice(1)]);
  expect({ args, status: ran.status }).toEqual({ args, status });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: { code, message: expect.stringMatching(/./), hint: expect.stringMatching(/./) },
  });
}

test.each([
  ['show'],
  ['output'],
  ['output', '--follow'],
  ['screen'],
  ['attach', '--print'],
  ['stop'],
  ['remove'],
  ['wait'],
  ['wait', '--for', 'text:x', '--timeout', '1s'],
  ['events'],
  ['keys', 'Enter'],
  ['paste', 'text'],
  ['process poll'],
  ['process log'],
  ['process write', 'text'],
  ['process send-keys', 'Enter'],
  ['process submit'],
  ['process paste', 'text'],
  ['process kill'],
  ['process clear'],
  ['process remove'],
])('%s of a session that is not there ends with 3 and a hint', async (name, ...rest) => {
  const args = [...name.split(' '), 'nobody', ...rest];
  await refused(args, 3, /there is no session "nobody"\n {2}.*outlast list/);
  const ran = await world.cli([...args, '--json']);
  expect(ran.status).toBe(3);
  // A command for several sessions answers for each.
  expect(ran.stdout).toMatch(/"code":"session_not_found"/);
});

test('too short a beginning of an id, and the beginning of a name, is not a session', async () => {
  await refused(['show', cat.slice(0, 3)], 3, /there is no session/);
  await refused(['stop', 'ca'], 3, /there is no session/);
});

test.each([['../cat'], ['a/../cat'], ['%2e%2e'], ['..'], ['cat/output'], ['cat?x=1'], ['cat#x']])(
  '%s is treated as an unknown name',
  async (name) => {
    await refused(['show', name], 3, /there is no session/);
    await refused(['process', 'kill', name], 3, /there is no session/);
  },
);

test('an empty session name is reported as such', async () => {
  const ran = await refused(['show', ''], 2, /session/);
  expect(ran.stderr).not.toMatch(/operation|GET/);
});

// Every second one in each run: they are much alike.
const EXEC_MISTAKES: readonly [string[], RegExp][] = [
  [['exec'], /missing command/],
  [['exec', '--'], /missing command/],
  [['exec', '--', ''], /missing command/],
  [['exec', '-c', ''], /no command/],
  [['exec', '-c', '  '], /no command/],
  [['exec', '-c', 'true', '--', 'true'], /not both/],
  [['exec', '--cwd', '/no/such/folder', '--', 'true'], /\/no\/such\/folder.*\n {2}.*--cwd/],
  [['exec', '--cwd', '/etc/passwd', '--', 'true'], /not a folder/],
  [['exec', '--name', '../x', '--', 'true'], /use only a-z, 0-9 and -/],
  [['exec', '--name', 'Big', '--', 'true'], /use only/],
  [['exec', '--name', '', '--', 'true'], /use only/],
  [['exec', '--name', 'x'.repeat(64), '--', 'true'], /use only/],
  [['exec', '--name', 'cat', '--', 'true'], /"cat" is live\n {2}.*--name/],
  [['exec', '--env', 'PATH=/x', '--', 'true'], /PATH may not be set/],
  [['exec', '--env', 'LD_PRELOAD=/x.so', '--', 'true'], /LD_PRELOAD may not be set/],
  [['exec', '--env', 'NODE_OPTIONS=-r x', '--', 'true'], /NODE_OPTIONS may not be set/],
  [['exec', '--env', 'ok=1', '--env', 'BASH_ENV=x', '--', 'true'], /BASH_ENV may not be set/],
  [['exec', '--env', 'ld_preload=x', '--', 'true'], /ld_preload may not be set/i],
  [['exec', '--env', 'NOVALUE', '--', 'true'], /NAME=value/],
  [['exec', '--env', '=x', '--', 'true'], /NAME=value/],
  [['exec', '--env', 'a-b=x', '--', 'true'], /"a-b" is not a name/],
  [['exec', '--timeout', '10', '--', 'true'], /--timeout: "10" is not a valid duration/],
  [['exec', '--timeout', '-5s', '--', 'true'], /not a valid duration/],
  [['exec', '--timeout', '1e3s', '--', 'true'], /not a valid duration/],
  [['exec', '--yield', 'soon', '--', 'true'], /--yield: "soon" is not a valid duration/],
  [['exec', '--grace', '5 s', '--', 'true'], /--grace: "5 s" is not a valid duration/],
  [['exec', '--pty', '--size', '80', '--', 'true'], /--size: "80" is not a valid size.*120x30/],
  [['exec', '--pty', '--size', '80x', '--', 'true'], /--size/],
  [['exec', '--pty', '--size', '0x0', '--', 'true'], /columns/],
  [['exec', '--tmux', '--size', '9000x20', '--', 'true'], /columns/],
  [['exec', '--size', 'potato', '--', 'true'], /size/],
  [['exec', '--pty', '--tmux', '--', 'true'], /choose one/],
  [['exec', '--pty', '--split', '--', 'true'], /--split/],
  [['exec', '--stdin', 'maybe', '--', 'true'], /neither open nor empty/],
  [['exec', '--bakground', '--', 'true'], /unknown option --bakground; did you mean --background\?/],
  [['exec', '--name'], /--name needs a value/],
];

test.each(some(EXEC_MISTAKES, 2))('%j is refused with 125 before anything is started', async (args, says) => {
  await refused(args, 125, says);
});

const MISTAKES: readonly [string[], RegExp][] = [
  [['exce', '--', 'true'], /unknown command "exce"; did you mean "exec"\?/],
  [['process', 'pol', 'cat'], /unknown command "pol"; did you mean "poll"\?/],
  [['process'], /list, poll, log/],
  [['list', '--jsn'], /unknown option --jsn; did you mean --json\?/],
  [['list', '--tail', 'x'], /--tail: "x" is not a whole number/],
  [['list', 'cat'], /unexpected argument/],
  [['show'], /Usage: outlast show S/],
  [['keys', 'cat', 'Entre'], /"Entre": no such key/],
  [['keys', 'cat', 'C-Banana'], /"C-Banana": no such key/],
  [['keys', 'cat', '0x100'], /"0x100": no such key/],
  [['process', 'send-keys', 'cat'], /No key data/],
  [['process', 'send-keys', 'cat', '--hex', 'xyz'], /"xyz" as hex/],
  [['process', 'write', 'cat'], /pass DATA, or --eof/],
  [['process', 'log', 'cat', '--offset', '-1'], /--offset/],
  [['process', 'log', 'cat', '--offset', '1', '--from', '2'], /not both/],
  [['process', 'poll', 'cat', '--timeout', '5'], /"5" is not a valid duration/],
  [['wait', 'cat', '--for', 'text:('], /Invalid regular expression/],
  [['wait', 'cat', '--for', 'text:'], /is not one of exit/],
  [['wait', 'cat', '--for', 'lunch'], /"lunch" is not one of /],
  [['wait', 'cat', '--for', 'idle-output:2'], /"2" is not a valid duration/],
  [['wait', 'cat', '--since', 'now'], /--since: "now" is not a whole number/],
  [['remove'], /name a session, or pass --ended/],
  [['remove', 'cat', '--ended'], /not both/],
  [['remove', '--older-than', '7d'], /needs --ended/],
  [['remove', '--ended', '--older-than', '7'], /not a valid duration/],
  [['stop', 'cat', '--grace', 'x'], /not a valid duration/],
  [['tmux', 'wait', '-t', 'x'], /--for text:REGEX/],
  [['completion', 'tcsh'], /bash/],
];

test.each(some(MISTAKES, 2))('%j is refused with 2', async (args, says) => {
  await refused(args, 2, says);
});

test('a mistake has a code and a hint for programs', async () => {
  await refusedForPrograms(['exec', '--cwd', '/no/such', '--', 'true'], 125, 'workspace_missing');
  await refusedForPrograms(['exec', '--env', 'PATH=/x', '--', 'true'], 125, 'input_invalid');
  await refusedForPrograms(['exec', '--name', 'cat', '--', 'true'], 125, 'name_taken');
  await refusedForPrograms(['wait', 'cat', '--for', 'text:('], 2, 'input_invalid');
  await refusedForPrograms(['keys', 'cat', 'Entre'], 2, 'input_invalid');
});

test.each([
  [{ nmae: 'x' }, /^nmae: unknown key; known here: .*\bname\b/],
  [{ gate: { strict: true } }, /^gate\.strict: unknown/],
])('a start with the unknown %j is refused, and starts nothing', async (more, says) => {
  const before = (await world.client.list({ state: 'all' })).sessions.length;
  const refusal = { code: 'input_invalid', message: expect.stringMatching(says) };
  await expect(world.client.start({ argv: ['true'], ...more } as object)).rejects.toMatchObject(refusal);
  expect((await world.client.list({ state: 'all' })).sessions).toHaveLength(before);
});

test('what a live session cannot do is refused with 4, and changes nothing', async () => {
  await refused(['remove', 'cat'], 4, /still live\n {2}Stop it first/);
  await refused(['process', 'clear', 'cat'], 4, /still live/);
  await refused(['attach', 'cat', '--print'], 4, /pipe/);
  expect((await world.client.session('cat').show()).session.phase).toBe('working');
});

test('no invalid key reached the command: all keys of a call are checked before one is sent', async () => {
  await refused(['keys', 'cat', 'a', 'b', 'Entre'], 2, /no such key/);
  await world.cli(['process', 'write', 'cat', 'only this\n', '--eof']);
  expect((await world.cli(['wait', 'cat'])).status).toBe(0);
  expect((await world.cli(['output', 'cat'])).stdout).toBe('only this\n');
});

test('what an ended session cannot do is refused with 4', async () => {
  const id = (await world.cli(['exec', '--json', '--', 'true'])).stdout;
  const { session } = JSON.parse(id);
  await refused(['process', 'write', session.id, 'x'], 4, /has ended/);
  await refused(['process', 'submit', session.id], 4, /has ended/);
  await refused(['keys', session.id, 'Enter'], 4, /has ended/);
});

test.each([
  ['below a file', () => join(world.state, 'config.json', 'state')],
  ['where nobody may make one', () => '/sys/outlast-state'],
])('a state folder %s is refused with the remedy', async (_, state) => {
  const env = { OUTLAST_STATE: state() };
  const ran = await world.cli(['list'], { env });
  expect(ran.stderr).toMatch(/cannot use the state folder/);
  expect(ran.stderr).toMatch(/OUTLAST_STATE/);
  expect(ran.status).toBe(1);
  expect((await world.cli(['exec', '--', 'true'], { env })).status).toBe(125);
});

test('an invalid config is reported with its file and key, and nothing is left behind', async () => {
  const state = join(world.state, 'other');
  const env = { OUTLAST_STATE: state, OUTLAST_CONFIG: join(world.state, 'bad.json') };
  writeFileSync(env.OUTLAST_CONFIG, '{ "graceMs": "long" }');
  const ran = await world.cli(['list'], { env });
  expect(ran.status).toBe(5);
  expect(ran.stderr).toMatch(/graceMs/);
  expect(ran.stderr).toMatch(/bad\.json/);
});
