import { expect, test } from 'vitest';
import { oneLine, Print, type Sink } from './print.ts';

/** A sink, and what was written to it. */
function sinkOf(isTty: boolean): { sink: Sink; written: () => string } {
  let written = '';
  const write = async (bytes: string | Uint8Array): Promise<void> => {
    written += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
  };
  return { sink: { isTty, columns: 80, write }, written: () => written };
}

const BAD = 'a\x1b]0;title\x07b\x9b31m \u202egnp.exe\u202c \u2066x\u2069\tc';
const SHOWN = 'a\\x1b]0;title\\x07b\\x9b31m \\u202egnp.exe\\u202c \\u2066x\\u2069\tc\n';

test.each([true, false])(
  'T-VIEW-1 characters that control a terminal or mislead a reader are shown escaped, tty: %s',
  async (isTty) => {
    const [out, err] = [sinkOf(isTty), sinkOf(isTty)];
    const print = new Print(out.sink, err.sink, {});
    await print.line(BAD);
    await print.text(`${BAD}\n`);
    await print.note(BAD);
    expect([out.written(), err.written()]).toEqual([SHOWN + SHOWN, SHOWN]);
    expect(oneLine('a\u202eb\u2028c\nd')).toBe('a\\u202eb\\u2028c\\nd');
  },
);

test('our own colours stay, and data for programs is unchanged', async () => {
  const { sink, written } = sinkOf(true);
  const print = new Print(sink, sink, {});
  await print.line(`${print.style('bold', 'HEAD')} ${print.style('red', '\x1b[2J')}`);
  expect(written()).toBe('\x1b[1mHEAD\x1b[22m \x1b[31m\\x1b[2J\x1b[39m\n');
  const piped = sinkOf(false);
  await new Print(piped.sink, piped.sink, {}).json({ text: BAD });
  expect(JSON.parse(piped.written())).toEqual({ text: BAD });
});
