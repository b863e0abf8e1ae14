import type { Outlast, SessionView } from '../../client/index.ts';
import { command, ONE_SESSION } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { printLogs } from '../flow/logs.ts';
import { paintedRows } from '../views/styled-rows.ts';

type Seen = Awaited<ReturnType<Outlast['screen']>>;

/** `outlast screen` */
export const screen = command({
  name: 'screen',
  summary: 'Show the screen of a session.',
  usage: 'screen S [OPTIONS]',
  words: { ...ONE_SESSION, are: `${ONE_SESSION.are} For an agent without a screen: the end of its logs.` },
  completes: 'session',
  options: {
    styled: { type: 'boolean', sentence: 'With its colours; in JSON, rows as runs that look the same.' },
    above: { type: 'string', value: 'N', sentence: 'Also the last N rows of the history above it.' },
    raw: { type: 'boolean', sentence: 'For an agent without a screen: the end of its protocol instead of its logs.' },
  },
  examples: [
    ['outlast screen repl', 'The screen as plain text.'],
    ['outlast screen repl --styled --above 100', 'With its colours, and 100 rows of what scrolled away.'],
  ],
  async run(context) {
    const { words, values, json, print } = context;
    const outlast = context.connect();
    const { session, rows } = await outlast.show(words[0] ?? '');
    if (!json && !values.raw && !hasScreen(session)) {
      await printLogs(context, outlast, { session, tail: rows, follow: false, full: false, times: false });
      return EXIT.fine;
    }
    const above = countOf('--above', values.above) ?? 0;
    const isStyled = values.styled === true || above > 0;
    const seen = await outlast.screen({ session: session.id, styled: isStyled, above });
    if (json) await print.json(seen);
    else if (values.styled) await print.stdout.write(`${styledRows(seen).join('\n')}\n`);
    else await print.line(textRows(seen).join('\n').trimEnd());
    return EXIT.fine;
  },
});

function styledRows({ styled }: Seen): string[] {
  const rows = paintedRows([...(styled?.above ?? []), ...(styled?.rows ?? [])]);
  const last = rows.findLastIndex((row) => row !== '');
  return rows.slice(0, last + 1);
}

function textRows({ rows, styled }: Seen): string[] {
  const above = (styled?.above ?? []).map((row) => row.map(({ text }) => text).join(''));
  return [...above, ...rows].map((row) => oneLine(row).trimEnd());
}

/** An agent that is driven by turns or messages draws nothing. */
function hasScreen({ drive, terminal }: SessionView): boolean {
  return drive === 'command' || terminal !== 'pipe';
}
