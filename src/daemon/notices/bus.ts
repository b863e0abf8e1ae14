import { connect, type Socket } from 'node:net';

// Just enough of the D-Bus wire protocol to ask the bus itself who is on it. Everything else is left to notify-send.

/** What the session bus knows about a name. */
export interface BusName {
  readonly hasOwner: boolean;
  /** The bus can start a program that takes it. */
  readonly canStart: boolean;
}

const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };
/** The largest message that the specification allows is far larger; answers of the bus to us are small. */
const MESSAGE_BYTES_MAX = 1024 * 1024;

/** Asks a bus about a name. Rejects if the bus cannot be reached, refuses us or does not answer in time. */
export async function askBus(address: string, name: string, signal: AbortSignal): Promise<BusName> {
  const socket = connect(socketOf(address));
  const close = (): void => void socket.destroy(new Error('no answer'));
  signal.addEventListener('abort', close, { once: true });
  try {
    const read = reader(socket);
    socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`);
    const answer = await read.line();
    if (!answer.startsWith('OK ')) throw new Error('the session bus refused the connection');
    socket.write('BEGIN\r\n');
    socket.write(Buffer.concat([call(1, 'Hello'), call(2, 'NameHasOwner', name), call(3, 'ListActivatableNames')]));
    const owner = await read.reply(2);
    const names = await read.reply(3);
    return { hasOwner: owner.readUInt32LE(0) === 1, canStart: stringsIn(names).includes(name) };
  } finally {
    signal.removeEventListener('abort', close);
    socket.destroy();
  }
}

/** The first socket of an address such as `unix:path=/run/user/1000/bus,guid=…`. */
export function socketOf(address: string): { path: string } {
  for (const each of address.split(';')) {
    const [, keys = ''] = /^unix:(.*)$/.exec(each) ?? [];
    for (const pair of keys.split(',')) {
      const [key, value = ''] = pair.split('=');
      const path = value.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      if (key === 'path') return { path };
      if (key === 'abstract') return { path: `\0${path}` };
    }
  }
  throw new Error('the session bus has no Unix socket');
}

/** A call of the bus itself, with at most one text as its argument. */
function call(serial: number, member: string, text?: string): Buffer {
  const body = text === undefined ? Buffer.alloc(0) : stringOf(text);
  const fields = Buffer.concat(
    [
      field(1, 'o', stringOf(BUS.path)),
      field(2, 's', stringOf(BUS.interface)),
      field(3, 's', stringOf(member)),
      field(6, 's', stringOf(BUS.destination)),
      ...(text === undefined ? [] : [field(8, 'g', Buffer.from('\x01s\0', 'latin1'))]),
    ].flatMap((each, i, all) => (i === all.length - 1 ? [each] : [padded(each)])),
  );
  const head = Buffer.alloc(16);
  // Little-endian, a call, no flags, version 1.
  head.set([0x6c, 1, 0, 1]);
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(fields.length, 12);
  return Buffer.concat([padded(Buffer.concat([head, fields])), body]);
}

function field(code: number, type: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), value]);
}

function stringOf(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length - 1);
  return Buffer.concat([length, bytes]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(roundUp(bytes.length, 8) - bytes.length)]);
}

function roundUp(at: number, to: number): number {
  return Math.ceil(at / to) * to;
}

/** Reads what the bus says: first lines, then messages. */
function reader(socket: Socket) {
  let bytes = Buffer.alloc(0);
  let more = Promise.withResolvers<void>();
  let failed: Error | null = null;
  socket.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    more.resolve();
  });
  const end = (error?: Error): void => {
    failed ??= error ?? new Error('the session bus closed the connection');
    more.resolve();
  };
  socket.on('error', end).on('close', () => end());
  const need = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) {
      if (failed !== null) throw failed;
      if (bytes.length > MESSAGE_BYTES_MAX) throw new Error('the session bus sent too much');
      more = Promise.withResolvers();
      await more.promise;
    }
  };
  const take = (count: number): Buffer => {
    const taken = bytes.subarray(0, count);
    bytes = bytes.subarray(count);
    return taken;
  };
  return {
    async line(): Promise<string> {
      await need(() => bytes.includes('\n'));
      return take(bytes.indexOf('\n') + 1).toString('latin1');
    },
    /** The body of the answer to this call; signals in between are skipped. */
    async reply(serial: number): Promise<Buffer> {
      for (;;) {
        await need(() => bytes.length >= 16);
        // The bus answers in the byte order of the machine.
        if (bytes[0] !== 0x6c) throw new Error('the session bus has another byte order');
        const headBytes = roundUp(16 + bytes.readUInt32LE(12), 8);
        const bodyBytes = bytes.readUInt32LE(4);
        await need(() => bytes.length >= headBytes + bodyBytes);
        const [type, head, body] = [bytes[1], take(headBytes), take(bodyBytes)];
        if (replySerialOf(head) !== serial) continue;
        if (type !== 2) throw new Error('the session bus answered with an error');
        return body;
      }
    },
  };
}

/** The serial of the call that a message answers; null: none. */
function replySerialOf(head: Buffer): number | null {
  const end = 16 + head.readUInt32LE(12);
  for (let at = 16; at < end; ) {
    const [code, type] = [head[at], String.fromCharCode(head[at + 2] ?? 0)];
    // The value begins after the code and a signature of one letter.
    const value = at + 4;
    if (code === 5) return head.readUInt32LE(value);
    const length = type === 'g' ? (head[value] ?? 0) + 2 : type === 'u' ? 4 : head.readUInt32LE(value) + 5;
    at = roundUp(value + length, 8);
  }
  return null;
}

function stringsIn(body: Buffer): string[] {
  const found: string[] = [];
  for (let at = 4; at < 4 + body.readUInt32LE(0); ) {
    const length = body.readUInt32LE(at);
    found.push(body.toString('utf8', at + 4, at + 4 + length));
    at = roundUp(at + 4 + length + 1, 4);
  }
  return found;
}
