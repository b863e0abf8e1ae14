import type { EventLine } from '../../client/index.ts';
import { command, SESSION } from '../base/command.ts';
import { countOf, cursorWord } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine, type Print } from '../base/print.ts';
import { maskedValue } from '../views/mask.ts';

/** Enough to see the input of a tool call; --json has the rest. */
const TEXT_CHARS_MAX = 200;

/** `outlast events` */
export const events = command({
  name: 'events',
  summary: 'Read the journal.',
  usage: 'events [S] [OPTIONS]',
  words: {
    min: 0,
    max: 1,
    are: [
      `${SESSION} Without it: all of them.`,
      'Long texts are cut, and what looks like a key or a password is masked. --json has everything.',
    ].join('\n'),
  },
  completes: 'session',
  options: {
    follow: { type: 'boolean', short: 'f', sentence: 'Keep following new events.' },
    last: { type: 'string', value: 'N', sentence: 'Only the last N.' },
    type: {
      type: 'string',
      value: 'T',
      multiple: true,
      completes: 'event',
      sentence: 'Only this type; `tool.` matches all types that begin with it.',
    },
    after: {
      type: 'string',
      value: 'POS',
      sentence: 'Only events after this position, or this cursor.',
      otherwise: '0',
    },
    limit: { type: 'string', value: 'N', sentence: 'At most N.' },
  },
  examples: [
    ['outlast events fix-tests', 'Everything that happened to it.'],
    ['outlast events api --last 20 --type tool. --type prompt.', 'Its recent prompts and tool calls.'],
    ['outlast events api --after 4711 --follow --json', 'Everything after a position, as JSON lines.'],
  ],
  async run({ words: [session], values, json, print, connect }) {
    const which = session === undefined ? {} : { session };
    const types = values.type.length === 0 ? {} : { types: [...values.type] };
    const range = {
      after: cursorWord('--after', values.after),
      limit: countOf('--limit', values.limit),
      last: countOf('--last', values.last),
    };
    for await (const event of connect().events({ ...which, ...types, ...range, follow: values.follow })) {
      if (json) await print.json(event);
      else await print.line(lineOf(event, print));
    }
    return EXIT.fine;
  },
});

function lineOf(event: EventLine, print: Print): string {
  const { type: _, ...body } = event.body;
  const shown = Object.keys(body).length === 0 ? '' : ` ${oneLine(JSON.stringify(maskedValue(body, TEXT_CHARS_MAX)))}`;
  return `${event.position} ${event.ts} ${event.session} ${print.style('bold', event.event)}${shown}`;
}
