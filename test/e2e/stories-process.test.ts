import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { crash, hasPrinted, isRunning, liveCli, liveScript, startCommand } from './live.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

const start = (...args: string[]): Promise<string> => startCommand(world, ...args);
const poll = async (id: string, ...args: string[]): Promise<string> =>
  plain((await world.cli(['process', 'poll', id, ...args])).stdout);
/** Whether it seems to wait for input has its own test. */
const plain = (polled: string): string => polled.replace('It seems to wait for input.\n', '');
const printed = (id: string, text: string) => hasPrinted(world, id, text);

test('a poll returns each text once, waits when requested, and returns as soon as there is something', async () => {
  const id = await start('--', 'cat');
  expect(await poll(id)).toBe('(no new output)\n\nProcess still running.\n');
  await using waiting = liveCli(world, ['process', 'poll', id, '--timeout', '60s']);
  await world.cli(['process', 'write', id, 'one\n']);
  expect(await waiting.status()).toBe(0);
  expect(plain(waiting.stdout)).toBe('one\n\nProcess still running.\n');
  await world.cli(['process', 'write', id, 'two\n']);
  await printed(id, 'two');
  expect(await poll(id)).toBe('two\n\nProcess still running.\n');
  expect(await poll(id, '--timeout', '100ms')).toBe('(no new output)\n\nProcess still running.\n');
  expect(await poll(id, '--reader', 'other')).toBe('one\ntwo\n\nProcess still running.\n');
  await using atEnd = liveCli(world, ['process', 'poll', id, '--timeout', '60s']);
  await world.cli(['process', 'write', id, '--eof']);
  expect(await atEnd.status()).toBe(0);
  expect(atEnd.stdout).toBe('(no new output)\n\nProcess exited with code 0.\n');
});

test('what was not read before the exit is read after it, and after a restart of the daemon', async () => {
  const id = await start('-c', 'echo one; exit 3');
  await world.cli(['wait', id]);
  await crash(world);
  expect(await poll(id)).toBe('one\n\nProcess exited with code 3.\n');
  await crash(world);
  expect(await poll(id)).toBe('(no new output)\n\nProcess exited with code 3.\n');
});

test('a poll whose answer never arrived loses nothing', async () => {
  const id = await start('-c', 'echo precious');
  await world.cli(['wait', id]);
  await using script = liveScript(
    world,
    `outlast process poll ${id} 2>/dev/null >/dev/full; outlast process poll ${id}`,
  );
  expect(await script.status()).toBe(0);
  expect(script.stdout).toBe('precious\n\nProcess exited with code 0.\n');
  const again = await world.client.poll({ session: id, reader: 'sdk' });
  expect((await world.client.poll({ session: id, reader: 'sdk' })).text).toBe(again.text);
});

test('a poll that is killed while it waits does not consume the text', async () => {
  const id = await start('--', 'cat');
  await using waiting = liveCli(world, ['process', 'poll', id, '--timeout', '60s']);
  await eventually(() => isRunning(waiting.pid));
  waiting.child.kill('SIGKILL');
  await waiting.status();
  await world.cli(['process', 'write', id, 'still here\n']);
  await printed(id, 'still here');
  expect(await poll(id)).toBe('still here\n\nProcess still running.\n');
  await world.cli(['process', 'kill', id]);
});

test('a poll of much output says that there is more, and the next continues there', async () => {
  const id = await start('-c', 'seq 1 300000');
  await world.cli(['wait', id]);
  const first = await poll(id);
  expect(first).toMatch(/more/);
  const second = await poll(id);
  const numbers = `${first}\n${second}`.split('\n').filter((line) => /^\d+$/.test(line));
  expect(numbers.length).toBeGreaterThanOrEqual(299_990);
  expect(second).toMatch(/^300000$/m);
});

test('a poll of a timed out session says so', async () => {
  const id = await start('--timeout', '100ms', '--', 'sleep', '1000');
  await world.cli(['wait', id]);
  expect(await poll(id)).toMatch(/^\(no new output\)\n\nProcess timed out\.\n/);
});

test('log pages by line and by byte', async () => {
  const id = await start('-c', 'seq 1 500');
  await world.cli(['wait', id]);
  const log = async (...args: string[]) => (await world.cli(['process', 'log', id, ...args])).stdout;
  const all = await log();
  expect(all).toMatch(/^301\n/);
  expect(all).toMatch(/500\n\n\[showing last 200 of 500 lines; pass --offset\/--limit to page\]\n$/);
  expect(await log('--offset', '0', '--limit', '2')).toBe('1\n2\n');
  expect(await log('--offset', '9', '--limit', '1')).toBe('10\n');
  expect(await log('--offset', '498')).toBe('499\n500\n');
  expect(await log('--limit', '3')).toBe('498\n499\n500\n');
  expect(await log('--from', '2', '--bytes', '4')).toBe('2\n3\n');
  expect(await log('--offset', '5000')).toBe('(no output recorded)\n');
  const page = JSON.parse(await log('--offset', '2', '--limit', '2', '--json'));
  expect(page).toMatchObject({ text: '3\n4\n', lines: { offset: 2, total: 500 }, ended: true });
});

test('write, submit and paste work on a pipe', async () => {
  const id = await start('-c', 'while read -r x; do echo "<$x>"; done');
  await world.cli(['process', 'write', id, 'a b']);
  await world.cli(['process', 'submit', id]);
  await world.cli(['process', 'paste', id, 'c\nd\n']);
  await world.cli(['process', 'send-keys', id, '--literal', 'e f', 'Enter']);
  await world.cli(['process', 'write', id, '--eof']);
  expect((await world.cli(['wait', id])).status).toBe(0);
  expect((await world.cli(['output', id])).stdout).toBe('<a b>\n<c>\n<d>\n<e f>\n');
});

test('submit does not claim to have sent something else', async () => {
  const id = await start('--', 'cat');
  const output = (await world.cli(['process', 'submit', id])).stdout;
  await printed(id, '\n');
  await world.cli(['process', 'kill', id]);
  expect(output).not.toMatch(/CR\b/);
});

test('kill ends it and all it started; clear removes an ended one; remove does both', async () => {
  const killed = await start('-c', `setsid sh -c 'trap "" TERM HUP; echo $$; sleep 1000; sleep 1000' & sleep 1000`);
  await printed(killed, '\n');
  const pid = Number((await world.client.session(killed).output()).text);
  expect(isRunning(pid)).toBe(true);
  const kill = await world.cli(['process', 'kill', killed]);
  expect([kill.status, kill.stdout]).toEqual([0, expect.stringContaining(`Killed session ${killed}`)]);
  expect(isRunning(pid)).toBe(false);
  expect((await world.cli(['process', 'clear', killed])).stdout).toBe(`Cleared session ${killed}.\n`);
  expect((await world.cli(['process', 'log', killed])).status).toBe(3);
  const live = await start('--name', 'to-remove', '--', 'sleep', '1000');
  const { session } = await world.client.session(live).show();
  expect((await world.cli(['process', 'remove', 'to-remove'])).stdout).toBe(`Removed session ${live}.\n`);
  expect(isRunning(session.pid ?? 0)).toBe(false);
  expect((await world.cli(['process', 'poll', live])).status).toBe(3);
});

test('lists have short ids or names, states and last lines', async () => {
  const id = await start('-c', 'seq 1 9; exec sleep 1000');
  await printed(id, '9');
  const text = (await world.cli(['process', 'list', '--live', '--tail', '2'])).stdout;
  expect(text).toMatch(new RegExp(`^${id.slice(0, 12)}\\w* +working .*seq 1 9.*\n +8\n +9$`, 'm'));
  const { sessions } = JSON.parse((await world.cli(['list', '--live', '--tail', '2', '--json'])).stdout);
  expect(sessions).toMatchObject([{ id, phase: 'working', tail: ['8', '9'] }]);
  expect((await world.cli(['output', id, '--tail', '2'])).stdout).toBe('8\n9\n');
  await world.cli(['process', 'kill', id]);
});

test('a follower sees everything once, over the death of the daemon, and ends with the session', async () => {
  const id = await start('--', 'cat');
  await using follower = liveCli(world, ['output', id, '--follow']);
  await world.cli(['process', 'write', id, 'one\n']);
  await follower.shows('one\n');
  await crash(world);
  await world.cli(['process', 'write', id, 'two\n', '--eof']);
  expect(await follower.status()).toBe(0);
  expect(follower.stdout).toBe('one\ntwo\n');
});
