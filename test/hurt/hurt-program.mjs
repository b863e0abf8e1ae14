// Stands in for an agent that is broken: `hurt-program.mjs WAY WHEN BYTES VERSION [arguments of the agent]`.
// It tells its version properly, and then misbehaves at once, or opens a conversation properly and misbehaves in it.

import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';
import { opening, refusing } from './opening.mjs';

const [way, when, size, version, ...args] = process.argv.slice(2);
const BYTES = Number(size);
const PIECE_BYTES = 1_000_000;
const BINARY = Buffer.from([0, 255, 27, 91, 200, 128, 10, 123, 34, 7]);
const GARBAGE = ['not json', '{', '[]', 'null', '"text"', '17', '{"type":{}}', '{"jsonrpc":"2.0"}', '{"id":1}'];
const HALF = '{"type":"assistant","mess';
const CONVERSATION = '00000000-0000-4000-8000-000000000001';

const stay = () => setInterval(() => {}, 60_000);
const exit = (status) => process.exit(status);

/** Writes all of it, also where the reader is slow. */
function print(text, to = 1) {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(to, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** A message with nothing that an agent says, in pieces. */
function* long() {
  yield '{"type":"';
  for (let done = 0; done < BYTES; done += PIECE_BYTES) yield 'a'.repeat(Math.min(PIECE_BYTES, BYTES - done));
  yield '"}';
}

/** What it does on its output. */
const onOutput = {
  garbage: () => {
    for (let n = 0; n < 200; n += 1) for (const text of GARBAGE) print(`${text}\n`);
    print(BINARY);
    exit(0);
  },
  long: () => {
    for (const piece of long()) print(piece);
    print('\n');
    exit(0);
  },
  half: () => {
    print(HALF);
    stay();
  },
  mute: () => exit(0),
  noise: () => {
    for (let done = 0; done < BYTES; done += PIECE_BYTES) print(Buffer.alloc(Math.min(PIECE_BYTES, BYTES), BINARY), 2);
    exit(3);
  },
  deaf: stay,
};

/** What it does with a connection. */
const onConnection = {
  garbage: ({ send }) => {
    for (let n = 0; n < 200; n += 1) for (const text of GARBAGE) send(text);
  },
  long: ({ send }) => send([...long()].join('')),
  half: ({ half }) => half(HALF),
  mute: ({ close }) => close(),
  noise: onOutput.noise,
  deaf: () => {},
};

/** Codex: a socket whose path is an argument. */
function onSocket(path) {
  const listening = createServer();
  const sockets = new WebSocketServer({ server: listening, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    const send = (text) => socket.send(text);
    const hurt = () =>
      onConnection[way]({ send, close: () => socket.close(), half: (text) => socket.send(text, { fin: false }) });
    if (when === 'at-once') return hurt();
    socket.on('message', (text) => {
      const { answer, isPrompt } = opening.codex(JSON.parse(text), CONVERSATION);
      if (answer !== null) send(JSON.stringify(answer));
      if (isPrompt) hurt();
    });
  });
  listening.listen(path);
}

/** OpenCode: a port, which it prints. */
function onPort() {
  let events = null;
  const listening = createServer((request, response) => {
    request.resume();
    const isEvents = request.headers.accept === 'text/event-stream';
    response.writeHead(200, { 'content-type': isEvents ? 'text/event-stream' : 'application/json' });
    if (isEvents) {
      response.flushHeaders();
      events = {
        send: (text) => response.write(`data: ${text}\n\n`),
        close: () => response.end(),
        half: (text) => response.write(`data: ${text}`),
      };
      if (when === 'at-once') onConnection[way](events);
      return;
    }
    if (when === 'at-once') {
      const answer = { send: (text) => response.write(text), close: () => response.end() };
      onConnection[way]({ ...answer, half: answer.send });
      if (way === 'garbage' || way === 'long') response.end();
      return;
    }
    const { answer, isPrompt } = opening.opencode(request.url);
    response.end(JSON.stringify(answer));
    if (isPrompt && events !== null) onConnection[way](events);
  });
  listening.listen(0, '127.0.0.1', () => {
    print(`opencode server listening on http://127.0.0.1:${listening.address().port}\n`);
  });
}

/** The others: lines on standard input and output. */
function onInput(reply) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { answer, isPrompt } = reply(JSON.parse(line), CONVERSATION);
    if (answer !== null) print(`${JSON.stringify(answer)}\n`);
    if (isPrompt) onOutput[way]();
  });
}

const socket = args.find((word) => word.startsWith('unix://'))?.slice('unix://'.length);
const isQuiet = when === 'at-once' && (way === 'noise' || way === 'deaf');
if (args.includes('--version')) print(`${version}\n`);
else if (socket !== undefined && !isQuiet) onSocket(socket);
else if (args[0] === 'serve' && !isQuiet) onPort();
else if (when === 'at-once') onOutput[way]();
else onInput((way === 'refusal' ? refusing : opening)[args.includes('--input-format') ? 'qwen' : 'acp']);
