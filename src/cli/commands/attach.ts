import { shellWord } from '../../base/shell-word.ts';
import { causeText } from '../../base/system-errors.ts';
import { OutlastError } from '../../client/index.ts';
import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { spin } from '../views/spinner.ts';

/** `outlast attach` */
export const attach = command({
  name: 'attach',
  summary: 'Attach to the terminal of a session.',
  usage: 'attach S [OPTIONS]',
  words: {
    ...ONE_SESSION,
    are: `${ONE_SESSION.are}\nWhile you are attached, prompts to an agent wait; when you detach, they are sent.`,
  },
  completes: 'live session',
  options: {
    'read-only': { type: 'boolean', sentence: 'Watch only; input is ignored.' },
    interrupt: { type: 'boolean', sentence: 'End the running turn first.' },
    print: { type: 'boolean', sentence: 'Print the command instead of running it.' },
  },
  examples: [
    ['outlast attach repl', 'Watch and type; detaching leaves it running.'],
    ['outlast attach repl --read-only', 'Watch only.'],
    ['outlast attach api --interrupt', 'Attach now, without waiting for the running turn to end.'],
    ['outlast attach repl --json', 'What to run, for a program.'],
  ],
  async run(context) {
    const { values, json, print, env } = context;
    const [session = ''] = context.words;
    if (values['read-only'] && values.interrupt) throw wrongCall('attach: choose one of --read-only and --interrupt');
    const isRun = !json && !values.print;
    if (isRun && !isTerminal()) throw wrongCall(NO_TERMINAL);
    const input = { session, readOnly: values['read-only'], interrupt: values.interrupt };
    // For an agent in the middle of a turn this waits until the turn ends.
    const asking = context.connect().attach(input);
    const { argv, detach } = await spin(
      context,
      `waiting for ${session} to be free (--interrupt ends its turn)`,
      asking,
    );
    if (json) return print.json({ argv, detach }).then(() => EXIT.fine);
    if (values.print) return print.line(argv.map(shellWord).join(' ')).then(() => EXIT.fine);
    // Inside the person's own tmux, that one handles the first Ctrl-b.
    const isNested = env.TMUX !== undefined && env.TMUX !== '' && detach.startsWith('Ctrl-b');
    await print.note(`Detach with ${isNested ? `Ctrl-b ${detach}` : detach}.`);
    return runHere(argv);
  },
});

const NO_TERMINAL =
  'attach needs a terminal as its standard input and output; ' +
  'to read, use outlast output or outlast screen; to type, outlast keys; to print the command, --print';

function isTerminal(): boolean {
  const { isatty } = process.getBuiltinModule('node:tty');
  return isatty(0) && isatty(1);
}

function runHere([program = '', ...words]: readonly string[]): Promise<number> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  // Ctrl-C belongs to the program on the terminal now.
  process.on('SIGINT', () => {});
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'inherit' });
    child.on('error', (cause) =>
      reject(new OutlastError('terminal_failed', `cannot run ${program}: ${causeText(cause)}`, { cause })),
    );
    child.on('exit', (status) => resolve(status ?? EXIT.failed));
  });
}
