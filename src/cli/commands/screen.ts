import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';

/** `outlast screen` */
export const screen = command({
  name: 'screen',
  summary: 'Show the screen of a session.',
  usage: 'screen S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: {},
  examples: [['outlast screen repl', 'The screen as plain text.']],
  async run({ words: [word = ''], json, print, connect }) {
    const seen = await connect().screen(word);
    if (json) await print.json(seen);
    else
      await print.line(
        seen.rows
          .map((row) => oneLine(row).trimEnd())
          .join('\n')
          .trimEnd(),
      );
    return EXIT.fine;
  },
});
