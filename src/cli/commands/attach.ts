import { OutlastError } from '../../client/index.ts';
import { command, ONE_SESSION } from '../command.ts';
import { EXIT } from '../exit.ts';

/** `outlast attach` */
export const attach = command({
  name: 'attach',
  summary: 'Take over the terminal of a session.',
  usage: 'attach S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: {
    'read-only': { type: 'boolean', sentence: 'Watch; what you type goes nowhere.' },
    print: { type: 'boolean', sentence: 'Only print the command that would be run.' },
  },
  examples: [
    ['outlast attach repl', 'Watch and type; detaching leaves it running.'],
    ['outlast attach repl --read-only', 'Watch only.'],
    ['outlast attach repl --json', 'What to run, for a program.'],
  ],
  async run({ words: [word = ''], values, json, print, connect, env }) {
    const { argv, detach } = await connect().attach(word, values['read-only']);
    if (json) return print.json({ argv, detach }).then(() => EXIT.fine);
    if (values.print) return print.line(argv.join(' ')).then(() => EXIT.fine);
    // Inside a tmux of the person's own, the first Ctrl-b is taken by that one.
    const isNested = env.TMUX !== undefined && detach.startsWith('Ctrl-b');
    await print.note(`Detach with ${isNested ? `Ctrl-b ${detach}` : detach}.`);
    return runHere(argv);
  },
});

function runHere([program = '', ...words]: readonly string[]): Promise<number> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  // Ctrl-C belongs to whoever has the terminal now.
  process.on('SIGINT', () => {});
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'inherit' });
    child.on('error', (cause) =>
      reject(new OutlastError('terminal_failed', `cannot run ${program}: ${cause.message}`, { cause })),
    );
    child.on('exit', (status) => resolve(status ?? EXIT.failed));
  });
}
