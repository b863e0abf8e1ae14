import { command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { neededPrompt } from '../input/prompt-text.ts';

/** `outlast tell` */
export const tell = command({
  name: 'tell',
  summary: 'From inside of a session: tell its owner something.',
  usage: 'tell [TEXT|-]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'For agents that another session started. TEXT is one argument; - or nothing is standard input.',
      'It reaches the owner as its end would: as a prompt when it is idle, or with its next one.',
      'Status: 0 taken, 4 when nobody owns the session.',
    ].join('\n'),
  },
  options: {},
  examples: [['outlast tell "half of it is done; the rest needs a key"', 'Then go on, or wait for its prompt.']],
  async run(context) {
    const { words, json, print } = context;
    const text = await neededPrompt({ name: 'tell', words, file: undefined, implicit: true }, context);
    const told = await context.connect().tell(text);
    if (json) await print.json(told);
    else await print.note(`Told ${told.owner}.`);
    return EXIT.fine;
  },
});
