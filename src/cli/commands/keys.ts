import { command, SESSION } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { readArgument, writeInPieces } from '../flow/write.ts';

const ARE = SESSION;

/** `outlast keys` */
export const keys = command({
  name: 'keys',
  summary: 'Press keys in a session.',
  usage: 'keys S KEY… [OPTIONS]',
  words: {
    min: 2,
    max: Number.POSITIVE_INFINITY,
    are: `${ARE} Keys: a character, or Enter, Tab, Escape, Up, F5, C-c, M-x, S-Tab, 0x1b …`,
  },
  completes: 'live session',
  options: { delay: { type: 'string', value: 'D', sentence: 'Pause between two keys.', otherwise: '0' } },
  examples: [
    ['outlast keys repl C-c', 'Interrupt.'],
    ['outlast keys editor Escape x --delay 100ms', 'Escape, then x; without a pause some programs read Alt-x.'],
    ['outlast keys editor Escape : w q Enter', 'Several, in order. For text, use `outlast paste`.'],
  ],
  async run({ words: [session = '', ...rest], values, json, print, connect }) {
    const delayMs = durationOf('--delay', values.delay);
    const sent = await connect().keys(session, rest, undefined, delayMs);
    if (json) await print.json(sent);
    else await print.line(`Sent ${sent.bytes} bytes to session ${session}.`);
    return EXIT.fine;
  },
});

/** `outlast paste` */
export const paste = command({
  name: 'paste',
  summary: 'Paste text into a session.',
  usage: 'paste S TEXT|- [OPTIONS]',
  words: { min: 2, max: 2, are: `${ARE} TEXT - is standard input.` },
  completes: 'live session',
  options: { submit: { type: 'boolean', sentence: 'Press Enter after it.' } },
  examples: [
    ['outlast paste repl "print(1)" --submit', 'One line and Enter.'],
    ['outlast paste editor - < notes.txt', 'A file.'],
  ],
  async run({ words: [session = '', text = ''], values, json, print, connect }) {
    const sent = await writeInPieces(connect(), { session, paste: await readArgument(text), submit: values.submit });
    if (json) await print.json(sent);
    else await print.line(`Pasted ${sent.bytes} bytes to session ${session}.`);
    return EXIT.fine;
  },
});
