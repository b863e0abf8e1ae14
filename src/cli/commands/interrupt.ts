import { command, ONE_SESSION } from '../command.ts';
import { EXIT } from '../exit.ts';

/** `outlast interrupt` */
export const interrupt = command({
  name: 'interrupt',
  summary: 'Interrupt a command, as Ctrl-C does.',
  usage: 'interrupt S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: {},
  examples: [['outlast interrupt server', 'On a terminal the key, on a pipe the signal SIGINT.']],
  async run({ words: [session = ''], json, print, connect }) {
    const answer = await connect().interrupt(session);
    if (json) await print.json(answer);
    else await print.line(`Interrupted session ${session}.`);
    return EXIT.fine;
  },
});
