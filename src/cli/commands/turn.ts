import { command, SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { printReply } from '../views/reply.ts';

/** `outlast turn` */
export const turn = command({
  name: 'turn',
  summary: 'Print a turn of a conversation as Markdown.',
  usage: 'turn S [N] [OPTIONS]',
  words: {
    min: 1,
    max: 2,
    are: `${SESSION} N counts from 1, and -1, -2, … from the end.`,
  },
  completes: 'session',
  options: { full: { type: 'boolean', sentence: 'Full tool results, instead of five lines.' } },
  examples: [
    ['outlast turn api', 'The last turn: thinking, tools, results, text.'],
    ['outlast turn api 1 --full', 'The first, with everything.'],
    ['outlast turn api -2 --json', 'The one before the last, for a program.'],
  ],
  async run({ words: [session = '', word = '-1'], values, json, print, connect }) {
    const outlast = connect();
    const read = await outlast.turn({ session, number: numberOf(word), full: values.full });
    if (json) await print.json(read);
    else await printReply(print, read.markdown);
    if (read.ended && read.number === read.count) await outlast.acknowledge(session);
    return EXIT.fine;
  },
});

function numberOf(word: string): number {
  if (!/^-?[1-9]\d{0,8}$/.test(word)) throw wrongCall(`turn: "${word}" is not a turn; write a number from 1, or -1`);
  return Number(word);
}
