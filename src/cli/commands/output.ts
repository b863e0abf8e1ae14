import type { CallOutput } from '../../api/contract.ts';
import { type Outlast, OutlastError } from '../../client/index.ts';
import { type Context, command, ONE_SESSION } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';

type Page = CallOutput<'session.output'>;

interface Reading {
  readonly session: string;
  readonly view?: 'raw' | 'text';
  readonly stream?: 'stderr' | 'output';
}

/** What to read: lines from a number, the last lines, or bytes. */
export interface Range {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly tail?: number | undefined;
  readonly from?: number | undefined;
  readonly bytes?: number | undefined;
}

const OPTIONS = {
  tail: { type: 'string', value: 'N', sentence: 'Only the last N lines.', otherwise: 'all' },
  follow: { type: 'boolean', short: 'f', sentence: 'Keep following until it ends.' },
  from: { type: 'string', value: 'BYTE', sentence: 'Start at this offset.' },
  raw: { type: 'boolean', sentence: 'Print raw bytes, with escape sequences.' },
  stderr: { type: 'boolean', sentence: 'The stderr of a session started with --split.' },
} as const;

/** `outlast output` */
export const output = command({
  name: 'output',
  summary: 'Print the output of a session.',
  usage: 'output S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: OPTIONS,
  examples: [
    ['outlast output fix-tests --tail 50', 'The last lines.'],
    ['outlast output fix-tests --follow', 'All, and new output as it arrives.'],
    ['outlast output render --raw > render.bin', 'Byte for byte.'],
  ],
  async run(context) {
    const { values, json } = context;
    if (values.tail !== undefined && values.from !== undefined)
      throw wrongCall('output: choose one of --tail and --from');
    const reading = {
      session: context.words[0] ?? '',
      view: values.raw ? 'raw' : 'text',
      stream: values.stderr ? 'stderr' : 'output',
    } as const;
    const outlast = context.connect();
    const tail = countOf('--tail', values.tail);
    const start = tail === undefined ? { from: countOf('--from', values.from) ?? 0 } : { tail };
    let last: Page | undefined;
    // A caller that follows waits anyway, also for existing output.
    const patient: Pick<Outlast, 'output'> = { output: (input) => outlast.patiently(() => outlast.output(input)) };
    for await (const page of pagesOf(values.follow ? patient : outlast, reading, start)) {
      if (!json) await tellGaps(page, last, tail !== undefined, context);
      await printPage(page, context);
      last = page;
    }
    if (values.follow && !(json && last?.ended)) await followFrom(outlast, reading, last?.next ?? 0, context);
    if (values.follow || (last?.ended && !last.more)) await outlast.acknowledge(reading.session);
    return EXIT.fine;
  },
});

/** The whole range, in as many pages as it takes: one answer of the daemon has a limit. */
export async function* pagesOf(
  outlast: Pick<Outlast, 'output'>,
  reading: Reading,
  range: Range,
): AsyncGenerator<Page, void, void> {
  let page = await outlast.output({ ...reading, ...range });
  const first = Math.max(0, (page.lines?.total ?? 0) - (range.tail ?? 0));
  // The last lines need more than one page: read them forward.
  if (range.tail !== undefined && (page.lines?.offset ?? 0) > first)
    return yield* pagesOf(outlast, reading, { offset: first });
  yield page;
  let linesLeft = (range.limit ?? Number.POSITIVE_INFINITY) - linesIn(page);
  while (page.more && linesLeft > 0 && range.bytes === undefined) {
    const limit = range.limit === undefined ? {} : { limit: linesLeft };
    // Lines are text, whatever the view.
    const view = page.text === undefined ? {} : { view: 'text' as const };
    page = await outlast.output({ ...reading, ...view, from: page.next, ...limit });
    yield page;
    linesLeft -= linesIn(page);
  }
}

/** Lines that end in a page. */
export function linesIn({ text = '' }: Pick<Page, 'text'>): number {
  return text.split('\n').length - 1;
}

/** Bytes that were dropped between two pages during the read. */
export function lostBetween(before: Pick<Page, 'next'> | undefined, page: Pick<Page, 'from'>): number {
  return before === undefined ? 0 : Math.max(0, page.from - before.next);
}

async function tellGaps(
  page: Page,
  before: Page | undefined,
  isTail: boolean,
  { print }: Context<typeof OPTIONS>,
): Promise<void> {
  const lost = lostBetween(before, page);
  if (lost > 0) await print.note(`outlast: ${lost} bytes were dropped at the cap while they were read`);
  if (before !== undefined) return;
  if (page.droppedBytes > 0 && !isTail)
    await print.note(`outlast: the first ${page.droppedBytes} bytes were dropped at the cap`);
  if (page.incomplete) await print.note('outlast: the output may be incomplete');
}

async function printPage(page: Pick<Page, 'text' | 'base64'>, { json, print }: Context<typeof OPTIONS>): Promise<void> {
  if (json) return print.json(page);
  if (page.text !== undefined) await print.text(page.text);
  if (page.base64 !== undefined) await print.stdout.write(Buffer.from(page.base64, 'base64'));
}

async function followFrom(
  outlast: Outlast,
  reading: Reading,
  from: number,
  context: Context<typeof OPTIONS>,
): Promise<void> {
  try {
    for await (const line of outlast.follow({ ...reading, from })) {
      if (line.droppedBytes && !context.json)
        await context.print.note(`outlast: ${line.droppedBytes} bytes were dropped at the cap`);
      await printPage(line, context);
    }
  } catch (error) {
    // It was removed during the read of its last bytes: nothing more will come.
    if (!(error instanceof OutlastError && error.code === 'session_not_found')) throw error;
  }
}
