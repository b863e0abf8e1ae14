import type { CallOutput } from '../../api/contract.ts';
import { stateFolder } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { TMUX_SOCKET_FOLDERS } from '../../compat/variables.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { countOf, durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { spin } from '../views/spinner.ts';

type Environment = Context['env'];

const SERVER = {
  server: { type: 'string', short: 'L', value: 'NAME', sentence: 'Server name, like tmux -L.' },
  socket: { type: 'string', short: 'S', value: 'PATH', sentence: 'Server socket, like tmux -S.' },
} as const;

const TARGET = {
  ...SERVER,
  target: { type: 'string', short: 't', value: 'TARGET', sentence: 'Session, window or pane; matched exactly.' },
} as const;

/** `outlast tmux find` */
export const find = command({
  name: 'tmux find',
  summary: 'List tmux sessions on all sockets.',
  usage: 'tmux find [OPTIONS]',
  words: NO_WORDS,
  options: {
    query: { type: 'string', short: 'q', value: 'TEXT', sentence: 'Only names that contain this, ignoring case.' },
    ...SERVER,
    all: { type: 'boolean', short: 'A', sentence: 'All known sockets (the default).' },
  },
  examples: [
    ['outlast tmux find', 'All sockets, with OPENCLAW_TMUX_SOCKET_DIR.'],
    ['outlast tmux find -q build', 'By name.'],
  ],
  async run({ values, json, print, env, connect }) {
    if (values.all && (values.server ?? values.socket) !== undefined)
      throw wrongCall('tmux find: Cannot combine --all with -L or -S');
    const query = values.query === undefined ? {} : { query: values.query };
    const socket = socketOf(values, env);
    const places = socket === null ? { folders: socketFolders(env) } : { sockets: [socket] };
    const found = await connect().tmuxFind({ ...places, ...query });
    if (json) await print.json(found);
    else await print.line(foundText(found));
    return EXIT.fine;
  },
});

/** `outlast tmux capture` */
export const capture = command({
  name: 'tmux capture',
  summary: 'Read a tmux pane.',
  usage: 'tmux capture -t TARGET [OPTIONS]',
  words: NO_WORDS,
  options: {
    ...TARGET,
    lines: { type: 'string', value: 'N', sentence: 'Also N lines above the screen.', otherwise: '0' },
  },
  examples: [['outlast tmux capture -t build --lines 200', 'The screen and its scrollback.']],
  async run({ values, json, print, env, connect }) {
    const seen = await connect().tmuxCapture({ ...targetOf(values, env), lines: countOf('--lines', values.lines) });
    if (json) await print.json(seen);
    else await print.text(`${seen.text.trimEnd()}\n`);
    return EXIT.fine;
  },
});

/** `outlast tmux wait` */
export const tmuxWait = command({
  name: 'tmux wait',
  summary: 'Wait for a text in a tmux pane.',
  usage: 'tmux wait -t TARGET --for text:REGEX [OPTIONS]',
  words: { ...NO_WORDS, are: 'Exit status: 0 found, 3 no such pane, 6 timeout.' },
  options: {
    ...TARGET,
    for: { type: 'string', value: 'text:REGEX', sentence: 'What to wait for.' },
    fixed: { type: 'boolean', short: 'F', sentence: 'Plain text, not a regular expression.' },
    timeout: { type: 'string', value: 'D', sentence: 'Timeout.', otherwise: '15s' },
    lines: { type: 'string', value: 'N', sentence: 'Also search N lines above the screen.', otherwise: '1000' },
  },
  examples: [["outlast tmux wait -t build --for 'text:\\$ $' --timeout 1m", 'Until the prompt is back.']],
  async run(context) {
    const { values, json, print, env } = context;
    if (!values.for?.startsWith('text:') || values.for === 'text:')
      throw wrongCall('tmux wait: missing --for text:REGEX');
    const target = targetOf(values, env);
    const limits = { timeoutMs: durationOf('--timeout', values.timeout), lines: countOf('--lines', values.lines) };
    const waiting = context
      .connect()
      .tmuxWait({ ...target, text: values.for.slice('text:'.length), fixed: values.fixed, ...limits });
    const result = await spin(context, `waiting for ${values.for} in ${target.target}`, waiting);
    if (json) await print.json(result);
    else if (result.met) await print.line(oneLine(result.match ?? ''));
    else await print.note(`outlast: timeout; ${target.target} shows:\n${result.text.trimEnd()}`);
    return result.met ? EXIT.fine : EXIT.tooSlow;
  },
});

interface Server {
  readonly server: string | undefined;
  readonly socket: string | undefined;
}

// The caller's environment says where its tmux is, not the daemon's: names become paths here.
function socketOf({ server, socket }: Server, env: Environment): string | null {
  if (server !== undefined && socket !== undefined) throw wrongCall('tmux: Use either -L or -S, not both');
  if (socket !== undefined) return path.resolve(socket);
  return server === undefined ? null : path.join(ownFolder(env), server);
}

function targetOf(
  values: Server & { readonly target: string | undefined },
  env: Environment,
): { socket: string; target: string } {
  if (!values.target) throw wrongCall('tmux: missing -t TARGET');
  const current = env.TMUX?.split(',')[0];
  return { socket: socketOf(values, env) ?? (current || path.join(ownFolder(env), 'default')), target: values.target };
}

function ownFolder(env: Environment): string {
  return path.join(env.TMUX_TMPDIR || '/tmp', `tmux-${process.getuid?.() ?? 0}`);
}

function socketFolders(env: Environment): string[] {
  const folders = [
    ownFolder(env),
    ...TMUX_SOCKET_FOLDERS.map((name) => env[name]),
    path.join(stateFolder(env), 'tmux'),
  ];
  return [...new Set(folders.filter((folder): folder is string => !!folder && fs.existsSync(folder)))];
}

function foundText({ sessions, dead }: CallOutput<'tmux.find'>): string {
  const sockets = [...new Set(sessions.map((each) => each.socket))];
  const lines = sockets.flatMap((socket) => [
    `Sessions on ${oneLine(socket)}:`,
    ...sessions.filter((each) => each.socket === socket).map(sessionLine),
  ]);
  return [
    ...(lines.length > 0 ? lines : ['No tmux sessions found.']),
    ...dead.map((socket) => `No tmux server found on ${oneLine(socket)}`),
  ].join('\n');
}

function sessionLine({ name, attached, startedAtMs, ours }: CallOutput<'tmux.find'>['sessions'][number]): string {
  const started = new Date(startedAtMs).toISOString();
  return `  - ${oneLine(name)} (${attached ? 'attached' : 'detached'}, started ${started}${ours ? ', ours' : ''})`;
}
