import { afterAll, describe, expect, test } from 'vitest';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** A program that shows the first bytes it reads, after asking its terminal for some modes. */
async function reader(terminal: string, modes: string, bytes: number, term = 'xterm-256color'): Promise<string> {
  const line = `stty raw -echo; printf '${modes}ready'; head -c ${bytes} | od -An -v -tx1 -w999; stty sane`;
  const id = (await world.cli(['exec', '-b', terminal, '--env', `TERM=${term}`, '-c', line])).stdout.trim();
  expect((await world.client.session(id).wait({ for: 'text:ready', since: 0, timeoutMs: 10_000 })).met).toBe('text');
  return id;
}

async function bytesRead(id: string): Promise<string> {
  expect((await world.client.session(id).wait({ timeoutMs: 10_000 })).met).toBe('exit');
  const { stdout } = await world.cli(['output', id]);
  return (stdout.split('ready')[1] ?? '').replace(/\s/g, '');
}

const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

describe.each(some(['--pty', '--tmux'], 2))('in a terminal (%s)', (terminal) => {
  test.each([
    ['', '\x1b[A\x1b[D\x1b[1;5A'],
    ['\\033[?1h', '\x1bOA\x1bOD\x1b[1;5A'],
  ])('arrows follow the cursor mode %j', async (modes, expected) => {
    const id = await reader(terminal, modes, expected.length);
    expect((await world.cli(['keys', id, 'Up', 'Left', 'C-Up'])).status).toBe(0);
    expect(await bytesRead(id)).toBe(hex(expected));
  });

  test('with a pause between them, keys are sent one by one', async () => {
    const id = await reader(terminal, '', 2);
    expect((await world.cli(['keys', id, 'Escape', 'x', '--delay', '20ms'])).status).toBe(0);
    expect(await bytesRead(id)).toBe(hex('\x1bx'));
    const written: unknown[] = [];
    for await (const { body } of world.client.events({ session: id, types: ['run.written'] })) written.push(body.bytes);
    expect(written).toEqual([1, 1]);
  });

  test('function keys have their modifiers, and bytes are bytes', async () => {
    const expected = '\x1bOP\x1b[1;5P\x1b[15;2~\x1b[24;3~\x1b[Z\x1bx\x03\x1b\xff\xfe\x80';
    const id = await reader(terminal, '', expected.length);
    const keys = ['F1', 'C-F1', 'S-F5', 'M-F12', 'S-Tab', 'M-x', 'C-c', '0x1b', '0xff', '0xFE', '0x80'];
    expect((await world.cli(['keys', id, ...keys])).stdout).toBe(`Sent ${expected.length} bytes to session ${id}.\n`);
    expect(await bytesRead(id)).toBe(hex(expected));
  });

  test('text, hex bytes and keys go in this order, each byte once', async () => {
    const expected = `${Buffer.from('é-n').toString('latin1')}\x1b[A\xff\r`;
    const id = await reader(terminal, '', expected.length);
    const args = ['--hex', '1b', '--hex', '5b41', '--hex', 'ff', '--literal', 'é-n', 'Enter'];
    expect((await world.cli(['process', 'send-keys', id, ...args])).status).toBe(0);
    expect(await bytesRead(id)).toBe(hex(expected));
  });

  test('a paste is bracketed only for a program that asked, and cannot end itself', async () => {
    const evil = 'a\x1b[201~\x1b[20\x1b[201~1~rm -rf\nb';
    const plain = await reader(terminal, '', 3);
    expect((await world.cli(['process', 'paste', plain, 'x\ny'])).status).toBe(0);
    expect(await bytesRead(plain)).toBe(hex('x\ry'));
    const asked = await reader(terminal, '\\033[?2004h', 40);
    expect((await world.cli(['paste', asked, evil])).status).toBe(0);
    await world.cli(['process', 'write', asked, '.'.repeat(40)]);
    const read = Buffer.from(await bytesRead(asked), 'hex').toString('latin1');
    expect(read).toMatch(/^\x1b\[200~a[\s\S]*rm -rf\rb\x1b\[201~\.+$/);
    expect(read.split('\x1b[201~').length).toBe(2);
  });
});

test('hex bytes reach a pipe as they are', async () => {
  const id = (await world.cli(['exec', '-b', '--', 'od', '-An', '-v', '-tx1'])).stdout.trim();
  await eventually(async () => (await world.client.session(id).show()).session.phase === 'working');
  expect((await world.cli(['process', 'send-keys', id, '--hex', '00ff80', '0xfe'])).status).toBe(0);
  await world.cli(['process', 'write', id, '--eof']);
  expect((await world.cli(['wait', id])).status).toBe(0);
  expect((await world.cli(['output', id])).stdout).toBe(' 00 ff 80 fe\n');
});

test('the examples in the help of keys work', async () => {
  const help = (await world.cli(['keys', '--help'])).stdout;
  const example = /outlast keys \w+ (Escape .*?) {2}/.exec(help)?.[1] ?? '';
  const id = (await world.cli(['exec', '-b', '--', 'cat'])).stdout.trim();
  await eventually(async () => (await world.client.session(id).show()).session.phase === 'working');
  const ran = await world.cli(['keys', id, ...example.split(' ')]);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});

test.each([
  ['--pty', 'xterm-256color', '\x1bOH\x1bOF\x1bOP'],
  ['--pty', 'screen-256color', '\x1b[1~\x1b[4~\x1bOP'],
  ['--pty', 'linux', '\x1b[1~\x1b[4~\x1b[[A'],
  ['--pty', 'rxvt-unicode', '\x1b[7~\x1b[8~\x1b[11~'],
  ['--tmux', 'xterm-256color', '\x1b[1~\x1b[4~\x1bOP'],
])('T-KEY-1: in a %s whose program sees a %s, keys are those of that terminal', async (terminal, term, sent) => {
  const id = await reader(terminal, '\\033[?1h', sent.length, term);
  expect((await world.cli(['keys', id, 'Home', 'End', 'F1'])).status).toBe(0);
  expect(await bytesRead(id)).toBe(hex(sent));
});
