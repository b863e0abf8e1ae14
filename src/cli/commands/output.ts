import type { CallOutput } from '../../api/contract.ts';
import { type Outlast, OutlastError } from '../../client/index.ts';
import { type Context, command, ONE_SESSION } from '../command.ts';
import { countOf } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { wrongCall } from '../parse.ts';

type Page = CallOutput<'session.output'>;

const OPTIONS = {
  tail: { type: 'string', value: 'N', sentence: 'Only the last N lines.', otherwise: 'all there is' },
  follow: { type: 'boolean', short: 'f', sentence: 'Go on until it ends.' },
  from: { type: 'string', value: 'BYTE', sentence: 'Begin at this offset.' },
  raw: { type: 'boolean', sentence: 'The bytes as they are, escapes and all.' },
  stderr: { type: 'boolean', sentence: 'The stderr of a session started with --split.' },
} as const;

interface Reading {
  readonly session: string;
  readonly view: 'raw' | 'text';
  readonly stream: 'stderr' | 'output';
}

/** `outlast output` */
export const output = command({
  name: 'output',
  summary: 'Print what a session has printed.',
  usage: 'output S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: OPTIONS,
  examples: [
    ['outlast output fix-tests --tail 50', 'The last lines.'],
    ['outlast output fix-tests --follow', 'All, and what is to come.'],
    ['outlast output render --raw > render.bin', 'Byte for byte.'],
  ],
  async run(context) {
    const { values, json } = context;
    if (values.tail !== undefined && values.from !== undefined)
      throw wrongCall('output: choose one of --tail and --from');
    const reading: Reading = {
      session: context.words[0] ?? '',
      view: values.raw ? 'raw' : 'text',
      stream: values.stderr ? 'stderr' : 'output',
    };
    const outlast = context.connect();
    const tail = countOf('--tail', values.tail);
    const start = tail === undefined ? { from: countOf('--from', values.from) ?? 0 } : { tail };
    let page = await outlast.output({ ...reading, ...start });
    await tellGaps(page, tail !== undefined, context);
    for (;;) {
      await printPage(page, context);
      if (page.next >= page.end) break;
      page = await outlast.output({ ...reading, from: page.next });
    }
    if (values.follow && !(json && page.ended)) await followFrom(outlast, reading, page.next, context);
    return EXIT.fine;
  },
});

async function tellGaps(page: Page, isTail: boolean, { json, print }: Context<typeof OPTIONS>): Promise<void> {
  if (json) return;
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
    // It was removed while we read its last bytes: there is nothing more to come.
    if (!(error instanceof OutlastError && error.code === 'session_not_found')) throw error;
  }
}
