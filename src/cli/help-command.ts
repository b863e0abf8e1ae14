import { command } from './base/command.ts';
import { EXIT } from './base/exit.ts';
import { wrongCall } from './base/parse.ts';
import { commandFacts, commandHelp, commandList, groupHelp, overview } from './help.ts';
import { commandsOf, findCommand, TABLE } from './table.ts';

/** `outlast help` */
export const help = command({
  name: 'help',
  summary: 'Show help for a command.',
  usage: 'help [COMMAND]',
  words: { min: 0, max: 2, are: '' },
  completes: 'command',
  options: {},
  examples: [
    ['outlast help exec', 'Same as outlast exec --help.'],
    ['outlast help exec --json', 'Its options, for programs.'],
  ],
  async run({ words, json, print }) {
    const [first] = words;
    const found = findCommand(words);
    const show = (facts: object, page: string): Promise<void> => (json ? print.json(facts) : print.line(page));
    if (found !== null) {
      const its = await found.row.load();
      await show(commandFacts(its), commandHelp(its, print));
    } else if (first === undefined) await show(commandList(Object.keys(TABLE)), overview(print));
    else if (commandsOf(first).length > 0) await show(commandList(commandsOf(first)), groupHelp(first, print));
    else throw wrongCall(`help: unknown command "${words.join(' ')}"; see \`outlast help\``);
    return EXIT.fine;
  },
});
