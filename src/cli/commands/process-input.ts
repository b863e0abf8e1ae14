import { type Context, command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { readArgument, readStdin, writeInPieces } from '../flow/write.ts';

const ARE = ONE_SESSION.are;

/** `outlast process write` */
export const write = command({
  name: 'process write',
  summary: 'Write to the input of a session.',
  usage: 'process write S [DATA|-] [--eof]',
  words: { min: 1, max: 2, are: `${ARE} DATA is sent unchanged, without a newline; - is standard input.` },
  completes: 'live session',
  options: { eof: { type: 'boolean', sentence: 'Close the input after it.' } },
  examples: [
    ["outlast process write sort 'b\na\n' --eof", 'Two lines, then end of input.'],
    ['outlast process write import - --eof < rows.csv', 'A file.'],
  ],
  async run({ words: [session = '', data], values, json, print, connect }) {
    if (data === undefined && !values.eof) throw wrongCall('process write: pass DATA, or --eof');
    const bytes = data === '-' ? await readStdin() : Buffer.from(data ?? '');
    const sent = await writeInPieces(connect(), {
      session,
      ...(bytes.length > 0 ? { base64: bytes.toString('base64') } : {}),
      eof: values.eof,
    });
    return tell(
      { json, print },
      sent,
      `Wrote ${bytes.length} bytes to session ${session}${values.eof ? ' (stdin closed)' : ''}.`,
    );
  },
});

/** `outlast process send-keys` */
export const sendKeys = command({
  name: 'process send-keys',
  summary: 'Send text, bytes and keys.',
  usage: 'process send-keys S [KEY…] [--hex BYTES]… [--literal TEXT]',
  words: { min: 1, max: Number.POSITIVE_INFINITY, are: `${ARE} The order is: literal text, hex bytes, keys.` },
  completes: 'live session',
  options: {
    hex: { type: 'string', value: 'BYTES', multiple: true, sentence: 'Bytes as hex digits, e.g. 1b.' },
    literal: { type: 'string', value: 'TEXT', sentence: 'Text, sent unchanged.' },
  },
  examples: [
    ['outlast process send-keys repl C-c', 'Interrupt.'],
    ['outlast process send-keys repl --literal "1+1" Enter', 'Text and a key.'],
    ['outlast process send-keys repl --hex 1b --hex 5b41', 'Bytes.'],
  ],
  async run({ words: [session = '', ...keys], values, json, print, connect }) {
    if (keys.length === 0 && values.hex.length === 0 && !values.literal)
      throw wrongCall('process send-keys: No key data provided.');
    const literal = values.literal ? { base64: Buffer.from(values.literal).toString('base64') } : {};
    const hex = values.hex.length > 0 ? { hex: [...values.hex] } : {};
    const sent = await connect().write({ session, ...literal, ...hex, ...(keys.length > 0 ? { keys } : {}) });
    return tell({ json, print }, sent, `Sent ${sent.bytes} bytes to session ${session}.`);
  },
});

/** `outlast process submit` */
export const submit = command({
  name: 'process submit',
  summary: 'Press Enter.',
  usage: 'process submit S',
  words: ONE_SESSION,
  completes: 'live session',
  options: {},
  examples: [['outlast process submit repl', 'Like a person pressing Enter.']],
  async run({ words: [session = ''], json, print, connect }) {
    const sent = await connect().write({ session, submit: true });
    return tell({ json, print }, sent, `Submitted session ${session}.`);
  },
});

/** `outlast process paste` */
export const processPaste = command({
  name: 'process paste',
  summary: 'Paste text.',
  usage: 'process paste S TEXT|-',
  words: { min: 2, max: 2, are: `${ARE} TEXT - is standard input.` },
  completes: 'live session',
  options: {},
  examples: [['outlast process paste editor - < notes.txt', 'A file, bracketed if the program enabled it.']],
  async run({ words: [session = '', word = ''], json, print, connect }) {
    const text = await readArgument(word);
    if (text === '') throw wrongCall('process paste: No paste text provided.');
    const sent = await connect().write({ session, paste: text });
    return tell({ json, print }, sent, `Pasted ${text.length} chars to session ${session}.`);
  },
});

async function tell({ json, print }: Pick<Context, 'json' | 'print'>, sent: object, sentence: string): Promise<number> {
  if (json) await print.json(sent);
  else await print.line(sentence);
  return EXIT.fine;
}
