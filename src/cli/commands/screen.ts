import type { SessionView } from '../../client/index.ts';
import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { printLogs } from '../flow/logs.ts';

/** `outlast screen` */
export const screen = command({
  name: 'screen',
  summary: 'Show the screen of a session.',
  usage: 'screen S [OPTIONS]',
  words: { ...ONE_SESSION, are: `${ONE_SESSION.are} For an agent without a screen: the end of its logs.` },
  completes: 'session',
  options: {
    raw: { type: 'boolean', sentence: 'For an agent without a screen: the end of its protocol instead of its logs.' },
  },
  examples: [['outlast screen repl', 'The screen as plain text.']],
  async run(context) {
    const { words, values, json, print } = context;
    const outlast = context.connect();
    const { session, rows } = await outlast.show(words[0] ?? '');
    if (!json && !values.raw && !hasScreen(session)) {
      await printLogs(context, outlast, { session, tail: rows, follow: false, full: false, times: false });
      return EXIT.fine;
    }
    const seen = await outlast.screen(session.id);
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

/** An agent that is driven by turns or messages draws nothing. */
function hasScreen({ drive, terminal }: SessionView): boolean {
  return drive === 'command' || terminal !== 'pipe';
}
