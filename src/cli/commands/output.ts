import type { CallOutput } from '../../api/contract.ts';
import { type Outlast, OutlastError } from '../../client/index.ts';
import { type Context, command, ONE_SESSION } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { printLogs } from '../flow/logs.ts';

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
  from: { type: 'string', value: 'BYTE', sentence: 'Start at this offset; for an agent, in its raw output.' },
  raw: { type: 'boolean', sentence: 'Print raw bytes, with escape sequences; for an agent, its protocol or screen.' },
  stderr: { type: 'boolean', sentence: 'The stderr of a session started with --split.' },
} as const;

/** `outlast output` */
export const output = command({
  name: 'output',
  summary: 'Print the output of a session; for an agent, its logs.',
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
    const { values } = context;
    if (values.tail !== undefined && values.from !== undefined)
      throw wrongCall('output: choose one of --tail and --from');
    const outlast = context.connect();
    const word = context.words[0] ?? '';
    const tail = countOf('--tail', values.tail);
    const isBytes = values.raw || values.stderr || values.from !== undefined || context.json;
    const show = () => outlast.show(word);
    const shown = isBytes ? null : (await (values.follow ? outlast.patiently(show) : show())).session;
    if (shown !== null && shown.drive !== 'command') {
      await printLogs(context, outlast, { session: shown, tail, follow: values.follow, full: false, times: false });
      if (shown.phase === 'ended' || values.follow) await outlast.acknowledge(word);
      return EXIT.fine;
    }
    const view = values.raw ? 'raw' : 'text';
    const which = { session: word, view, stream: values.stderr ? 'stderr' : 'output' } as const;
    await printOutput(context, { ...which, tail, follow: values.follow, from: countOf('--from', values.from) });
    return EXIT.fine;
  },
});

interface Printed extends Reading {
  readonly follow: boolean;
  readonly tail?: number | undefined;
  readonly from?: number | undefined;
}

/** Prints what a session has printed, and follows it. */
export async function printOutput(
  context: Pick<Context, 'json' | 'print' | 'connect'>,
  { follow, tail, from = 0, ...which }: Printed,
): Promise<void> {
  const outlast = context.connect();
  const reading = { view: 'text', stream: 'output', ...which } as const;
  let last: Page | undefined;
  // A caller that follows waits anyway, also for existing output.
  const patient: Pick<Outlast, 'output'> = { output: (input) => outlast.patiently(() => outlast.output(input)) };
  for await (const page of pagesOf(follow ? patient : outlast, reading, tail === undefined ? { from } : { tail })) {
    if (!context.json) await tellGaps(page, last, tail !== undefined, context);
    await printPage(page, context);
    last = page;
  }
  if (follow && !(context.json && last?.ended)) await followFrom(outlast, reading, last?.next ?? 0, context);
  if (follow || (last?.ended && !last.more)) await outlast.acknowledge(reading.session);
}

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
  { print }: Pick<Context, 'print'>,
): Promise<void> {
  const lost = lostBetween(before, page);
  if (lost > 0) await print.note(`outlast: ${lost} bytes were dropped at the cap before they could be read`);
  if (before !== undefined) return;
  if (page.droppedBytes > 0 && !isTail)
    await print.note(`outlast: the first ${page.droppedBytes} bytes were dropped at the cap`);
  if (page.incomplete) await print.note('outlast: the output may be incomplete');
}

async function printPage(
  page: Pick<Page, 'text' | 'base64'>,
  { json, print }: Pick<Context, 'json' | 'print'>,
): Promise<void> {
  if (json) return print.json(page);
  if (page.text !== undefined) await print.text(page.text);
  if (page.base64 !== undefined) await print.stdout.write(Buffer.from(page.base64, 'base64'));
}

async function followFrom(
  outlast: Outlast,
  reading: Reading,
  from: number,
  context: Pick<Context, 'json' | 'print'>,
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
