import { command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { neededPrompt } from '../input/prompt-text.ts';

/** `outlast tell` */
export const tell = command({
  name: 'tell',
  summary: 'Inside a session: send a message to its owner.',
  usage: 'tell [TEXT|-]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'For agents that another session started. TEXT is one argument; - or nothing is standard input.',
      'The owner gets it like any update: as a prompt when it is idle, or with its next one.',
      'Status: 0 accepted, 4 the session has no owner.',
    ].join('\n'),
  },
  options: {},
  examples: [['outlast tell "half of it is done; the rest needs a key"', 'Then continue, or wait for a prompt.']],
  async run(context) {
    const { words, json, print } = context;
    const text = await neededPrompt({ name: 'tell', words, file: undefined, implicit: true }, context);
    const sent = await context.connect().tell(text);
    if (json) await print.json(sent);
    else await print.note(`Sent to ${sent.owner}.`);
    return EXIT.fine;
  },
});
