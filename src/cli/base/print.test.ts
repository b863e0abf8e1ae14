import { expect, test } from 'vitest';
import { oneLine, Print, type Sink } from './print.ts';

/** A sink, and what was written to it. */
function sinkOf(isTty: boolean): { sink: Sink; said: () => string } {
  let said = '';
  const write = async (bytes: string | Uint8Array): Promise<void> => {
    said += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
  };
  return { sink: { isTty, columns: 80, write }, said: () => said };
}

const BAD = 'a\x1b]0;title\x07b\x9b31m \u202egnp.exe\u202c \u2066x\u2069\tc';
const SHOWN = 'a\\x1b]0;title\\x07b\\x9b31m \\u202egnp.exe\\u202c \\u2066x\\u2069\tc\n';

test.each([true, false])(
  'T-VIEW-1 what would steer a terminal or mislead a reader is shown, tty: %s',
  async (isTty) => {
    const [out, err] = [sinkOf(isTty), sinkOf(isTty)];
    const print = new Print(out.sink, err.sink, {});
    await print.line(BAD);
    await print.text(`${BAD}\n`);
    await print.note(BAD);
    expect([out.said(), err.said()]).toEqual([SHOWN + SHOWN, SHOWN]);
    expect(oneLine('a\u202eb\u2028c\nd')).toBe('a\\u202eb\\u2028c\\nd');
  },
);

test('our own colours stay, and data for programs is as it is', async () => {
  const { sink, said } = sinkOf(true);
  const print = new Print(sink, sink, {});
  await print.line(`${print.style('bold', 'HEAD')} ${print.style('red', '\x1b[2J')}`);
  expect(said()).toBe('\x1b[1mHEAD\x1b[22m \x1b[31m\\x1b[2J\x1b[39m\n');
  const piped = sinkOf(false);
  await new Print(piped.sink, piped.sink, {}).json({ text: BAD });
  expect(JSON.parse(piped.said())).toEqual({ text: BAD });
});
