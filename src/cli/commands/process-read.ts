import type { CallOutput } from '../../api/contract.ts';
import type { SessionView } from '../../api/shapes.ts';
import { command, ONE_SESSION, type Values } from '../base/command.ts';
import { countOf, durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { spin } from '../views/spinner.ts';
import { lostBetween, pagesOf, type Range } from './output.ts';

type Page = CallOutput<'session.output'>;

const LINES = 200;

const AFTER_TIMEOUT =
  'The command was terminated, but external side effects may already have completed. ' +
  'Verify the resulting state before retrying. Do not automatically rerun non-idempotent commands. ' +
  'Use a higher timeout only when the command is known to be safe to retry.';

/** `outlast process poll` */
export const poll = command({
  name: 'process poll',
  summary: 'Print the output since the last poll.',
  usage: 'process poll S [OPTIONS]',
  words: {
    ...ONE_SESSION,
    are: `${ONE_SESSION.are}\nOutput counts as read once it is printed: an aborted poll loses nothing.`,
  },
  completes: 'session',
  options: {
    timeout: { type: 'string', value: 'D', sentence: 'Wait this long for output or the end.', otherwise: '0' },
    reader: {
      type: 'string',
      value: 'NAME',
      sentence: 'Name of the reader; each name has its own cursor.',
      otherwise: 'poll',
    },
  },
  examples: [
    ['outlast process poll fix-tests', 'New output.'],
    ['outlast process poll fix-tests --timeout 30s', 'Wait for new output.'],
  ],
  async run(context) {
    const [session = ''] = context.words;
    const reader = context.values.reader === undefined ? {} : { reader: context.values.reader };
    const outlast = context.connect();
    const timeoutMs = durationOf('--timeout', context.values.timeout);
    const polled = await spin(
      context,
      `waiting for ${session}`,
      outlast.poll({ session, timeoutMs, lease: true, ...reader }),
    );
    if (context.json) await context.print.json(polled);
    else await context.print.text(`${pollText(polled)}\n`);
    await outlast.ack({ session: polled.session.id, cursor: polled.next, ...reader });
    if (polled.session.phase === 'ended') await outlast.acknowledge(polled.session.id);
    return EXIT.fine;
  },
});

/** `outlast process log` */
export const log = command({
  name: 'process log',
  summary: 'Page through output by line or by byte.',
  usage: 'process log S [--offset N] [--limit N]   or   process log S --from BYTE [--bytes N]',
  words: ONE_SESSION,
  completes: 'session',
  options: {
    offset: { type: 'string', value: 'N', sentence: 'First line, counted from 0.', otherwise: 'the last lines' },
    limit: { type: 'string', value: 'N', sentence: 'Lines to show.', otherwise: `${LINES}, or all from --offset on` },
    from: { type: 'string', value: 'BYTE', sentence: 'First byte.' },
    bytes: { type: 'string', value: 'N', sentence: 'Bytes to show.', otherwise: 'all from --from on' },
  },
  examples: [
    ['outlast process log fix-tests', `The last ${LINES} lines.`],
    ['outlast process log fix-tests --offset 0 --limit 50', 'The first lines.'],
    ['outlast process log fix-tests --from 4096 --bytes 1024', 'Some bytes.'],
  ],
  async run(context) {
    const [session = ''] = context.words;
    const { json, print } = context;
    const outlast = context.connect();
    const range = logRange(context.values);
    if (json) return print.json(await outlast.output({ session, ...range })).then(() => EXIT.fine);
    let last: Page | undefined;
    let isMidLine = false;
    for await (const page of pagesOf(outlast, { session }, range)) {
      for (const line of gaps(page, last)) await print.line(line);
      await print.text(last === undefined ? logText(page) : (page.text ?? ''));
      if (page.text) isMidLine = !page.text.endsWith('\n');
      last = page;
    }
    if (isMidLine && !last?.more) await print.text('\n');
    const isDefault = range.tail !== undefined && context.values.limit === undefined;
    const total = last?.lines?.total ?? 0;
    if (isDefault && total > LINES)
      await print.line(`\n[showing last ${LINES} of ${total} lines; pass --offset/--limit to page]`);
    return EXIT.fine;
  },
});

/** The text of a poll: what is missing, then the output, then the state. */
export function pollText({
  notices,
  text,
  session,
}: Pick<CallOutput<'session.poll'>, 'notices' | 'text' | 'session'>): string {
  const body = text.trimEnd() === '' ? '(no new output)' : text.trimEnd();
  return [...notices, body, '', ...standing(session)].join('\n');
}

function standing(session: SessionView): string[] {
  const { outcome } = session;
  if (outcome === null)
    return ['Process still running.', ...(session.waitsForInput ? ['It seems to wait for input.'] : [])];
  if (outcome.bound === 'timeout') return ['Process timed out.', AFTER_TIMEOUT];
  if (outcome.bound === 'silence') return ['Process timed out waiting for output.', AFTER_TIMEOUT];
  const { exit } = session;
  if (exit === null) return ['Process exited with unknown exit code.'];
  return [`Process exited with ${exit.text.startsWith('signal') ? exit.text : `code ${exit.status}`}.`];
}

function logRange(values: Values<typeof log.options>): Range {
  const count = (name: string): number | undefined => countOf(`--${name}`, values[name] as string | undefined);
  const [offset, limit, from, bytes] = [count('offset'), count('limit'), count('from'), count('bytes')];
  const isByByte = from !== undefined || bytes !== undefined;
  if (isByByte && (offset !== undefined || limit !== undefined))
    throw wrongCall('process log: page by line or by byte, not both');
  if (isByByte) return { from: from ?? 0, bytes };
  return offset === undefined ? { tail: limit ?? LINES } : { offset, limit };
}

function gaps(page: Page, before: Page | undefined): string[] {
  const dropped = before === undefined ? page.droppedBytes : lostBetween(before, page);
  const first = before === undefined ? 'the first ' : '';
  const discarded = `[${first}${dropped} bytes were discarded at the retention cap and cannot be recovered]`;
  const isIncomplete = before === undefined && page.incomplete;
  return [...(dropped > 0 ? [discarded] : []), ...(isIncomplete ? ['[output may be incomplete]'] : [])];
}

function logText({ text = '', ended }: Page): string {
  return text !== '' ? text : ended ? '(no output recorded)\n' : '(no output yet)\n';
}
