import { parseArgs } from 'node:util';
import { attach } from './attached.ts';
import { Conversation } from './conversation.ts';
import { serveHttp } from './http.ts';
import { placesOf } from './places.ts';
import { ScreenMode } from './screen.ts';
import { playOnce, serveStdio } from './stdio.ts';
import { serveWebsocket } from './websocket.ts';

// Echo: a tiny agent without a model. It runs the commands in its prompt, one per line, and echoes the rest. It
// supports every drive: a process for each turn, a screen, and a server over three wires.

/** What `--version` prints. */
const VERSION = '1.0.0';

const USAGE =
  'usage: echo [--resume ID | --conversation ID] [--hook COMMAND] [--turn], or echo --server WIRE [--socket PATH], ' +
  'or echo --attach PATH [--read-only]';

const { values } = parseArgs({
  options: {
    version: { type: 'boolean' },
    turn: { type: 'boolean' },
    server: { type: 'string' },
    socket: { type: 'string' },
    attach: { type: 'string' },
    'read-only': { type: 'boolean' },
    conversation: { type: 'string' },
    resume: { type: 'string' },
    hook: { type: 'string' },
  },
});

await main();

async function main(): Promise<void> {
  if (values.version) return console.log(`${VERSION} (echo)`);
  if (values.attach !== undefined) return attach(values.attach, values['read-only'] === true);
  const places = placesOf(process.env, process.cwd());
  switch (values.server) {
    case undefined:
      break;
    case 'stdio':
      return serveStdio(places);
    case 'websocket':
      return serveWebsocket(places, values.socket ?? fail('--server websocket needs --socket'));
    case 'http':
      return serveHttp(places, Number(process.env.ECHO_SAYS_PORT) || null);
    default:
      fail(`unknown wire "${values.server}"`);
  }
  const { resume, conversation: id } = values;
  const conversation =
    resume === undefined ? Conversation.begin(places, id) : (Conversation.resume(places, resume) ?? fail(MISSING));
  if (values.turn) return playOnce(places, conversation, values.hook);
  new ScreenMode(places, conversation, values.hook).start();
}

const MISSING = 'there is no such conversation';

function fail(why: string): never {
  console.error(`echo: ${why}\n${USAGE}`);
  process.exit(2);
}
