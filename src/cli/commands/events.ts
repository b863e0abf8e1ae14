import { command } from '../command.ts';
import { countOf } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { oneLine } from '../print.ts';

/** `outlast events` */
export const events = command({
  name: 'events',
  summary: 'Read the journal.',
  usage: 'events [S] [OPTIONS]',
  words: { min: 0, max: 1, are: 'S is the id or the name of a session; without it, all of them.' },
  completes: 'session',
  options: {
    follow: { type: 'boolean', short: 'f', sentence: 'Go on with what is to come.' },
    after: { type: 'string', value: 'POS', sentence: 'Only events after this position.', otherwise: '0' },
    limit: { type: 'string', value: 'N', sentence: 'At most N.' },
  },
  examples: [
    ['outlast events fix-tests', 'All that happened to it.'],
    ['outlast events --follow --json', 'Everything, as JSON lines.'],
  ],
  async run({ words: [session], values, json, print, connect }) {
    const which = session === undefined ? {} : { session };
    const range = { after: countOf('--after', values.after), limit: countOf('--limit', values.limit) };
    for await (const event of connect().events({ ...which, ...range, follow: values.follow })) {
      if (json) await print.json(event);
      else {
        const { type: _, ...body } = event.body;
        const rest = Object.keys(body).length === 0 ? '' : ` ${oneLine(JSON.stringify(body))}`;
        await print.line(`${event.position} ${event.ts} ${event.session} ${print.style('bold', event.event)}${rest}`);
      }
    }
    return EXIT.fine;
  },
});
