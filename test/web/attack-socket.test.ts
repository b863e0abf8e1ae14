import { afterAll, beforeAll, expect, test } from 'vitest';
import { FROM_PAGE, frame, jsonFrame } from '../../src/api/live-frames.ts';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { times, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { LiveClient } from './live-client.ts';
import { RawClient, wireFrame } from './raw-client.ts';
import { makeWebWorld, type WebDevice, type WebWorld } from './web-world.ts';

// The live connection, by hand: frames that no browser sends, too many of everything, and nobody who reads.

let world: WebWorld;
let owner: WebDevice;

beforeAll(async () => {
  world = await makeWebWorld();
  owner = await world.device('read', 'prompt', 'exec', 'approve', 'admin');
});

afterAll(() => world[Symbol.asyncDispose]());

/** Another tab gets in and gets data, whatever happens beside it. */
async function isServing(): Promise<void> {
  const live = await LiveClient.of(world, owner);
  expect(live.isReady).toBe(true);
  const channel = live.open('session.watch');
  await eventually(() => live.of(channel).length > 0, { what: 'a list' });
  live.close();
}

/** A raw connection with a good ticket. */
async function signedIn(): Promise<RawClient> {
  const client = await RawClient.live(world);
  client.send(wireFrame(frame(FROM_PAGE.ticket, 0, Buffer.from(await owner.ticket()))));
  await eventually(() => client.bytes.length >= 7, { what: 'ready' });
  return client;
}

type Wire = NonNullable<Parameters<typeof wireFrame>[1]>;

const ANY = Buffer.from('anything');

/** Breaks the rules of the protocol below ours, by name. */
const BROKEN: Readonly<Record<string, readonly Buffer[]>> = {
  'no mask': [wireFrame(ANY, { mask: null })],
  'a text': [wireFrame(ANY, { opcode: 1 })],
  'a reserved bit': [wireFrame(ANY, { reserved: 4 })],
  'an unknown kind': [wireFrame(ANY, { opcode: 3 })],
  'an unknown control frame': [wireFrame(ANY, { opcode: 11 })],
  'a continuation of nothing': [wireFrame(ANY, { opcode: 0 })],
  'a new message within another': [wireFrame(ANY, { isLast: false }), wireFrame(ANY)],
  'a divided control frame': [wireFrame(ANY, { opcode: 9, isLast: false })],
  'a large control frame': [wireFrame(Buffer.alloc(126), { opcode: 9 })],
  'a close code that nobody may send': [wireFrame(Buffer.from([3, 238]), { opcode: 8 })],
  'a length of 8 GB': [wireFrame(ANY, { length: 2n ** 33n })],
  'a length beyond all numbers': [wireFrame(ANY, { length: 2n ** 63n + 5n })],
  'a frame of 65 kB': [wireFrame(Buffer.alloc(65 * 1024 + 1))],
  'a message of 65 kB in parts': [
    wireFrame(Buffer.alloc(40_000), { isLast: false }),
    wireFrame(Buffer.alloc(40_000), { opcode: 0 }),
  ],
  'no frame of ours': [wireFrame(Buffer.from([1, 2, 3]))],
  'an unknown type': [wireFrame(frame(77, 1))],
  'a type of the server': [wireFrame(frame(8, 1))],
  'the channel of the connection': [wireFrame(jsonFrame(FROM_PAGE.open, 0, { name: 'session.watch', input: {} }))],
  'a second ticket': [wireFrame(frame(FROM_PAGE.ticket, 0, Buffer.from('x')))],
  'no JSON': [wireFrame(frame(FROM_PAGE.open, 1, Buffer.from('{')))],
  'no name': [wireFrame(jsonFrame(FROM_PAGE.open, 1, { input: {} }))],
  'a list': [wireFrame(jsonFrame(FROM_PAGE.open, 1, ['session.watch']))],
  'less than nothing was read': [wireFrame(jsonFrame(FROM_PAGE.ack, 1, -1))],
  'more than everything was read': [wireFrame(frame(FROM_PAGE.ack, 1, Buffer.from('1e999')))],
  'a word was read': [wireFrame(jsonFrame(FROM_PAGE.ack, 1, 'x'))],
  nothing: [wireFrame(jsonFrame(FROM_PAGE.open, 1, null))],
};

test('whoever breaks the rules of a live connection loses it, and only that', async () => {
  const witness = await LiveClient.of(world, owner);
  for (const [name, frames] of Object.entries(BROKEN)) {
    const before = await RawClient.live(world);
    for (const each of frames) before.send(each);
    const after = await signedIn();
    for (const each of frames) after.send(each);
    await eventually(() => before.isClosed && after.isClosed, { what: `the end of a connection with ${name}` });
    // It has answered nothing, or with a close frame.
    expect([name, before.bytes.length === 0 || before.bytes[0] === 0x88]).toEqual([name, true]);
  }
  expect(witness.closed).toBeNull();
  witness.close();
  tried('broken frames of a live connection', 2 * Object.keys(BROKEN).length);
  await isServing();
});

test('a channel that is not there, is there already or asks for the impossible costs nothing', async () => {
  const live = await LiveClient.of(world, owner);
  for (const [type, channel] of [
    [FROM_PAGE.ack, 99],
    [FROM_PAGE.close, 99],
    [FROM_PAGE.ack, 0],
    [FROM_PAGE.close, 0],
  ] as const)
    live.socket.send(frame(type, channel, Buffer.from('1')));
  for (const name of ['__proto__', 'constructor', 'toString', 'session.stop', 'page.output', '']) {
    const { code } = await live.error(live.open(name, { session: 'nobody', from: 0 }));
    expect([name, ['input_invalid', 'session_not_found'].includes(code)]).toEqual([name, true]);
  }
  for (const input of [{ from: -1 }, { from: 1.5 }, { from: 2 ** 60 }, { from: '0' }, { from: 0, skipBytes: -1 }, {}])
    expect((await live.error(live.open('page.output', { session: 'x', ...input }))).code).toBe('input_invalid');
  const channel = live.open('session.watch');
  await eventually(() => live.of(channel).length > 0);
  expect(live.closed).toBeNull();
  // The same number again, while it is open.
  live.socket.send(jsonFrame(FROM_PAGE.open, channel, { name: 'session.watch', input: {} }));
  await eventually(() => live.closed !== null);
  expect(live.closed).toBe(4400);
  await isServing();
});

test('a tab has 64 streams, however often it opens and closes them', async () => {
  const live = await LiveClient.of(world, owner);
  const all = Array.from({ length: 80 }, () => live.open('session.watch'));
  await eventually(() => all.filter((each) => live.of(each).length > 0).length === 80, { what: 'answers' });
  const refused = all.filter((each) => live.of(each).some(({ type }) => type === 8));
  expect(refused).toHaveLength(16);
  expect((await live.error(refused[0] ?? 0)).code).toBe('limit_reached');
  for (const each of all) live.socket.send(frame(FROM_PAGE.close, each));
  for (let i = 0; i < times(500, 5_000); i += 1) live.socket.send(frame(FROM_PAGE.close, live.open('session.watch')));
  const last = live.open('session.watch');
  await eventually(() => live.of(last).length > 0, { what: 'one more stream' });
  expect(live.closed).toBeNull();
  live.close();
  await isServing();
});

test('connections without a ticket keep nobody out, however many there are', async () => {
  let isOver = false;
  const strangers: RawClient[] = [];
  const crowd = Array.from({ length: 150 }, async () => {
    while (!isOver) {
      const client = await RawClient.live(world);
      strangers.push(client);
      await eventually(() => client.isClosed || isOver, { what: 'the end of a stranger' });
    }
  });
  await eventually(() => strangers.length >= 150);
  for (let i = 0; i < 3; i += 1) await isServing();
  isOver = true;
  await Promise.all(crowd);
  for (const client of strangers) client.close();
  await isServing();
});

/** The memory of the server, in bytes. */
async function memory(): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${world.serverPid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

test('who sends without end and reads nothing is cut off before it costs much memory', async () => {
  const before = await memory();
  const client = await signedIn();
  client.socket.pause();
  const pings = Buffer.concat(Array.from({ length: 2_000 }, () => wireFrame(Buffer.alloc(125), { opcode: 9 })));
  let sent = 0;
  client.socket.on('close', () => {});
  while (!client.isClosed && sent < 600_000_000) {
    const isTaken = client.socket.write(pings);
    sent += pings.length;
    if (!isTaken)
      await eventually(() => client.socket.writableLength === 0 || client.isClosed || client.socket.destroyed, {
        what: 'room',
      });
  }
  expect(client.isClosed || client.socket.destroyed).toBe(true);
  expect((await memory()) - before).toBeLessThan(300 * 1024 * 1024);
  client.close();
  await isServing();
});

test('thousands of random frames: the server goes on, and others notice nothing', async () => {
  const witness = await LiveClient.of(world, owner);
  const watched = witness.open('session.watch');
  let state = 23;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(all: readonly T[]): T => all[next(all.length)] as T;
  const names = ['session.watch', 'approval.follow', 'session.logs', 'page.output', 'session.events', 'x', '__proto__'];
  const inputs = [
    '{}',
    '{"session":"x"}',
    '{"session":null}',
    '[]',
    'null',
    '{"after":-1}',
    '{"__proto__":{}}',
    '"x"',
    '1e999',
  ];
  const payload = (): Buffer => {
    const open = `{"name":${JSON.stringify(pick(names))},"input":${pick(inputs)}}`;
    const bytes = Buffer.from(pick([open, open, '', '0', '-1', '{', '\0'.repeat(next(300)), 'x'.repeat(next(2_000))]));
    if (next(3) === 0 && bytes.length > 0) bytes[next(bytes.length)] = next(256);
    return Buffer.from(frame(next(6), pick([0, 1, 2, 3, 2 ** 32 - 1]), bytes));
  };
  const count = times(3_000, 30_000);
  for (let done = 0; done < count; ) {
    const client = next(3) === 0 ? await RawClient.live(world) : await signedIn();
    for (let n = 0; n < 60 && !client.isClosed; n += 1, done += 1) {
      const whole = wireFrame(
        payload(),
        pick<Wire>([{}, {}, {}, {}, { isLast: false }, { opcode: next(16) }, { opcode: 9 }]),
      );
      client.send(next(8) === 0 ? whole.subarray(0, next(whole.length)) : whole);
    }
    client.close();
    done += 1;
  }
  tried('random frames of a live connection', count);
  expect(witness.closed).toBeNull();
  const before = witness.of(watched).length;
  await world.client.start({ argv: ['true'], cwd: '/', env: {} });
  await eventually(() => witness.of(watched).length > before, { what: 'a change in the list of the witness' });
  witness.close();
  const { body } = await owner.get(PAGE_PATHS.devices);
  expect((JSON.parse(body) as { devices: unknown[] }).devices.length).toBeGreaterThan(0);
  await isServing();
});
