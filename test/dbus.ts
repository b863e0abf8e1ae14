import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { socketOf } from '../src/daemon/notices/bus.ts';

/** A notification as the service of a desktop gets it. */
export interface Shown {
  readonly app: string;
  readonly summary: string;
  readonly body: string;
}

/** A session bus of its own: the real dbus-daemon. */
export async function sessionBus() {
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const address = String((await once(daemon.stdout ?? daemon, 'data'))[0]).trim();
  return {
    address,
    async [Symbol.asyncDispose]() {
      await ended(daemon);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** The notification service of a desktop: owns the name on the bus, answers, and keeps what it is shown. */
export async function desktopService(address: string) {
  const socket = connect(socketOf(address));
  const shown: Shown[] = [];
  const owned = Promise.withResolvers<void>();
  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  await once(socket, 'data');
  socket.write('BEGIN\r\n');
  receive(socket, (message) => {
    if (message.type === RETURN && message.replyTo === 2) owned.resolve();
    if (message.type !== CALL || message.member === '') return;
    if (message.member === 'Notify') shown.push(readNotify(message.body));
    reply(socket, message);
  });
  socket.write(Buffer.concat([busCall(1, 'Hello', [], ''), busCall(2, 'RequestName', [SERVICE, 0], 'su')]));
  await owned.promise;
  return { shown, close: () => socket.destroy(), [Symbol.dispose]: () => socket.destroy() };
}

const SERVICE = 'org.freedesktop.Notifications';
const [CALL, RETURN] = [1, 2];

interface Message {
  readonly type: number;
  readonly serial: number;
  readonly replyTo: number | null;
  readonly member: string;
  readonly sender: string;
  readonly body: Buffer;
}

function receive(socket: Socket, take: (message: Message) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    while (bytes.length >= 16) {
      const headBytes = align(16 + bytes.readUInt32LE(12), 8);
      const bodyBytes = bytes.readUInt32LE(4);
      if (bytes.length < headBytes + bodyBytes) return;
      take(messageOf(bytes.subarray(0, headBytes), bytes.subarray(headBytes, headBytes + bodyBytes)));
      bytes = bytes.subarray(headBytes + bodyBytes);
    }
  });
}

function messageOf(head: Buffer, body: Buffer): Message {
  const found = { replyTo: null as number | null, member: '', sender: '' };
  const end = 16 + head.readUInt32LE(12);
  for (let at = 16; at < end; ) {
    const [code, type] = [head[at], String.fromCharCode(head[at + 2] ?? 0)];
    const value = at + 4;
    const length = type === 'g' ? (head[value] ?? 0) + 2 : type === 'u' ? 4 : head.readUInt32LE(value) + 5;
    const text = type === 's' ? head.toString('utf8', value + 4, value + length - 1) : '';
    if (code === 3) found.member = text;
    if (code === 7) found.sender = text;
    if (code === 5) found.replyTo = head.readUInt32LE(value);
    at = align(value + length, 8);
  }
  return { type: head[1] ?? 0, serial: head.readUInt32LE(8), ...found, body };
}

/** Notify(app s, replaces u, icon s, summary s, body s, …) */
function readNotify(body: Buffer): Shown {
  let at = 0;
  const text = (): string => {
    at = align(at, 4);
    const length = body.readUInt32LE(at);
    const value = body.toString('utf8', at + 4, at + 4 + length);
    at += 4 + length + 1;
    return value;
  };
  const app = text();
  at = align(at, 4) + 4;
  text();
  return { app, summary: text(), body: text() };
}

function reply(socket: Socket, { member, serial, sender }: Message): void {
  const values: Readonly<Record<string, readonly [readonly (string | number | string[])[], string]>> = {
    Notify: [[1], 'u'],
    GetServerInformation: [['test', 'outlast', '1', '1.2'], 'ssss'],
    GetCapabilities: [[['body']], 'as'],
  };
  const [made, signature] = values[member] ?? [[], ''];
  socket.write(
    messageBytes(RETURN, 100 + serial, [numberField(5, serial), textField(6, 's', sender)], made, signature),
  );
}

function busCall(serial: number, member: string, values: readonly (string | number)[], signature: string): Buffer {
  const bus = 'org.freedesktop.DBus';
  const fields = [textField(1, 'o', '/org/freedesktop/DBus'), textField(2, 's', bus), textField(3, 's', member)];
  return messageBytes(CALL, serial, [...fields, textField(6, 's', bus)], values, signature);
}

type Value = string | number | readonly string[];

function messageBytes(type: number, serial: number, fields: Buffer[], values: readonly Value[], signature: string) {
  const body = values.reduce<Buffer>((bytes, value) => Buffer.concat([pad(bytes, 4), bytesOf(value)]), Buffer.alloc(0));
  const all = signature === '' ? fields : [...fields, signatureField(signature)];
  const array = all.reduce<Buffer>((bytes, field) => Buffer.concat([pad(bytes, 8), field]), Buffer.alloc(0));
  const head = Buffer.alloc(16);
  head.set([0x6c, type, 0, 1]);
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(array.length, 12);
  return Buffer.concat([pad(Buffer.concat([head, array]), 8), body]);
}

function bytesOf(value: Value): Buffer {
  if (typeof value === 'number') return word(value);
  if (typeof value === 'string') return Buffer.concat([word(Buffer.byteLength(value)), Buffer.from(`${value}\0`)]);
  const inside = value.reduce<Buffer>((bytes, each) => Buffer.concat([pad(bytes, 4), bytesOf(each)]), Buffer.alloc(0));
  return Buffer.concat([word(inside.length), inside]);
}

function textField(code: number, type: string, text: string): Buffer {
  return Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), bytesOf(text)]);
}

function numberField(code: number, value: number): Buffer {
  return Buffer.concat([Buffer.from([code, 1, 'u'.charCodeAt(0), 0]), word(value)]);
}

function signatureField(signature: string): Buffer {
  return Buffer.concat([Buffer.from([8, 1, 'g'.charCodeAt(0), 0, signature.length]), Buffer.from(`${signature}\0`)]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function pad(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(align(bytes.length, to) - bytes.length)]);
}

function align(at: number, to: number): number {
  return Math.ceil(at / to) * to;
}
