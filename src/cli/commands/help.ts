import { command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { commandHelp, groupHelp, overview } from '../help.ts';
import { wrongCall } from '../parse.ts';
import { commandsOf, findCommand } from '../table.ts';

/** `outlast help` */
export const help = command({
  name: 'help',
  summary: 'Show help for a command.',
  usage: 'help [COMMAND]',
  words: { min: 0, max: 2, are: '' },
  completes: 'command',
  options: {},
  examples: [['outlast help exec', 'The same as outlast exec --help.']],
  async run({ words, print }) {
    const [first] = words;
    const found = findCommand(words);
    if (found !== null) await print.line(commandHelp(await found.row.load(), print));
    else if (first === undefined) await print.line(overview(print));
    else if (commandsOf(first).length > 0) await print.line(groupHelp(first, print));
    else throw wrongCall(`help: unknown command "${words.join(' ')}"; see \`outlast help\``);
    return EXIT.fine;
  },
});
