import { wrongCall } from '../base/parse.ts';

/** Asks a person at the terminal. Questions go to stderr. */
export class Questions {
  /** The answer to one question; Ctrl-C and Ctrl-D end the command. */
  ask(question: string, isSecret = false): Promise<string> {
    const { createInterface } = process.getBuiltinModule('node:readline');
    const { Writable } = process.getBuiltinModule('node:stream');
    let isShown = true;
    // What is typed after the question is echoed by readline itself, so it can be kept off the screen.
    const output = new Writable({
      write(chunk, _, done) {
        if (isShown) process.stderr.write(chunk);
        done();
      },
    });
    const reader = createInterface({ input: process.stdin, output, terminal: true });
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(wrongCall('notify setup: stopped; nothing was changed'));
      reader.on('SIGINT', () => reader.close());
      reader.on('close', leave);
      reader.question(`${question}: `, (answer) => {
        reader.off('close', leave);
        reader.close();
        if (isSecret) process.stderr.write('\n');
        resolve(answer.trim());
      });
      isShown = !isSecret;
    });
  }
}
