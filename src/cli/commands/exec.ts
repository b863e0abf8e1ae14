import type { StartInput } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import { type Context, command, type Values } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { runInForeground } from '../flow/foreground.ts';
import { SCHEDULE_OPTIONS, scheduleInput } from '../input/schedule-options.ts';
import { parseSize } from '../input/size.ts';
import { type StdinKind, sizeOfTerminal, stdinKind } from '../input/stdin.ts';
import { updatesNote } from '../views/updates-note.ts';

const OPTIONS = {
  background: { type: 'boolean', short: 'b', sentence: 'Do not wait: print the id and exit.' },
  yield: {
    type: 'string',
    value: 'D',
    sentence: 'Wait this long, then move it to the background.',
    otherwise: 'wait until it exits',
  },
  timeout: { type: 'string', value: 'D', sentence: 'Stop it after this long, with status 124.', otherwise: 'none' },
  silence: {
    type: 'string',
    value: 'D',
    sentence: 'Stop it if it prints nothing for this long, with status 124.',
    otherwise: 'none',
  },
  grace: { type: 'string', value: 'D', sentence: 'Grace period between TERM and KILL.', otherwise: '3s' },
  pty: { type: 'boolean', sentence: 'Run it on its own terminal.' },
  tmux: { type: 'boolean', sentence: 'Run it in its own tmux session, which you can attach to.' },
  size: { type: 'string', value: 'COLSxROWS', sentence: 'Size of that terminal.', otherwise: 'yours, else 120x30' },
  cwd: { type: 'string', value: 'DIR', sentence: 'Working directory.', otherwise: 'the current one' },
  env: { type: 'string', value: 'K=V', multiple: true, sentence: 'Set a variable on top of your environment.' },
  'path-prepend': { type: 'string', value: 'DIR', multiple: true, sentence: 'Prepend this folder to PATH.' },
  name: { type: 'string', value: 'NAME', sentence: 'A name for it: a-z, 0-9 and -.', otherwise: 'none' },
  split: { type: 'boolean', sentence: 'Keep stderr separate from stdout.' },
  stdin: {
    type: 'string',
    value: 'open|empty',
    completes: ['open', 'empty'],
    sentence: 'Its input: open for writing, or empty.',
    otherwise: 'yours; open in the background',
  },
  'no-notify': { type: 'boolean', sentence: 'Send no notices about its end.' },
  'notify-empty': { type: 'boolean', sentence: 'Also send notices if it succeeds without output.' },
  wake: { type: 'boolean', sentence: 'Inside an agent session: its end starts a turn of that agent.' },
  shell: { type: 'string', short: 'c', value: 'STRING', sentence: 'Run this command line with your shell.' },
  ...SCHEDULE_OPTIONS,
} as const;

/** `outlast exec` */
export const exec = command({
  name: 'exec',
  summary: 'Run a command that survives its caller.',
  usage: 'exec [OPTIONS] [--] COMMAND [ARGUMENTS…]   or   exec [OPTIONS] -c STRING',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'COMMAND is run without a shell. Durations D are like 250ms, 10s, 5m, 1h30m or 7d.',
      'Ctrl-C goes to the command. If the terminal closes, it keeps running.',
      'Exit status: its own; 124 timed out or silent, 125 outlast failed, 126 not executable, 127 not found;',
      '0 if it is in the background.',
    ].join('\n'),
  },
  rest: true,
  failure: EXIT.ours,
  options: OPTIONS,
  examples: [
    ['outlast exec -- npm test', 'Run it here, with its status.'],
    ['id=$(outlast exec -b -- npm run build)', 'Run it in the background.'],
    ['outlast exec --yield 10s --timeout 30m -- make', 'Wait ten seconds, then leave it in the background.'],
    ['outlast exec --silence 5m -- ./crawl', 'Stop it when it hangs silently.'],
    ['outlast exec --pty --name repl -b -- python3', 'A program that needs a terminal.'],
    ['outlast exec --at 18:30 -- npm run release', 'Later today; see `outlast schedule`.'],
    ["outlast exec -c 'grep -c error *.log | sort'", 'With the shell.'],
  ],
  async run(context) {
    const outlast = context.connect();
    const yieldMs = durationOf('--yield', context.values.yield);
    const later = scheduleInput('exec', context.values);
    if (later !== null) {
      const { startLater } = await import('../flow/scheduled.ts');
      return startLater(context, { ...later, start: laterInput(context) });
    }
    const input = startInput(context, stdinKind());
    const session = await outlast.start(input);
    for (const warning of session.warnings) await context.print.note(`outlast: warning: ${warning}`);
    if (context.values.wake && context.values.background && !context.json)
      await context.print.note(updatesNote(session));
    if (!context.values.background) {
      const forward = input.stdin === 'open' && context.values.stdin === undefined;
      return runInForeground({ context, session, forward, yieldMs, split: context.values.split });
    }
    if (context.json)
      await context.print.json({ session: session.started, background: true, warnings: session.warnings });
    else await context.print.line(session.id);
    return EXIT.fine;
  },
});

/** The start input of a command that nobody waits for, and whose input nobody has now. */
function laterInput(context: Context<typeof OPTIONS>): StartInput {
  if (context.values.yield !== undefined) throw wrongCall('exec: --yield cannot be combined with --at or --every');
  const { stdin = 'empty' } = context.values;
  return startInput({ ...context, values: { ...context.values, background: true, stdin } }, 'none');
}

/** The start input from the command line. */
export function startInput(context: Context<typeof OPTIONS>, stdin: StdinKind): StartInput {
  const { values } = context;
  if (values.background && values.yield !== undefined) throw wrongCall('exec: choose one of --background and --yield');
  if (values.pty && values.tmux) throw wrongCall('exec: choose one of --pty and --tmux');
  if (values['no-notify'] && values['notify-empty'])
    throw wrongCall('exec: choose one of --no-notify and --notify-empty');
  const terminal = values.pty ? 'pty' : values.tmux ? 'tmux' : 'pipe';
  if (values.split && terminal !== 'pipe')
    throw wrongCall(`exec: --split needs a pipe; a ${terminal} has only one stream`);
  if (values.size !== undefined && terminal === 'pipe')
    throw wrongCall('exec: --size needs --pty or --tmux; a pipe has no size');
  const timeoutMs = durationOf('--timeout', values.timeout);
  const silenceMs = durationOf('--silence', values.silence);
  return {
    ...whatToRun(values, context.words),
    ...(terminal === 'pipe' ? {} : sizeOf(values.size)),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.wake ? { child: { wake: true } } : {}),
    ...(timeoutMs ? { timeoutMs } : {}),
    ...(silenceMs ? { silenceMs } : {}),
    ...(values.grace === undefined ? {} : { graceMs: durationOf('--grace', values.grace) }),
    cwd: path.resolve(values.cwd ?? '.'),
    set: variables(values.env),
    pathPrepend: values['path-prepend'].map((folder) => path.resolve(folder)),
    terminal,
    stdin: stdinOf(values, terminal, stdin),
    split: values.split,
    background: values.background,
    notify: values['no-notify'] ? 'never' : values['notify-empty'] || values.wake ? 'always' : 'output',
  };
}

function whatToRun(values: Values<typeof OPTIONS>, words: readonly string[]): { argv: string[] } | { shell: string } {
  if (values.shell !== undefined && words.length > 0)
    throw wrongCall('exec: pass either -c STRING or a command, not both');
  if (values.shell !== undefined) return { shell: values.shell };
  if (words[0] === undefined || words[0] === '')
    throw wrongCall('exec: missing command, e.g. `outlast exec -- npm test`');
  return { argv: [...words] };
}

function sizeOf(word: string | undefined): { columns?: number; rows?: number } {
  return word === undefined ? (sizeOfTerminal() ?? {}) : parseSize(word);
}

function variables(words: readonly string[]): Record<string, string> {
  const pairs = words.map((word): [string, string] => {
    const equals = word.indexOf('=');
    if (equals < 1) throw wrongCall(`--env: "${word}" is not a variable; write it like NAME=value`);
    return [word.slice(0, equals), word.slice(equals + 1)];
  });
  return Object.fromEntries(pairs);
}

function stdinOf(values: Values<typeof OPTIONS>, terminal: string, kind: StdinKind): 'open' | 'empty' {
  if (values.stdin === 'open' || values.stdin === 'empty') return values.stdin;
  if (values.stdin !== undefined) throw wrongCall(`--stdin: "${values.stdin}" is neither open nor empty`);
  return values.background || terminal !== 'pipe' || kind !== 'none' ? 'open' : 'empty';
}
