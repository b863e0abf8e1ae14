import { nameOf } from '../../present/state.ts';
import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { spin } from '../views/spinner.ts';

/** `outlast interrupt` */
export const interrupt = command({
  name: 'interrupt',
  summary: 'Interrupt a command, or the turn of an agent.',
  usage: 'interrupt S [OPTIONS]',
  words: {
    ...ONE_SESSION,
    are: `${ONE_SESSION.are}\nAn agent stays, for the next prompt. Status: 0 the turn has ended, 6 not within 10 s.`,
  },
  completes: 'live session',
  options: {},
  examples: [
    ['outlast interrupt server', 'Like Ctrl-C: the key on a terminal, SIGINT on a pipe.'],
    ['outlast interrupt api', 'Ends the turn, and returns when it has ended.'],
  ],
  async run(context) {
    const { json, print } = context;
    const [word = ''] = context.words;
    const answer = await spin(context, `interrupting ${word}`, context.connect().interrupt(word));
    const { session } = answer;
    if (json) await print.json(answer);
    else if (session.drive === 'command') await print.line(`Interrupted session ${word}.`);
    else await print.line(`The turn of ${nameOf(session)} has ended.`);
    return EXIT.fine;
  },
});
